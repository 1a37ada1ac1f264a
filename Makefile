# For OpenBench: `make EXE=name [EVALFILE=path]` leaves the binary beside this file.
# Everyone else wants `cargo build --release`.

EXE ?= enroc
ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
TARGET = $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)

# The build script embeds this net in place of the one in nets/.
ifdef EVALFILE
  export EVALFILE := $(abspath $(EVALFILE))
endif

# What the program has: the engine with tablebases, without candle and the laboratory, which take most of the time of a
# build. A net of another kind than the MLP needs FEATURES=lab,syzygy.
FEATURES ?= play,syzygy

# This machine's instructions; a directory of its own, so that the ordinary build stays as it is.
openbench: export RUSTFLAGS := -C target-cpu=native
openbench:
	cargo build --release --locked --no-default-features --features $(FEATURES) --bin enroc --target-dir target/native
	cp target/native/release/enroc$(SUFFIX) "$(TARGET)"

clean:
	rm -rf target/native

.PHONY: openbench clean
.DEFAULT_GOAL := openbench
