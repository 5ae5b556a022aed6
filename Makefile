# Two commands are all a newcomer needs: `make run` opens the workbench on the demo, `make test` passes the tests.
SHELL := /bin/bash
GO ?= go
comma := ,
OS := $(shell uname -s)
# migrated_fynedo: all our calls go through the UI goroutine, so Fyne may drop its checks (30 to 40 % faster tables).
TAGS := $(if $(filter Linux,$(OS)),x11$(comma))migrated_fynedo
WINDOW := build/coverslip
HEADLESS := build/coverslip-headless

.PHONY: run test build headless bench smoke race fuzz clean

run: build
	@.ci/run-demo $(WINDOW)

build:
	@.ci/packages build
	@echo "Building the workbench (minutes the first time, seconds after that)"
	@$(GO) build -tags '$(TAGS)' -ldflags '-s -w' -o $(WINDOW) .

headless:
	@CGO_ENABLED=0 $(GO) build -tags headless -ldflags '-s -w' -o $(HEADLESS) .

test:
	@.ci/packages test
	@echo "1/5 format and vet"
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt would change: $$unformatted"; exit 1; fi
	@CGO_ENABLED=0 $(GO) vet -tags headless ./...
	@echo "2/5 tests without a window (no C compiler, no display)"
	@CGO_ENABLED=0 $(GO) test -tags headless ./...
	@echo "3/5 both builds"
	@$(MAKE) --no-print-directory build headless
	@echo "4/5 the real window under Xvfb"
	@$(MAKE) --no-print-directory smoke
	@echo "5/5 data races"
	@$(MAKE) --no-print-directory race

# The window once as users have it, once with Fyne's thread checks: a widget touched off the UI goroutine fails it.
smoke:
	@$(GO) build -tags '$(if $(filter Linux,$(OS)),x11)' -o build/coverslip-checked .
	@COVERSLIP_WINDOW=$(CURDIR)/$(WINDOW) COVERSLIP_CHECKED=$(CURDIR)/build/coverslip-checked CGO_ENABLED=0 \
		$(GO) test -tags headless -count=1 -run TestRealWindow -v .

# TestBrowse measures resident memory, of which the race detector takes most.
# Short leaves out what writes the whole demo.
race:
	@CGO_ENABLED=1 $(GO) test -race -short -skip TestBrowse -tags headless ./datasets/raster/... ./scoring/... ./viewer/render ./viewer/chart ./app/session

bench: build
	@.ci/bench $(WINDOW)

# Each fuzz target for FUZZTIME.
FUZZTIME ?= 30s
fuzz:
	@set -e; for p in $$($(GO) list -tags headless ./...); do \
		for f in $$($(GO) test -tags headless -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
			echo "$$p $$f"; $(GO) test -tags headless -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$p; done; done

clean:
	@rm -rf build
