#!/bin/sh
# Train on this node's 8 GPUs:  sh examples/verl/one_node.sh grpo|dapo|dr_grpo [OPTIONS]
# The options are those of `rewardkit train`: --dry-run prints what would run, and runs nothing.
set -eu
recipe=$1
shift
exec rewardkit train "$(dirname "$0")/qwen2.5-7b_$recipe.toml" --backend verl "$@"
