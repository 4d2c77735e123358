// Package reversespec is the tour of reverse-spec, and the home of its version.
//
// reverse-spec reads a code base and writes specs that stay true. The way of a
// source file through the packages:
//
//   - code is the model: what a parser finds in a file. Everything else reads it.
//   - lang turns source text into code, one language a file; lang/syntax is the
//     parser beneath the languages that are not Go.
//   - workspace lists, reads and writes the files of one project, confined to it.
//   - source joins the two: a project's files, parsed.
//   - graph links parsed files by their imports and puts modules in order.
//   - spec prepares a context, writes a spec, and reads it back.
//   - drift finds what the code did since its spec was written.
//   - batch writes the specs of a whole project, dependencies first.
//   - mcp serves these four to coding agents; cmd/reverse-spec to people.
//   - progress is how long work says where it stands.
//
// ARCHITECTURE.md tells why it is cut so, and which package may import which.
package reversespec
