# Everything from a fresh clone on Debian 12 or Ubuntu 24.04: `make demo`, `make test`.
.DEFAULT_GOAL := help
.PHONY: help deps build test python demo bench bench-peers bench-python bench-released format check clean install configure

PREFIX ?= /usr/local
PYTHON311 ?= python3.11

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

deps:  ## install missing Debian packages (root or sudo)
	@scripts/install-deps

configure: deps
	@test -f build/release/build.ninja || cmake --preset release

build: configure  ## build the program: build/release/bin/bandolier
	@cmake --build --preset release --target bandolier_program

# What the Python tests, notebooks and plots need; made again when the list changes.
build/venv/ready: python/tests/requirements.txt
	@test -x build/venv/bin/pip || python3 -m venv build/venv
	@build/venv/bin/pip install --quiet --disable-pip-version-check -r python/tests/requirements.txt
	@touch $@

test: configure build/venv/ready  ## build everything and run all tests, those of the Python package too
	@cmake --preset release -DBANDOLIER_BUILD_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/build/venv/bin/python >/dev/null
	@cmake --build --preset release
	@ctest --preset release

python: deps build/venv/ready  ## install the Python package into build/venv, with all that tests, notebooks and plots need
	@build/venv/bin/pip install --disable-pip-version-check --no-build-isolation .

demo: build  ## compare agents on problems that need no download, and write a report
	@scripts/demo build/release/bin/bandolier

bench: configure  ## measure: a table, and JSON in build/bench
	@cmake --build --preset release --target bench
	@scripts/bench

bench-peers: build  ## Vowpal Wabbit and bayesianbandits on the same rows (installed into build/peers)
	@test -x build/peers/bin/pip || python3 -m venv build/peers
	@build/peers/bin/pip install --quiet vowpalwabbit bayesianbandits
	@cmake --build --preset release --target export_problem
	@build/peers/bin/python bench/peers.py $(ARGS)

# Each on its own: what does not install is named in the output.
bench-python: build/venv/ready  ## microseconds per decision from Python beside other libraries (installed into build/peers)
	@test -x build/peers/bin/pip || python3 -m venv build/peers
	@build/peers/bin/pip install --quiet --disable-pip-version-check .
	@for peer in mabwiser bayesianbandits river vowpalwabbit contextualbandits '--no-deps obp'; do \
	  build/peers/bin/pip install --quiet --disable-pip-version-check $$peer || echo "bench-python: $$peer did not install" >&2; done
	@build/peers/bin/pip install --quiet --disable-pip-version-check pyyaml tqdm mypy-extensions
	@build/peers/bin/python bench/python_peers.py $(ARGS)

bench-released: build  ## the paper authors' own code beside ours: BANDITS= and JSL= name its two clones
	@test -n "$(BANDITS)" -a -n "$(JSL)" || { printf '%s\n' \
	  'bench-released: BANDITS and JSL must name clones (or .tar.gz) of the authors'"'"' code:' \
	  '  git clone https://github.com/probml/bandits && git -C bandits checkout ba672cf' \
	  '  git clone https://github.com/probml/JSL && git -C JSL checkout 3cfc10e' \
	  '  make bench-released BANDITS=bandits JSL=JSL' >&2; exit 1; }
	@test -x build/released/bin/pip || $(PYTHON311) -m venv build/released
	@build/released/bin/pip install --quiet -r bench/released/requirements.txt
	@build/released/bin/python bench/released/compare.py --bandits "$(BANDITS)" --jsl "$(JSL)" $(ARGS)

format:  ## clang-format every source
	@scripts/install-deps ci
	@scripts/sources | xargs clang-format -i

check: test  ## what CI runs: tests, formatting, includes, headers, clang, sanitizers
	@.ci/run --after-test

install: deps  ## install under PREFIX (/usr/local), or under DESTDIR for packages; not tuned to this machine
	@test -f build/package/build.ninja || cmake --preset package
	@cmake --build --preset package
	@cmake --install build/package --prefix $(PREFIX)

clean:  ## remove build/
	@rm -rf build
