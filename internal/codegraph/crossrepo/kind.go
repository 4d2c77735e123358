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

// Contract is a file that defines an interface for other repositories.
type Contract struct {
	Path    string   `json:"path"` // relative to the repository
	Type    string   `json:"type"` // the name of its [kind]
	Symbols []Symbol `json:"symbols"`
}

// Symbol is a declaration in a contract.
type Symbol struct {
	Name      string `json:"name"` // "shop.v1.Orders.Create", "getOrder", "Query.order"
	Kind      string `json:"kind"` // "service", "rpc", "message", "get", "post", "field", "type", ...
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Signature string `json:"signature"`

	of     string   // its parent: the service of a method, the type of a field; the path of an operation
	params []string // the names of required parameters; for a method, its request message
	result string   // result type
	base   string   // optional prefix of an operation's path: "/api/v1"
}

// contractSymbol is a symbol with its contract.
type contractSymbol struct {
	*Symbol
	repo     *repository
	contract *Contract
}

// use is a place in a file that uses a symbol of a contract.
type use struct {
	of                *contractSymbol
	line              int
	typ               store.VirtualType
	rule              string
	exact, similarity float64
	at                string // the text or name at the place
	weak              bool   // it may be a coincidence: see [federation.coincidence]
}

// matcher finds the uses of a set of symbols in a file.
type matcher func(v *view) []use

// kind is a kind of contract.
type kind struct {
	name string
	// strict is how strongly a contract of the kind binds both sides, from 0 to 1; see Confidence.
	strict float64

	// For contract files:
	patterns  []string // .gitignore patterns of their paths
	documents []string // patterns of documents, other than code, that use them
	read      func(data []byte) ([]Symbol, error)
	matcher   func(symbols []*contractSymbol) matcher
	// sited is set if the place of a use alone says what it is of, so that it may fit several contracts; roles if the code tells what a
	// repository has to do with a contract, see [role].
	sited, roles bool
	// The names under which uses of a symbol are found, and those that a file may use; see names.go.
	provides func(s *Symbol) []string
	wants    func(v *view, add func(name string))

	// For code: reports whether a file of a language is of the kind.
	code func(file, language string) bool
}

// kinds returns the kinds of contracts. A file belongs to the first kind that accepts it.
func kinds() []kind {
	return []kind{
		{
			name: "proto", strict: 1, roles: true, patterns: []string{"*.proto"},
			read: readProto, matcher: protoMatcher, provides: protoProvides, wants: protoWants,
		},
		{
			name: "openapi", strict: 0.5, sited: true, patterns: openAPIPatterns(),
			read: readOpenAPI, matcher: openAPIMatcher, provides: openAPIProvides, wants: openAPIWants,
		},
		{
			name: "graphql", strict: 0.8, sited: true, patterns: []string{"*.graphql", "*.graphqls", "*.gql"}, documents: []string{"*.graphql", "*.gql"},
			read: readGraphQL, matcher: graphQLMatcher, provides: graphQLProvides, wants: graphQLWants,
		},
		{name: "typescript", strict: 0.5, code: func(file, _ string) bool { return isDeclaration(file) }},
		{name: "go", strict: 0.5, code: inLanguages("go")},
		{name: "npm", strict: 0.5, code: inLanguages("typescript", "javascript")},
		{name: "python", strict: 0.5, code: inLanguages("python")},
		{name: "java", strict: 0.5, code: inLanguages("java", "kotlin", "scala")},
	}
}

// inLanguages returns a predicate for files in any of the languages.
func inLanguages(languages ...string) func(file, language string) bool {
	return func(_, language string) bool { return slices.Contains(languages, language) }
}

// isDeclaration reports whether a file is a TypeScript declaration file.
func isDeclaration(file string) bool {
	for _, end := range []string{".d.ts", ".d.mts", ".d.cts"} {
		if strings.HasSuffix(file, end) {
			return true
		}
	}
	return false
}

// matches reports whether a path matches any of the patterns.
func matches(file string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(line string) bool {
		p, ok := project.ParsePattern("", line)
		return ok && p.Match(file, false)
	})
}

// The weights of the parts of a confidence, and the thresholds of its levels.
const (
	exactWeight      = 0.6
	similarityWeight = 0.3
	bonusWeight      = 0.1

	// Threshold is the minimum confidence of an edge.
	Threshold   = 0.5
	mediumLevel = 0.65
	highLevel   = 0.8
)

// Confidence combines the parts of a confidence, each in [0, 1]:
//
//   - exact: the certainty that the name means this symbol. 1 for an equal name with
//     further evidence (a generated client, a path of several segments); for code, the
//     precision of the rule; 0.7 if part of the evidence is missing, 0.4 if only the
//     name is similar.
//   - similarity: how well the arguments fit the declaration: 1 if they do, or there
//     are none, 0 if they do not, 0.5 if unknown.
//   - bonus: how strongly the contract binds both sides: 1 if the source's manifest
//     requires the target's package, or both compile the schema; less for documents
//     that only people read.
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

// Values of exact.
const (
	exactName  = 1
	prefixName = 0.7
	fuzzyName  = 0.4
)

// Values of similarity.
const (
	fits    = 1
	unknown = 0.5
	unfit   = 0
)

// normalizeName normalises case and word separators of a name.
func normalizeName(name string) string {
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

// lastPart returns the part of a name after the last dot.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// place returns the path of a node.
func place(n codegraph.Node) string {
	if n.Path == "" {
		return "."
	}
	return path.Clean(n.Path)
}
