// Package lock writes and reads the lock of a spec: the code that the spec was written from and
// the claims about it, as text that git can merge. The page of a spec is for people, its lock is
// for programs: diff compares it with the code.
//
// A lock is UTF-8 text, one JSON value per line. The first line is the header. Each entry after
// it is a key, its value and an empty line:
//
//	{"lock":1,"generator":"reverse-spec v2.0","spec":"cart","target":"src/cart"}
//
//	"file src/cart/cart.go"
//	{"hash":"…","tokens":"…","imports":[…],"symbols":["Cart","Cart.Add"],"lines":[3,9,12,20]}
//
//	"symbol Cart.Add"
//	{"of":"Cart","kind":"method","signature":"func (c *Cart) Add(n int) error","body":"…"}
//
// Entries are sorted: the module, its files, symbols and claims, and the tests that its contract tests run; in the lock of a
// spec that a person wrote, its requirements and their links, too. A symbol has an entry of its own,
// and so has each of its members.
//
// What changes with every edit is confined to the entry of its file: digests and line numbers. So
// an edit changes the entries of its file and its symbols, and branches that edit different files
// of a module merge. The key and the empty line separate changes to neighbouring entries, because
// git reports a conflict for changes to adjacent lines. For the same reason the header has
// nothing that an edit changes: the hash of the skeleton follows from the files' hashes.
package lock

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Version is the version of the format. A change that older programs would misread increases it.
const Version = 1

// MaxSize limits the size of locks, in bytes.
const MaxSize = 256 << 20

// Dir is the name of the folder of locks, in the folder of their specs.
const Dir = ".lock"

const extension = ".jsonl"

// Lock is the content of a lock.
type Lock struct {
	Generator string // that of the page
	SpecID    string
	// Skeleton is what the spec was written from. LOC, AnalyzedAt and Calls are not recorded:
	// nothing compares them, and most edits would change them.
	Skeleton code.Skeleton
	// Claims are sorted by symbol. They have no places. Not nil after [Parse].
	Claims []Claim
	// Tests are what the contract tests of the page run, sorted by contract test and file.
	Tests []Tests
	// Unnoticed are the mistakes that no test noticed, sorted by file.
	Unnoticed []Unnoticed
	// Requirements and Links are those of a spec that a person wrote, sorted; other locks have none. The skeleton and the
	// claims are then those of what is linked.
	Requirements []Requirement
	Links        []Link
}

// Unnoticed is what came of single mistakes that were put into a file while its tests ran. It holds as long as the file and
// the tests are the same.
type Unnoticed struct {
	File  string            `json:"-"`
	Of    map[string]string `json:"of"`    // the hashes of the file and of the files of the tests, by path
	Tried int               `json:"tried"` // the mistakes that were put in, without those with which nothing could be run
	List  []Mistake         `json:"list"`  // those that no test noticed
}

// Mistake is one mistake that no test noticed.
type Mistake struct {
	Symbol string   `json:"symbol,omitempty"` // the function that it is in
	Line   int      `json:"line"`
	Was    string   `json:"was"`
	Now    string   `json:"now"`
	Claims []string `json:"claims,omitempty"` // the ids of the claims that it violates
}

// Tests are the tests of a file that a contract test runs.
type Tests struct {
	Contract string `json:"-"` // the id of the contract test
	File     string `json:"-"`
	Tool     string `json:"tool"`              // the name of the tool that runs them
	Home     string `json:"home,omitempty"`    // the folder that it runs in; "" for the project's root
	Reports  string `json:"reports,omitempty"` // the folder where it writes reports by itself; "" for none
	Tests    []Test `json:"tests"`
}

// Test is a test of the code, and the ids of the requirements and scenarios that it shows.
type Test struct {
	Name   string   `json:"name"`
	Covers []string `json:"covers,omitempty"`
}

// Claim is a claim with the requirement that states it.
type Claim struct {
	evidence.Claim
	Requirement string `json:"requirement,omitempty"` // its id; "" for none
	Shown       Shown  `json:"shown,omitempty"`
}

// subject returns what the claim is about: a symbol, or what it names.
func (c *Claim) subject() string {
	if c.Subject == "" {
		return c.Name
	}
	return c.Subject
}

// PathFor returns the path of the lock of a page in a folder of specs: specs/.lock/src/auth.jsonl
// for specs/src/auth.spec.md in specs.
func PathFor(root, page string) string {
	rel := page
	if root = path.Clean(root); root != "." {
		rel = strings.TrimPrefix(page, root+"/")
	}
	return path.Join(root, Dir, strings.TrimSuffix(rel, ".spec.md")+extension)
}

// Page returns the path of the page that a lock belongs to; ok is false if the path is not that
// of a lock. It is the inverse of [PathFor].
func Page(file string) (page string, ok bool) {
	name, ok := strings.CutSuffix("/"+file, extension)
	root, rel, ok2 := strings.Cut(name, "/"+Dir+"/")
	return strings.TrimPrefix(root+"/"+rel+".spec.md", "/"), ok && ok2
}

// Of returns a [*DamagedError] if the lock is that of the spec of another target.
func (l *Lock) Of(target string) error {
	if l.Skeleton.FilePath == target {
		return nil
	}
	return &DamagedError{Line: 1, Target: target, reason: message.New("it is the lock of the spec of %s", l.Skeleton.FilePath)}
}

// header is the first line.
type header struct {
	Lock      int    `json:"lock"` // the version of the format
	Generator string `json:"generator"`
	Spec      string `json:"spec"`
	Target    string `json:"target"`
	Hash      string `json:"hash,omitempty"` // of the skeleton, if it does not follow from the files
}

// Kinds of entries: the first word of their keys.
const (
	moduleKey  = "module"
	fileKey    = "file "
	symbolKey  = "symbol "
	mistakeKey = "unnoticed "
	claimKey   = "claim "
	testsKey   = "tests " // followed by the id of the contract test and the file

	requirementKey = "requirement "
	linkKey        = "link " // followed by the id of the requirement and what it is linked to
)

// moduleLine is the entry of the module.
type moduleLine struct {
	Language string `json:"language,omitempty"`
	Parser   string `json:"parser,omitempty"`
	Doc      string `json:"doc,omitempty"`
	// Order has the symbols of lists whose order does not follow from their files.
	Order map[listName][]string `json:"order,omitempty"`
}

// listName is the list of a skeleton that a symbol is in; "" for the exports.
type listName string

const (
	exports   listName = ""
	internals listName = "internal"
	variants  listName = "variant"
)

// fileLine is the entry of a file: everything with a line number, and digests.
type fileLine struct {
	Hash       string       `json:"hash,omitempty"` // "" if the file has no digest
	Tokens     string       `json:"tokens,omitempty"`
	Comments   string       `json:"comments,omitempty"`
	Imports    string       `json:"importsHash,omitempty"`
	Commas     int          `json:"commas,omitempty"`
	Semicolons int          `json:"semicolons,omitempty"`
	Imported   []importLine `json:"imports,omitempty"`
	Entries    []entryLine  `json:"entries,omitempty"`
	Errors     []errorLine  `json:"errors,omitempty"`
	Symbols    []string     `json:"symbols,omitempty"` // ids, in order
	Lines      []int        `json:"lines,omitempty"`   // the first and last line of each
}

// importLine is a code.Import.
type importLine struct {
	Module    string          `json:"from"`
	Line      int             `json:"line,omitempty"`
	Kind      code.ImportKind `json:"kind,omitempty"` // "" for a static import
	Relative  bool            `json:"relative,omitempty"`
	Resolved  string          `json:"resolved,omitempty"`
	Named     []string        `json:"named,omitempty"`
	Aliases   []string        `json:"aliases,omitempty"`
	Default   string          `json:"default,omitempty"`
	Namespace string          `json:"namespace,omitempty"`
	TypeOnly  bool            `json:"typeOnly,omitempty"`
	Reexport  bool            `json:"reexport,omitempty"`
}

// entryLine is a code.Entry without its file.
type entryLine struct {
	Name string `json:"name,omitempty"`
	Line int    `json:"line"`
}

// errorLine is a code.ParseError without its file.
type errorLine struct {
	Line     int      `json:"line"`
	Column   int      `json:"column,omitempty"`
	Message  string   `json:"message"`
	Affected []string `json:"affected,omitempty"`
}

// claimLine is the entry of a claim.
type claimLine struct {
	Claim
	Order int `json:"n,omitempty"` // among the claims about the same symbol
}

// hashOf returns the hash of a skeleton with the files: that of [code.Merge].
func hashOf(files []code.Digest) string {
	sum := sha256.New()
	for _, f := range files {
		sum.Write([]byte(f.Hash))
	}
	return hex.EncodeToString(sum.Sum(nil))
}
