// Package truth compares the results of reverse-spec on public code with those of the
// languages' own tools: go/types, TypeScript's checker, and apidiff for breaking changes
// between two releases. (Python's ast needs only python3, so that comparison is among the
// tests of package lang.)
//
// Calls are compared by the tests of package resolve with the output of cmd/gocalls,
// tscalls.mjs, pycalls.py and their like for other languages; `make accuracy` runs those.
//
// Every diagram in the specs of public code (scripts/specs.sh) is parsed by Mermaid itself.
// Other lines of these specs are checked by the tests TestPublicSpecs… of package spec, which
// call section.mjs for the TypeScript compiler's view.
//
// The package is a module of its own, outside `go test ./...`: it needs the network once, node
// and npm, and skips comparisons if something is missing. `make truth` runs it.
package truth
