# `make` lists the targets.
tool = go tool -modfile=scripts/tools/go.mod
# golangci-lint opens the sources of cgo where Go's cache says they are, and with -trimpath the
# cache serves every clone what the first one left, which may be gone. A flag tells clones apart.
golangci = CGO_CPPFLAGS=-DCLONE=$(firstword $(shell pwd | cksum)) go tool -modfile=$(CURDIR)/scripts/tools/go.mod golangci-lint
FUZZTIME ?= 30s

.DEFAULT_GOAL := help
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*## .*/\1/p' Makefile)

corpora_cache = $(or $(CORPORA_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/reverse-spec/corpora)
corpora_env = REVERSE_SPEC_CORPORA=$(corpora_cache)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-12s %s\n", $$1, $$2}' Makefile

demo: build ## write specs for real code, change it, and show the drift
	@scripts/demo.sh

build: ## build the program into native/, where bin/reverse-spec finds it
	CGO_ENABLED=1 go build -trimpath -ldflags '-s -w' -o "native/$$(go env GOOS)-$$(go env GOARCH)/" ./cmd/reverse-spec

test: ## run every test
	go test -timeout 20m ./...

check: fmt-check vet lint layers test ## what must hold before a commit; CI runs this and more

fmt-check: ## say which files gofumpt would change
	@files=$$($(tool) gofumpt -l .) && if [ -n "$$files" ]; then echo "gofumpt would change:"; echo "$$files"; exit 1; fi

vet: ## go vet
	go vet ./...
	go vet -tags conformance ./mcp/... ./test/conformance
	go vet -tags manuals ./cmd/reverse-spec

lint: deadcode ## golangci-lint, functions that nothing reaches, and the words of comments
	go test -run '^Test(CommentsUseTheFieldsWords|SilencedLintersRun)$$' .
	$(golangci) run
	$(golangci) run --build-tags conformance ./mcp/... ./test/conformance
	cd test/truth && $(golangci) run -c ../../.golangci.yml

deadcode: ## name functions that no program of ours reaches
	@scripts/deadcode.sh

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

attack: build ## attack the program as a hostile repository, client or model would; SEED repeats a run
	go run ./test/attack -program "native/$$(go env GOOS)-$$(go env GOARCH)/reverse-spec" $(if $(SEED),-seed $(SEED)) -write docs/security.md

truth: build ## compare with what compilers say about the same code; ask the real CKB; have MCP's own tools ask our server
	@scripts/truth.sh
	@$(MAKE) --no-print-directory ckb
	@scripts/inspector.sh
	@scripts/conformance.sh

ckb: ## fetch the real CKB, and run with it what it deepens, and the contracts' own tests in both orders
	@scripts/ckb.sh

plugin: build ## use the plugin through real clients, with a scripted model
	@scripts/plugin.sh

pictures: build ## draw the pictures of the README and of the reviews
	@scripts/review-picture.sh
	@scripts/pictures.sh

contracts: build ## write specs for public code, and run their contract tests
	@scripts/contracts.sh

mutants: build ## put mistakes into exported functions, and count those that contract tests find
	@scripts/mutants.sh

environments: ## run real test tools where they cannot run their tests, and print what verify says; some need root, to mount
	REVERSE_SPEC_ENVIRONMENTS=all go test -count=1 -timeout 60m -v -run '^TestReal(Environments|ToolsMeasureCoverage)$$' ./internal/contracttest

accuracy: ## compare the calls and the types in public code with what compilers say
	@scripts/accuracy.sh

unused: build ## compare the functions that we call unused in public code with those that deadcode finds, and with labels
	@scripts/unused.sh
	@scripts/unused-labels.sh

services: ## compare what we find of public web services with labels in test/services
	@scripts/services.sh

services-run: ## start public web services, and compare the statuses that they answer with what we find in their code
	@scripts/services-run.sh

specs: build ## write the specs of public modules in eight languages and more, and measure them; COPY=1 renews docs/samples
	@scripts/samples.sh

formats: build ## write specs of public code in OpenSpec's form, and have the real OpenSpec validate, read and archive them
	@scripts/formats.sh

drift: build ## compare breaking changes between releases with apidiff, tsc and clients of Java; count the items of noise; then other tools' cases
	@scripts/drift.sh; failed=$$?; scripts/drift-cases.sh && exit $$failed

adopt: build ## adopt hand-written specs of public projects; compare the links with labels, and change the code
	@scripts/adopt.sh

untrue: build ## change public code that has specs, and count the changes of which diff names the statement
	@scripts/untrue.sh

noticed: ## put mistakes into public modules; compare what verify and their whole test suites notice, and the time
	@scripts/noticed.sh

guards: ## compare exits and their path conditions in public code with labels made by reading
	@scripts/guards.sh

commands: ## compare flags of public programs with what these say with --help
	@scripts/commands.sh

reach: ## compare the tests that reach modules of public code with their coverage
	@scripts/reach.sh

retrieval: ## ask public code questions whose answers are known
	@scripts/retrieval.sh

tokens: build ## count the tokens of tools' definitions, of answers, and until the right function appears; next to ripgrep, CodeGraph and OpenLore
	@scripts/tokens.sh

peers: build ## index, change and ask public code with this program and with CodeGraph from npm; fail where it takes more than a fifth
	@scripts/peers.sh

secrets: ## plant secrets of others' making under names of public code, and count those found; count false alarms
	@scripts/secrets.sh

rules: ## renew the rules of gitleaks in internal/redact/rules; VERSION=v8.x.y takes another version
	@scripts/rules.sh $(VERSION)

weights: ## learn how much the signals of the search count, from questions about public code, and print it
	@scripts/retrieval.sh --learn

described: ## learn which words names use for those of documentation, and their vectors; the search reads them
	@scripts/described.sh

grammars: ## copy the parsers and the parser library of scripts/copied/module.txt into internal/lang/syntax
	go run ./scripts/grammars

licences: ## renew THIRD_PARTY_LICENSES.md, the licences of what is linked into the program
	go run ./scripts/licences >THIRD_PARTY_LICENSES.md.new && mv THIRD_PARTY_LICENSES.md.new THIRD_PARTY_LICENSES.md

site: ## build docs into static pages with a search, in native/site
	go run ./scripts/site native/site

snapshot: ## build every file of a release, for all six systems or for TARGETS (linux_amd64 ...), into dist/
	@scripts/release/build.sh --snapshot $(TARGETS)

endure: ## index through 300 random sequences of edits and 200 kills; kill 20 batches; lose 1,000 MCP servers
	REVERSE_SPEC_SEQUENCES=100 REVERSE_SPEC_KILLS=200 go test -count=1 -timeout 0 -run 'TestIncremental|TestKilled' ./internal/codegraph/index
	REVERSE_SPEC_BATCH_KILLS=20 go test -count=1 -v -run TestKilledBatchLosesNothing ./cmd/reverse-spec
	KILLS=200 go test -count=1 -run TestKilledAtAnyMoment ./internal/codegraph/sqlite
	KILLS=200 go test -count=1 -timeout 0 -run TestKilled ./internal/codegraph/postgres
	REVERSE_SPEC_ROUNDS=1000 go test -count=1 -timeout 0 -run TestRoundsOfDyingLeakNothing ./internal/mcpclient

soak: ## edit a small project, or a copy of TREE, for MINUTES (5) while a server is asked; print its memory, compare with a new index
	REVERSE_SPEC_SOAK=$(or $(MINUTES),5) REVERSE_SPEC_SOAK_TREE=$(TREE) go test -count=1 -timeout 0 -v -run '^TestServerAnswersAsANewIndex$$' ./cmd/reverse-spec

oracles: ## fetch what tests compare with and the repository does not hold: the openCypher TCK
	@scripts/oracles.sh

corpora: ## fetch public code in every language, and compare its symbols with ctags'
	@scripts/corpora.sh
	$(corpora_env) go test -count=1 -v -timeout 60m -run '^TestSymbolsNextToCtags$$' ./internal/lang

mutate: ## read public code with mistakes put in, for FUZZTIME a language
	@scripts/corpora.sh
	$(corpora_env) REVERSE_SPEC_MUTATE=$(FUZZTIME) go test -count=1 -v -timeout 0 -run '^TestMutatedFiles$$' ./internal/lang
