# The targets need nothing but Go and, for the servers, apt-get or the
# SOFTDELETE_ variables of internal/testdb.

GO ?= go

# Modules below this one, which ./... leaves out. The S3 server's module has no
# package of its own to test.
NESTED = $(filter-out internal/tools/weed,$(patsubst ./%/go.mod,%,$(shell find . -mindepth 2 -name go.mod -not -path './.git/*')))

.DEFAULT_GOAL := test
.PHONY: test short bench oracle corpus plans lint cover

# Everything, with the race detector, on SQLite, PostgreSQL, MariaDB, Redis and
# an S3 server, which the test bed starts and stops. Nested modules come after.
# One shell, so that the servers are started once.
TEST = $(GO) test -race -shuffle=on -count=1 -timeout 25m ./...
test:
	$(GO) vet ./...
	$(GO) run ./internal/testbed -- sh -ec '\
		$(TEST); \
		for module in $(NESTED); do \
			echo "== $$module"; \
			(cd "$$module" && $(GO) vet ./... && $(TEST)); \
		done'

# All packages without servers: SQLite, the memory stores and the pure code.
# The variables are emptied, so that it means the same on every machine.
short:
	SOFTDELETE_TESTBED= SOFTDELETE_POSTGRES_DSN= SOFTDELETE_MYSQL_DSN= \
	SOFTDELETE_REDIS_ADDR= SOFTDELETE_S3_ENDPOINT= $(GO) test ./...

# Every benchmark, on all servers, and the peers in internal/bench/peers where
# that module is. BENCH narrows the choice, COUNT repeats for benchstat.
BENCH ?= .
COUNT ?= 1
bench:
	$(GO) run ./internal/testbed -- sh -ec '\
		$(GO) test -run="^$$" -bench="$(BENCH)" -benchmem -count=$(COUNT) -p 1 -timeout 60m ./...; \
		if [ -d internal/bench/peers ]; then cd internal/bench/peers; \
			$(GO) test -run="^$$" -bench="$(BENCH)" -benchmem -count=$(COUNT) -timeout 60m ./...; fi'

# N random queries on each database, guarded against the same query where the
# hidden rows do not exist. SEED and CASE replay what a run has printed.
N ?= 100000
SEED ?= 0
CASE ?= -1
oracle:
	$(GO) run ./internal/testbed -- $(GO) test -count=1 -timeout 180m -v -run='^TestOracle$$' \
		./internal/oracle -oracle.n=$(N) -oracle.seed=$(SEED) -oracle.case=$(CASE)

# How each database plans a guarded query and a hand-written one, with ROWS rows,
# and on SQLite how long they take.
ROWS ?= 1000000
plans:
	$(GO) run ./internal/testbed -- $(GO) test -count=1 -timeout 60m -v -run='^TestPlans$$' \
		./internal/plans -plans.rows=$(ROWS)

# Other projects' SQL, read by internal/sqltext and by full parsers: CORPUS is one
# of them (all by default), LIST a kind of findings. It fetches Go modules and,
# as root, Debian source packages into the user's cache.
CORPUS ?=
SHOW ?= 10
LIST ?=
corpus:
	$(GO) run ./internal/testbed -only mariadb -- sh -ec 'cd internal/corpus; \
		$(GO) run . -corpus "$(CORPUS)" -show $(SHOW) -list "$(LIST)"'

# The rules of the repository: formatting, imports, names, documentation.
lint:
	$(GO) vet ./...
	$(GO) test -count=1 ./internal/lint

# The share of statements which the whole suite reaches, per function and in
# total; coverage.out feeds "go tool cover -html".
cover:
	$(GO) run ./internal/testbed -- $(GO) test -count=1 -timeout 25m \
		-coverpkg=./... -coverprofile=coverage.out ./...
	$(GO) tool cover -func=coverage.out
