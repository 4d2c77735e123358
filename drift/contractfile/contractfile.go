// Package contractfile compares contracts that are files and not code: OpenAPI documents, protocol buffers, schemas of
// GraphQL and JSON Schema, and the tables that migrations make. Each [Change] says whom it breaks and why.
//
// A kind of contract is a line in the table of kinds and a file of its own. Most kinds read a file into a tree of named
// elements with properties (see node), and have a table of what the change of a property means.
package contractfile

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Effect is what a change does to an element of a contract.
type Effect string

// Effects.
const (
	Added   Effect = "addition"
	Removed Effect = "removal"
	Altered Effect = "modification"
)

// Change is one difference between two versions of a contract.
type Change struct {
	Rule     string // "protobuf-field-removed"
	Effect   Effect
	Symbol   string       // what changed, as users name it: "GET /pets", "pets.v1.Pet.name"
	Words    message.Text // what happened
	Breaks   message.Text // whom it breaks and why; empty if it breaks nobody
	Risky    bool         // breaks nobody for certain, and may surprise users
	Old, New string
	File     string
	Line     int  // from 1
	Gone     bool // the place is in the former version
}

// Failure is a file that could not be compared.
type Failure struct {
	File string
	Err  error
}

// Side is one version of a project.
type Side struct {
	Read  func(name string) ([]byte, error) // of paths relative to the project
	Files []string                          // the candidates of the version: those that [Wanted] accepts
}

// kind is a kind of contract.
type kind struct {
	name       string
	extensions []string
	// is reports whether a text of one of the extensions is of the kind.
	is func(name string, text []byte) bool
	// compare compares the files of the kind that changed.
	compare func(c *comparison)
}

// kinds is the table. The first kind that a text is of decides.
func kinds() []kind {
	data := []string{".json", ".yaml", ".yml"}
	return []kind{
		{"protobuf", []string{".proto"}, nil, compareProtobuf},
		{"graphql", []string{".graphql", ".graphqls", ".gql"}, isGraphQL, compareGraphQL},
		{"openapi", data, isOpenAPI, compareOpenAPI},
		{"jsonschema", data, isJSONSchema, compareJSONSchema},
		{"database", []string{".sql", ".prisma"}, nil, compareDatabase},
	}
}

// Wanted reports whether a file may be a contract, by its name.
func Wanted(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return slices.ContainsFunc(kinds(), func(k kind) bool { return slices.Contains(k.extensions, ext) })
}

// comparison is the comparison of the changed files of one kind.
type comparison struct {
	old, now Side
	changed  []string
	changes  []Change
	failures []Failure
}

// Compare compares the contracts among the files that changed. Changes are in the order of their places.
func Compare(ctx context.Context, old, now Side, changed []string) ([]Change, []Failure) {
	files := map[string][]string{}
	for _, name := range changed {
		if k := kindOf(old, now, name); k != "" {
			files[k] = append(files[k], name)
			continue
		}
		files["openapi"] = append(files["openapi"], referring(now, name)...)
	}
	var changes []Change
	var failures []Failure
	for _, k := range kinds() {
		if len(files[k.name]) == 0 || ctx.Err() != nil {
			continue
		}
		slices.Sort(files[k.name])
		c := &comparison{old: old, now: now, changed: slices.Compact(files[k.name])}
		c.run(k)
		changes = append(changes, c.changes...)
		failures = append(failures, c.failures...)
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	return changes, failures
}

// run compares the files. A library that panics on a file is a failure to read all of them.
func (c *comparison) run(k kind) {
	defer func() {
		if r := recover(); r != nil {
			for _, name := range c.changed {
				c.fail(name, message.Errorf("the parser failed: %v", r))
			}
		}
	}()
	k.compare(c)
}

// kindOf returns the kind of a file on either side; "" if it is not a contract.
func kindOf(old, now Side, name string) string {
	ext := strings.ToLower(path.Ext(name))
	var texts [][]byte
	for _, k := range kinds() {
		if !slices.Contains(k.extensions, ext) {
			continue
		}
		if k.is == nil {
			return k.name
		}
		if texts == nil {
			texts = [][]byte{read(now, name), read(old, name)}
		}
		for _, text := range texts {
			if text != nil && k.is(name, text) {
				return k.name
			}
		}
	}
	return ""
}

// read returns the text of a file; nil if the side does not have it.
func read(s Side, name string) []byte {
	text, err := s.Read(name)
	if err != nil {
		return nil
	}
	return text
}

func (c *comparison) fail(name string, err error) {
	c.failures = append(c.failures, Failure{name, err})
}

// referring returns the documents of OpenAPI in the folder of a file and in those around it that name the file.
func referring(s Side, name string) []string {
	if !slices.Contains([]string{".json", ".yaml", ".yml"}, strings.ToLower(path.Ext(name))) {
		return nil
	}
	var out []string
	for _, file := range s.Files {
		if dir := path.Dir(file); file == name || dir != "." && !strings.HasPrefix(name, dir+"/") {
			continue
		}
		if text := read(s, file); text != nil && bytes.Contains(text, []byte(path.Base(name))) && kindOf(s, s, file) == "openapi" {
			out = append(out, file)
		}
	}
	return out
}
