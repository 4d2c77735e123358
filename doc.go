// Package reversespec holds the version of reverse-spec and the files of its plugin.
//
// reverse-spec reads a code base and writes specs that stay true. These are the packages
// that a source file passes through:
//
//   - internal/code is the model of a parsed file, which all other packages read.
//   - internal/lang parses source text; internal/lang/syntax wraps tree-sitter.
//   - internal/project lists, reads and writes the files of one project, confined to its
//     root; internal/project/source reads them as parsed files.
//   - internal/evidence finds what code and tests show about behaviour.
//   - spec writes a spec and reads it back; spec/model prepares a module for a language model.
//   - drift compares a spec with the current code.
//   - internal/batch writes the specs of a whole project, dependencies first.
//   - internal/codegraph stores and queries the graph of a project's symbols.
//   - mcp serves all of these to coding agents, cmd/reverse-spec to people.
//
// ARCHITECTURE.md explains the structure and lists which package may import which.
package reversespec
