# `make run` and `make test` do all set-up themselves. `make help` lists the rest.

CARGO ?= cargo
# Seconds for each fuzz target, and which targets (all if empty).
SECONDS ?= 60
TARGETS ?=
# Arguments for riga, and a file of games for `make bench` to read instead of random ones.
ARGS ?=
PGN ?=
# Requests for each operation of the server's interface.
EXAMPLES ?= 20
# How much `make soak` asks of the server.
GAMES ?= 200
KILLS ?= 20
MINUTES ?= 5

.PHONY: help run test web bench soak types fuzz miri neon native pgo setup peers cxx tables postgres node chromium python

help: ## Show this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

run: setup web ## Build everything and open the board (ARGS="perft 6" for a command)
	$(CARGO) build --release --locked -p riga
	target/release/riga $(ARGS)

test: setup web tables postgres chromium python ## Run every check: format, lints, tests, documentation, browser
	$(CARGO) fmt --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) test --workspace --locked
	tools/check-bench.sh $(CARGO) run --quiet --locked -p riga -- bench
	tools/check-training.sh target/debug/riga
	tools/check-types.sh target/debug/riga
	npm --prefix web run --silent check
	npm --prefix web run --silent lint
	npm --prefix web run --silent unit
	CHROMIUM="$$(command -v chromium || command -v chromium-browser || command -v google-chrome)" \
	  npm --prefix web run --silent browser
	tools/check-api.sh target/debug/riga $(EXAMPLES)
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --quiet

bench: setup peers ## Time riga against its peers in the same run (PGN=file for own games)
	$(CARGO) bench --locked -p riga-chess --bench perft
	PGN="$(abspath $(PGN))" $(CARGO) bench --locked -p riga-game --bench pgn
	$(CARGO) bench --locked -p riga-nnue --bench kernels
	$(CARGO) bench --locked -p riga --bench engines
	$(CARGO) bench --locked -p riga --bench server

soak: setup postgres ## Kill the server in GAMES (200) games on both databases, and babble at it for MINUTES (5)
	RIGA_SOAK_GAMES=$(GAMES) RIGA_SOAK_KILLS=$(KILLS) RIGA_SOAK_SECONDS=$$(($(MINUTES) * 60)) \
	  $(CARGO) test --locked -p riga --test crash --test chaos -- --nocapture --test-threads 1

web: web/dist/index.html ## Build the board for the browser

# Files of the board that a build depends on; what it writes is embedded in the binary.
web/dist/index.html: web/node_modules/.package-lock.json $(shell find web/src web/public web/*.ts web/*.js web/index.html 2>/dev/null)
	npm --prefix web run --silent build

web/node_modules/.package-lock.json: web/package-lock.json | node
	npm --prefix web ci --no-audit --no-fund --silent
	@touch $@

types: setup node ## Write the TypeScript types of the server's interface anew
	$(CARGO) build --locked -p riga
	tools/check-types.sh target/debug/riga --write

fuzz: setup cxx ## Fuzz each parser for SECONDS (60), or only TARGETS="fen pgn ..."
	fuzz/run.sh $(SECONDS) $(TARGETS)

miri: setup ## Check memory and threads of the shared table and the search with Miri (nightly Rust)
	MIRIFLAGS="-Zmiri-disable-isolation" $(CARGO) +nightly miri test -p riga-engine --lib -- search::tt memory pool

neon: setup ## Test the network's arithmetic for ARM processors under an emulator
	@command -v qemu-aarch64 >/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update \
	  && apt-get install -y qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross; } \
	  || { echo "An emulator is missing. Type: sudo apt-get install qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross"; exit 1; }
	rustup target add aarch64-unknown-linux-gnu
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu" \
	  $(CARGO) test --locked --target aarch64-unknown-linux-gnu -p riga-nnue --lib

native: setup web ## Build riga for this machine's processor only, guided by a profile
	CARGO="$(CARGO)" tools/pgo.sh native

pgo: setup web ## Build riga for any x86-64 processor since 2009, guided by a profile
	CARGO="$(CARGO)" tools/pgo.sh x86-64-v2

tables: ## Fetch the endgame tables that tests need
	@tools/fetch-tablebases.sh

# The engines that the search is timed against; what is missing is said and left out.
peers:
	@for engine in stockfish ethereal-chess; do \
	  PATH="$$PATH:/usr/games" command -v $$engine >/dev/null \
	    || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get install -y $$engine; } \
	    || echo "$$engine is missing. Type: sudo apt-get install $$engine"; done

# The store is tested on PostgreSQL too; tests start a server of their own and stop it.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update \
	  && apt-get install -y postgresql; } \
	  || { echo "PostgreSQL is missing. Type: sudo apt-get install postgresql"; exit 1; }

# The board in the browser is built by Node.
node:
	@command -v npm >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update && apt-get install -y nodejs npm; } \
	  || { echo "Node is missing. Type: sudo apt-get install nodejs npm"; exit 1; }
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' \
	  || { echo "Node 20.19 or newer is needed, this is $$(node --version). See nodejs.org"; exit 1; }

# The browser that the board is tested in.
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update && apt-get install -y chromium; } \
	  || { echo "Chromium is missing. Type: sudo apt-get install chromium"; exit 1; }

# The server is tested by a tool of Python's.
python:
	@python3 -c 'import ensurepip, venv' 2>/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update && apt-get install -y python3 python3-venv; } \
	  || { echo "Python is missing. Type: sudo apt-get install python3 python3-venv"; exit 1; }

# libFuzzer is written in C++.
cxx:
	@command -v c++ >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update && apt-get install -y g++; } \
	  || { echo "A C++ compiler is missing. Type: sudo apt-get install g++"; exit 1; }

# What the build needs from the system: a C linker, and Rust with its formatter and linter.
setup:
	@command -v cc >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update && apt-get install -y gcc libc6-dev; } \
	  || { echo "A C linker is missing. Type: sudo apt-get install gcc libc6-dev"; exit 1; }
	@command -v $(CARGO) >/dev/null || { \
	  echo "Rust is missing. Install rustup, then type: rustup toolchain install 1.95"; exit 1; }
	@$(CARGO) fmt --version >/dev/null 2>&1 && $(CARGO) clippy --version >/dev/null 2>&1 \
	  || { command -v rustup >/dev/null && rustup component add rustfmt clippy; } \
	  || { echo "Formatter or linter is missing. Type: rustup component add rustfmt clippy"; exit 1; }
