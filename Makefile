# `make run` and `make test` need no other setup step. `make help` lists the other targets.

CARGO ?= cargo
# Seconds per fuzz target, and the targets to run (all if empty).
SECONDS ?= 60
TARGETS ?=
# Arguments for riga, and a PGN file for `make bench` to read instead of random games.
ARGS ?=
PGN ?=
# Where `make install` puts the program.
PREFIX ?= $(HOME)/.local
# Requests per operation of the server's API.
EXAMPLES ?= 10
# The load of `make soak`.
GAMES ?= 200
KILLS ?= 20
OUTAGE_GAMES ?= 20
JOBS ?= 1000
MINUTES ?= 5

.PHONY: help run test check-api check-web check-docs check-engine install web wasm bench soak types fuzz miri neon native pgo release docs setup peers cxx tables postgres tmux node chromium firefox python

help: ## Show this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

run: setup web ## Build everything and open the board (ARGS="perft 6" for a command)
	$(CARGO) build --release --locked -p riga
	target/release/riga $(ARGS)

test: setup web tables postgres tmux cxx chromium firefox python ## Run every check: format, lints, tests, documentation, browser
	$(CARGO) fmt --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) test --workspace --locked
	$(MAKE) --no-print-directory --jobs=2 --output-sync check-api check-web check-docs check-engine
	npm --prefix web run --silent unit
	FIREFOX="$$(command -v firefox-esr || command -v firefox)" \
	CHROMIUM="$$(command -v chromium || command -v chromium-browser || command -v google-chrome)" \
	  npm --prefix web run --silent browser

# Parts of `make test` that measure no times and need one core each.
check-api:
	tools/check-api.sh target/debug/riga $(EXAMPLES)

check-web:
	tools/check-types.sh target/debug/riga
	npm --prefix web run --silent check
	npm --prefix web run --silent lint

check-docs:
	node tools/docs.mjs target/site
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --quiet

check-engine:
	tools/check-bench.sh target/debug/riga bench
	tools/check-training.sh target/debug/riga
	tools/check-wasm.sh

install: setup web ## Build riga and copy it to $(PREFIX)/bin (~/.local/bin)
	$(CARGO) build --release --locked -p riga
	install -D -m 755 target/release/riga "$(DESTDIR)$(PREFIX)/bin/riga"

bench: setup peers ## Benchmark riga against its peers in the same run (PGN=file for your own games)
	$(CARGO) bench --locked -p riga-chess --bench perft
	PGN="$(abspath $(PGN))" $(CARGO) bench --locked -p riga-game --bench pgn
	$(CARGO) bench --locked -p riga-nnue --bench kernels
	$(CARGO) bench --locked -p riga --bench engines
	$(CARGO) bench --locked -p riga --bench server

soak: setup postgres ## Kill the server and the database during GAMES (200) and OUTAGE_GAMES (20) games, send garbage for MINUTES (5), and do JOBS (1000) with bad workers
	RIGA_SOAK_GAMES=$(GAMES) RIGA_SOAK_KILLS=$(KILLS) RIGA_SOAK_SECONDS=$$(($(MINUTES) * 60)) \
	RIGA_SOAK_OUTAGE_GAMES=$(OUTAGE_GAMES) RIGA_SOAK_JOBS=$(JOBS) \
	  $(CARGO) test --locked -p riga --test crash --test outage --test chaos --test workers -- --nocapture --test-threads 1

web: wasm ## Build the board for the browser
	@$(MAKE) --no-print-directory web/dist/index.html

wasm: setup ## Build rules and engine as WebAssembly for the board
	@tools/build-wasm.sh $(CARGO)

# Sources of the web build, whose output is embedded in the binary.
web/dist/index.html: web/node_modules/.package-lock.json $(shell find web/src web/public web/*.ts web/*.js web/index.html 2>/dev/null)
	npm --prefix web run --silent build

web/node_modules/.package-lock.json: web/package-lock.json | node
	npm --prefix web ci --no-audit --no-fund --silent
	@touch $@

types: setup node ## Regenerate the TypeScript types of the server's API
	$(CARGO) build --locked -p riga -p riga-browser --example types --bin riga
	tools/check-types.sh target/debug/riga --write

fuzz: setup cxx ## Fuzz each parser for SECONDS (60), or only TARGETS="fen pgn ..."
	fuzz/run.sh $(SECONDS) $(TARGETS)

miri: setup ## Check the transposition table and the threaded search with Miri (nightly Rust)
	MIRIFLAGS="-Zmiri-disable-isolation" $(CARGO) +nightly miri test -p riga-engine --lib -- search::tt memory pool

neon: setup ## Test the NEON kernels under an ARM emulator
	@command -v qemu-aarch64 >/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update \
	  && apt-get install -y qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross; } \
	  || { echo "An emulator is missing. Type: sudo apt-get install qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross"; exit 1; }
	rustup target add aarch64-unknown-linux-gnu
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu" \
	  $(CARGO) test --locked --target aarch64-unknown-linux-gnu -p riga-nnue --lib

native: setup web ## Build riga with PGO for this machine's CPU only
	CARGO="$(CARGO)" tools/pgo.sh native

pgo: setup web ## Build riga with PGO for x86-64-v2 CPUs (Intel since 2009, AMD since 2011)
	CARGO="$(CARGO)" tools/pgo.sh x86-64-v2

release: setup web ## Build the archive and the Debian package in dist/ (PROFILE=dist/riga-VERSION.profdata to repeat a build)
	CARGO="$(CARGO)" tools/release.sh $(PROFILE)

docs: web/node_modules/.package-lock.json ## Build the documentation as a website in target/site, and check its links
	node tools/docs.mjs target/site

tables: ## Fetch the tablebases that the tests need
	@tools/fetch-tablebases.sh

# Peer engines for the benchmark; missing ones are reported and skipped.
peers:
	@for engine in stockfish ethereal-chess; do \
	  PATH="$$PATH:/usr/games" command -v $$engine >/dev/null \
	    || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get install -y $$engine; } \
	    || echo "$$engine is missing. Type: sudo apt-get install $$engine"; done

# The store is also tested on PostgreSQL; the tests start and stop their own server.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update \
	  && apt-get install -y postgresql; } \
	  || { echo "PostgreSQL is missing. Type: sudo apt-get install postgresql"; exit 1; }

# The terminal board is tested in a terminal.
tmux:
	@command -v tmux >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update && apt-get install -y tmux; } \
	  || { echo "tmux is missing. Type: sudo apt-get install tmux"; exit 1; }

# Node builds the web board.
node:
	@command -v npm >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update && apt-get install -y nodejs npm; } \
	  || { echo "Node is missing. Type: sudo apt-get install nodejs npm"; exit 1; }
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' \
	  || { echo "Node 20.19 or newer is needed, this is $$(node --version). See nodejs.org"; exit 1; }

# The browser tests run in Chromium.
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update && apt-get install -y chromium; } \
	  || { echo "Chromium is missing. Type: sudo apt-get install chromium"; exit 1; }

# What depends on the browser most is tested in Firefox too.
firefox:
	@command -v firefox-esr >/dev/null || command -v firefox >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update && apt-get install -y firefox-esr; } \
	  || { echo "Firefox is missing. Type: sudo apt-get install firefox-esr"; exit 1; }

# The server's API is tested with a Python tool.
python:
	@python3 -c 'import ensurepip, venv' 2>/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update && apt-get install -y python3 python3-venv; } \
	  || { echo "Python is missing. Type: sudo apt-get install python3 python3-venv"; exit 1; }

# libFuzzer is written in C++.
cxx:
	@command -v c++ >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update && apt-get install -y g++; } \
	  || { echo "A C++ compiler is missing. Type: sudo apt-get install g++"; exit 1; }

# Build requirements: a C compiler (SQLite is compiled from C), and Rust with rustfmt and Clippy.
setup:
	@command -v cc >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update && apt-get install -y gcc libc6-dev; } \
	  || { echo "A C compiler is missing. Type: sudo apt-get install gcc libc6-dev"; exit 1; }
	@command -v $(CARGO) >/dev/null || { \
	  echo "Rust is missing. Install rustup, then type: rustup toolchain install 1.95"; exit 1; }
	@$(CARGO) fmt --version >/dev/null 2>&1 && $(CARGO) clippy --version >/dev/null 2>&1 \
	  || { command -v rustup >/dev/null && rustup component add rustfmt clippy; } \
	  || { echo "rustfmt or Clippy is missing. Type: rustup component add rustfmt clippy"; exit 1; }
