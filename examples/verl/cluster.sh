#!/bin/sh
# Train on a Ray cluster of NODES nodes with 8 GPUs each, from its head node:
#
#   head node:    ray start --head --port=6379
#   other nodes:  ray start --address=HEAD:6379
#   head node:    NODES=2 sh examples/verl/cluster.sh dapo [OPTIONS]
#
# Every node has rewardkit[verl] installed, and sees the run folder and the data under the same
# paths (a shared file system): verl's workers write their shards of a checkpoint there.
set -eu
recipe=$1
shift
exec rewardkit train "$(dirname "$0")/qwen2.5-7b_$recipe.toml" --backend verl \
  --set verl.address="${RAY_HEAD:-auto}" --set verl.nodes="${NODES:-2}" "$@"
