// Package truth compares what reverse-spec says about public code with what the
// languages' own tools say about it: go/types, TypeScript's checker, and apidiff
// for what broke between two releases. (Python's ast needs nothing but python3,
// so that comparison is among the tests of package lang.)
//
// Calls are compared by the tests of package link; what the tools say of them is
// printed by cmd/gocalls, tscalls.mjs and pycalls.py. `make accuracy` runs those.
//
// Every diagram of the specs of public code (scripts/specs.sh) is given to Mermaid's own
// parser. The other lines of these specs are held to the code by the tests TestPublicSpecs…
// of package spec, which ask section.mjs for what TypeScript's compiler says.
//
// It is a module of its own, outside `go test ./...`: it needs the network once,
// node and npm, and passes over what is missing. `make truth` runs it.
package truth
