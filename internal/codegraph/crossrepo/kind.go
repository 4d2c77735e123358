package crossrepo

import (
	"math"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Contract is a file in which a repository says what others may use.
type Contract struct {
	Path    string   `json:"path"` // relative to the repository
	Type    string   `json:"type"` // the name of its kind
	Symbols []Symbol `json:"symbols"`
}

// Symbol is one thing in a contract.
type Symbol struct {
	Name      string `json:"name"` // "shop.v1.Orders.Create", "getOrder", "Query.order"
	Kind      string `json:"kind"` // "service", "rpc", "message", "get", "post", "field", "type", ...
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Signature string `json:"signature"`

	of     string   // what it is part of: the service of a method, the type of a field; the path of an operation
	params []string // the names of its parameters that must be given; of a method the message it takes
	result string   // the type of what it gives
	base   string   // what the path of an operation may stand behind: "/api/v1"
}

// owned is a symbol with the contract it is in.
type owned struct {
	*Symbol
	repo *repository
	file string
}

// use is a place in a file that uses a symbol of a contract.
type use struct {
	of                *owned
	line              int
	typ               store.VirtualType
	rule              string
	exact, similarity float64
}

// matcher finds the uses of some symbols in a file.
type matcher func(v *view) []use

// kind is a kind of contract.
type kind struct {
	name string
	// strict is how much a contract of the kind binds both sides, from 0 to 1; see
	// Confidence.
	strict float64

	// Of contracts that are files of their own:
	patterns  []string // of the files, as in .gitignore
	documents []string // of other files that are no code and use it
	read      func(data []byte) ([]Symbol, error)
	matcher   func(symbols []*owned) matcher

	// Of contracts that are code: reports whether a file of a language is of the kind.
	code func(file, language string) bool
}

// kinds are the kinds of contracts. The first that takes a file has it.
func kinds() []kind {
	return []kind{
		{name: "proto", strict: 1, patterns: []string{"*.proto"}, read: readProto, matcher: protoMatcher},
		{name: "openapi", strict: 0.5, patterns: openAPIPatterns(), read: readOpenAPI, matcher: openAPIMatcher},
		{
			name: "graphql", strict: 0.8, patterns: []string{"*.graphql", "*.graphqls", "*.gql"}, documents: []string{"*.graphql", "*.gql"},
			read: readGraphQL, matcher: graphQLMatcher,
		},
		{name: "typescript", strict: 0.5, code: func(file, _ string) bool { return isDeclaration(file) }},
		{name: "go", strict: 0.5, code: written("go")},
		{name: "npm", strict: 0.5, code: written("typescript", "javascript")},
		{name: "python", strict: 0.5, code: written("python")},
		{name: "java", strict: 0.5, code: written("java", "kotlin", "scala")},
	}
}

// written tells files of some languages.
func written(languages ...string) func(file, language string) bool {
	return func(_, language string) bool { return slices.Contains(languages, language) }
}

// isDeclaration tells a file of TypeScript that only declares.
func isDeclaration(file string) bool {
	for _, end := range []string{".d.ts", ".d.mts", ".d.cts"} {
		if strings.HasSuffix(file, end) {
			return true
		}
	}
	return false
}

// matches reports whether a path matches one of some patterns.
func matches(file string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(line string) bool {
		p, ok := project.ParsePattern("", line)
		return ok && p.Match(file, false)
	})
}

// The weights of the parts of a confidence, and from where on it is what.
const (
	exactWeight      = 0.6
	similarityWeight = 0.3
	bonusWeight      = 0.1

	// Threshold is the least confidence of an edge that is kept.
	Threshold   = 0.5
	mediumLevel = 0.65
	highLevel   = 0.8
)

// Confidence joins the parts of a confidence, each in [0, 1]:
//
//   - exact: how sure it is that this name is meant. 1 for the name itself where
//     something else than the name says so, too (a generated client, a path of several
//     segments); for code the share of findings by that rule that are right; 0.7 where
//     part of the evidence is missing, 0.4 where only a name looks alike.
//   - similarity: how well what is passed fits what is declared: 1 where it does, or
//     nothing is passed, 0 where it does not, 0.5 where that cannot be told.
//   - bonus: how much the contract binds the two: 1 where the source's manifest names
//     what the target publishes, and for a schema that both sides are compiled from;
//     less for what only people read.
func Confidence(exact, similarity, bonus float64) (confidence float64, level string) {
	confidence = math.Round((exact*exactWeight+similarity*similarityWeight+bonus*bonusWeight)*1e4) / 1e4
	switch {
	case confidence >= highLevel:
		return confidence, "high"
	case confidence >= mediumLevel:
		return confidence, "medium"
	}
	return confidence, "low"
}

// How much of a name was found.
const (
	exactName  = 1
	prefixName = 0.7
	fuzzyName  = 0.4
)

// How well a use fits.
const (
	fits    = 1
	unknown = 0.5
	unfit   = 0
)

// plainName makes names alike that differ in case and in what joins their words.
func plainName(name string) string {
	if strings.ContainsAny(name, "_-.") {
		name = strings.Map(func(r rune) rune {
			if r == '_' || r == '-' || r == '.' {
				return -1
			}
			return r
		}, name)
	}
	return strings.ToLower(name)
}

// last returns the part of a name behind the last dot.
func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// place returns the repository's file or folder of a node.
func place(n codegraph.Node) string {
	if n.Path == "" {
		return "."
	}
	return path.Clean(n.Path)
}
