# `make` lists the targets.
tool = go tool -modfile=tools/go.mod
FUZZTIME ?= 30s

.DEFAULT_GOAL := help
.PHONY: help demo build test check fmt-check vet lint layers race fmt update bench fuzz truth

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-10s %s\n", $$1, $$2}' Makefile

demo: build ## write specs for real code, change it, and show the drift
	@scripts/demo.sh

build: ## build bin/reverse-spec
	CGO_ENABLED=1 go build -trimpath -ldflags '-s -w' -o bin/reverse-spec ./cmd/reverse-spec

test: ## run every test
	go test ./...

check: fmt-check vet lint layers test ## what must hold before a commit; CI runs this and more

fmt-check: ## say which files gofumpt would change
	@files=$$($(tool) gofumpt -l .) && if [ -n "$$files" ]; then echo "gofumpt would change:"; echo "$$files"; exit 1; fi

vet: ## go vet
	go vet ./...

lint: ## golangci-lint
	$(tool) golangci-lint run
	cd truth && go tool -modfile=../tools/go.mod golangci-lint run -c ../.golangci.yml

layers: ## hold every import to the block in ARCHITECTURE.md
	go test -run '^TestLayers$$' .

race: ## run every test under the race detector
	go test -race ./...

fmt: ## format
	$(tool) gofumpt -w .

update: ## rewrite golden files; read the diff before you commit it
	UPDATE=1 go test ./...

bench: ## run the benchmarks; compare with bench.txt where there is one
	@scripts/bench.sh

fuzz: ## run each fuzz target for FUZZTIME (30s)
	@scripts/fuzz.sh $(FUZZTIME)

truth: build ## compare with what compilers say about the same code
	@scripts/truth.sh
