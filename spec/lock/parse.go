package lock

import (
	"bytes"
	"cmp"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Parse reads a lock. Errors: [ErrForeign], a [*NewerError], a [*DamagedError].
func Parse(text []byte) (*Lock, error) {
	r, err := newReader(text)
	if err != nil {
		return nil, err
	}
	for e := range r.entries() {
		r.add(e)
	}
	l := &Lock{
		Generator: r.head.Generator, SpecID: r.head.Spec, Skeleton: r.skeleton(), Claims: r.sortedClaims(), Tests: r.sortedTests(),
		Unnoticed: r.sortedMistakes(), Requirements: r.sortedRequirements(), Links: r.sortedLinks(),
	}
	if r.damage != nil {
		return nil, r.damage
	}
	return l, nil
}

// HashOf returns the hash of the skeleton in a lock, without reading its symbols and claims. The
// errors are those of [Parse].
func HashOf(text []byte) (string, error) {
	r, err := newReader(text)
	if err != nil {
		return "", err
	}
	for e := range r.entries() {
		if e.key != moduleKey && !strings.HasPrefix(e.key, fileKey) {
			break
		}
		r.add(e)
	}
	s := code.Skeleton{}
	r.addFiles(&s)
	if r.damage != nil {
		return "", r.damage
	}
	return r.hash(&s), nil
}

// reader collects the entries of a lock.
type reader struct {
	text   []byte // after the header
	line   int    // number of lines read
	head   header
	damage error // the first; nil for none

	module  moduleLine
	files   map[string]*fileLine
	symbols map[string]*symbolLine
	claims  map[string]*claimLine
	tests   map[string]*Tests
	unseen  map[string]*Unnoticed
	demands map[string]*Requirement
	links   map[string]*Link
	lines   map[string]int // of the entries of symbols

	members   map[string][]sibling // by the id of their owner
	positions map[string]position
	built     map[string]bool // the symbols that are in a list
}

// newReader reads the header.
func newReader(text []byte) (*reader, error) {
	r := &reader{
		text: text, files: map[string]*fileLine{}, symbols: map[string]*symbolLine{}, claims: map[string]*claimLine{}, tests: map[string]*Tests{}, unseen: map[string]*Unnoticed{},
		demands: map[string]*Requirement{}, links: map[string]*Link{}, lines: map[string]int{},
		members: map[string][]sibling{}, positions: map[string]position{}, built: map[string]bool{},
	}
	r.findHeader()
	switch {
	case r.head.Lock < 1:
		return nil, ErrForeign
	case r.head.Lock > Version:
		return nil, &NewerError{r.head.Lock}
	}
	return r, r.damage
}

// findHeader reads lines up to the header. It is the first, unless git put a mark of a conflict
// before it.
func (r *reader) findHeader() {
	for line, ok := r.next(); ok; line, ok = r.next() {
		if isMark(line) {
			r.fail(message.New("git left a merge conflict"))
			continue
		}
		if err := json.Unmarshal(line, &r.head); err != nil {
			r.head.Lock = 0
		}
		if r.damage != nil {
			r.damage = &DamagedError{r.line, r.head.Target, message.New("git left a merge conflict")}
		}
		return
	}
}

// next returns the next line that is not empty.
func (r *reader) next() (line []byte, ok bool) {
	for len(r.text) > 0 {
		line, r.text, _ = bytes.Cut(r.text, []byte("\n"))
		r.line++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, true
		}
	}
	return nil, false
}

// isMark reports whether git writes a line around the sides of a conflict.
func isMark(line []byte) bool {
	for _, mark := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if rest, ok := bytes.CutPrefix(line, []byte(mark)); ok && (len(rest) == 0 || rest[0] == ' ') {
			return true
		}
	}
	return false
}

// fail records the first damage.
func (r *reader) fail(reason message.Text) {
	if r.damage == nil {
		r.damage = &DamagedError{r.line, r.head.Target, reason}
	}
}

// entry is a key with its value.
type entry struct {
	key   string
	value []byte
}

// entries returns the entries up to the first damage.
func (r *reader) entries() iter.Seq[entry] {
	return func(yield func(entry) bool) {
		var e entry
		for line, ok := r.next(); ok; line, ok = r.next() {
			switch {
			case isMark(line):
				r.fail(message.New("git left a merge conflict"))
			case e.key != "" && line[0] == '{':
				e.value = line
				if !yield(e) {
					return
				}
				e.key = ""
			case line[0] == '{':
				r.fail(message.New("a second value for one entry, as after a merge of two branches that changed it"))
			case e.key != "":
				r.fail(message.New("the entry %q has no value", e.key))
			default:
				if err := json.Unmarshal(line, &e.key); err != nil || e.key == "" {
					r.fail(message.New("not a line of a lock"))
				}
			}
			if r.damage != nil {
				return
			}
		}
		if e.key != "" {
			r.fail(message.New("the entry %q has no value", e.key))
		}
	}
}

// add reads an entry.
func (r *reader) add(e entry) {
	kind, name := e.key, ""
	if i := strings.IndexByte(e.key, ' '); i >= 0 {
		kind, name = e.key[:i+1], e.key[i+1:]
	}
	switch kind {
	case moduleKey:
		r.value(e, &r.module)
	case fileKey:
		once(r, e, r.files, name)
	case symbolKey:
		once(r, e, r.symbols, name)
		r.lines[name] = r.line
	case claimKey:
		once(r, e, r.claims, name)
	case testsKey:
		once(r, e, r.tests, name)
	case mistakeKey:
		once(r, e, r.unseen, name)
	case requirementKey:
		once(r, e, r.demands, name)
	case linkKey:
		once(r, e, r.links, name)
	default:
		r.fail(message.New("no entry of this kind is known: %q", e.key))
	}
}

func (r *reader) value(e entry, to any) {
	if err := json.Unmarshal(e.value, to); err != nil {
		r.fail(message.New("the entry %q cannot be read: %v", e.key, err))
	}
}

// once reads an entry that is there only once.
func once[T any](r *reader, e entry, all map[string]*T, name string) {
	if all[name] != nil {
		r.fail(message.New("the entry %q is there twice, as after a merge of two branches that changed it", e.key))
	}
	all[name] = new(T)
	r.value(e, all[name])
}

// skeleton joins the entries.
func (r *reader) skeleton() code.Skeleton {
	s := code.Skeleton{
		FilePath: r.head.Target, Language: r.module.Language, ParserUsed: r.module.Parser, Doc: r.module.Doc,
		Exports: []code.Symbol{}, Imports: []code.Import{},
	}
	r.addFiles(&s)
	s.Hash = r.hash(&s)
	r.place()
	top := map[listName][]sibling{}
	for _, m := range r.members[""] {
		list := r.symbols[m.id].List
		top[list] = append(top[list], m)
	}
	r.members[""] = nil
	list := func(name listName) []code.Symbol { return r.build(top[name], "", r.module.Order[name], 0) }
	if found := list(exports); found != nil {
		s.Exports = found
	}
	s.Internals, s.Variants = list(internals), list(variants)
	r.strays()
	return s
}

// strays reports symbols that are in no list.
func (r *reader) strays() {
	if len(r.built) == len(r.symbols) {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(r.symbols)) {
		if !r.built[id] {
			r.line = r.lines[id]
			r.fail(message.New("the symbol that %q is a member of is missing", id))
		}
	}
}

// addFiles adds what the entries of files have, except symbols.
func (r *reader) addFiles(s *code.Skeleton) {
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		f := r.files[name]
		if f.Hash != "" {
			s.Files = append(s.Files, code.Digest{
				Path: name, Hash: f.Hash, Tokens: f.Tokens, Comments: f.Comments, Imports: f.Imports, Commas: f.Commas, Semicolons: f.Semicolons,
			})
		}
		for _, i := range f.Imported {
			s.Imports = append(s.Imports, code.Import{
				Module: i.Module, Line: i.Line, Kind: cmp.Or(i.Kind, code.StaticImport), Relative: i.Relative, Resolved: i.Resolved, Named: i.Named,
				Aliases: i.Aliases, Default: i.Default, Namespace: i.Namespace, TypeOnly: i.TypeOnly, Reexport: i.Reexport, File: name,
			})
		}
		for _, e := range f.Entries {
			s.Entries = append(s.Entries, code.Entry{Name: e.Name, Line: e.Line, File: name})
		}
		for _, e := range f.Errors {
			s.ParseErrors = append(s.ParseErrors, code.ParseError{Line: e.Line, Column: e.Column, Message: e.Message, Affected: e.Affected, File: name})
		}
	}
}

func (r *reader) hash(s *code.Skeleton) string { return cmp.Or(r.head.Hash, hashOf(s.Files)) }

// position is where a symbol is listed in the entry of its file, and its first and last line.
type position struct{ at, start, end int }

// place finds the positions of symbols and groups them by owner.
func (r *reader) place() {
	for _, f := range r.files {
		if len(f.Lines) != 2*len(f.Symbols) {
			r.fail(message.New("a file has %d symbols and %d lines", len(f.Symbols), len(f.Lines)))
			return
		}
		for i, id := range f.Symbols {
			r.positions[id] = position{i, f.Lines[2*i], f.Lines[2*i+1]}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.symbols)) {
		s := r.symbols[id]
		r.members[s.Of] = append(r.members[s.Of], sibling{id, s.File, r.positions[id].at})
	}
}

// maxDepth limits how deep symbols are nested.
const maxDepth = 1000

// build returns the symbols of a list with their members, in their order.
func (r *reader) build(list []sibling, ownerFile string, order []string, depth int) []code.Symbol {
	if len(list) == 0 || depth > maxDepth {
		return nil
	}
	for i := range list {
		list[i].file = cmp.Or(list[i].file, ownerFile)
	}
	out := make([]code.Symbol, 0, len(list))
	for _, id := range reordered(inOrder(list, ownerFile), order) {
		line, at := r.symbols[id], r.positions[id]
		s := line.symbol()
		s.Name, s.File = line.nameOf(id), cmp.Or(line.File, ownerFile)
		s.StartLine, s.EndLine = at.start, at.end
		r.built[id] = true
		s.Members = r.build(r.members[id], s.File, line.Order, depth+1)
		out = append(out, s)
	}
	return out
}

// reordered returns a list with the ids in order first.
func reordered(list, order []string) []string {
	if len(order) == 0 {
		return list
	}
	rank := map[string]int{}
	for i, id := range order {
		rank[id] = i - len(order)
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(rank[a], rank[b]) })
	return list
}

// sortedClaims returns the claims, those about one symbol in their order.
func (r *reader) sortedClaims() []Claim {
	keys := slices.SortedFunc(maps.Keys(r.claims), func(a, b string) int {
		x, y := r.claims[a], r.claims[b]
		return cmp.Or(cmp.Compare(x.subject(), y.subject()), cmp.Compare(x.Order, y.Order), cmp.Compare(a, b))
	})
	out := make([]Claim, len(keys))
	for i, key := range keys {
		out[i] = r.claims[key].Claim
	}
	return out
}

// sortedMistakes returns what came of mistakes in the order of the files.
func (r *reader) sortedMistakes() []Unnoticed {
	var out []Unnoticed
	for _, file := range slices.Sorted(maps.Keys(r.unseen)) {
		u := *r.unseen[file]
		u.File = file
		out = append(out, u)
	}
	return out
}

// sortedTests returns the tests of contract tests in the order of their keys.
func (r *reader) sortedTests() []Tests {
	var out []Tests
	for _, key := range slices.Sorted(maps.Keys(r.tests)) {
		t := *r.tests[key]
		t.Contract, t.File, _ = strings.Cut(key, " ")
		out = append(out, t)
	}
	return out
}
