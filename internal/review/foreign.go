package review

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// foreignUsers returns the uses by other repositories. A field or method of which no use is known is looked for by its name in the files
// that use something else of its file.
func (r *reviewer) foreignUsers(item *Item) []User {
	var out []User
	for i := range r.others {
		if f := &r.others[i]; about(&f.edge, item) {
			out = addUser(out, User{Repository: f.repository, Place: f.edge.SourceFile + ":" + strconv.Itoa(f.edge.SourceLine), Symbol: lastName(f.edge.SourceSymbol)})
		}
	}
	if len(out) == 0 && item.Breaking && isGone(item) && strings.Contains(item.SymbolName, ".") {
		out = r.namedElsewhere(item)
	}
	slices.SortFunc(out, comparePlaces)
	return out
}

func addUser(list []User, u User) []User {
	if slices.ContainsFunc(list, func(o User) bool { return o.Repository == u.Repository && o.Place == u.Place }) {
		return list
	}
	return append(list, u)
}

func lastName(symbol string) string { return symbol[strings.LastIndexByte(symbol, '.')+1:] }

// isGone reports whether an item is about a declaration that is no longer there under its name.
func isGone(item *Item) bool {
	return item.ChangeType == drift.Removal || item.Rule == "renamed-symbol"
}

// about reports whether another repository uses what an item is about: the declaration or an operation of a contract; where one is gone,
// also what was in it.
func about(e *store.VirtualEdge, item *Item) bool {
	file, _ := splitPlace(item.Location)
	if item.Rule == "module-removed" {
		return path.Clean(e.TargetFile) == item.SymbolName || path.Dir(e.TargetFile) == item.SymbolName
	}
	if e.TargetFile != file && e.TargetFile != "" && path.Dir(file) != path.Clean(e.TargetFile) {
		return false
	}
	if operation, _, ok := strings.Cut(e.Signature, " ("); ok && operation == item.SymbolName { // DELETE /orders/{id} (deleteOrder)
		return true
	}
	name := "." + strings.ReplaceAll(item.SymbolName, "::", ".")
	return strings.HasSuffix("."+e.TargetSymbol, name) || isGone(item) && strings.Contains("."+e.TargetSymbol, name+".")
}

// read returns the text of a file of another project.
func read(root, file string) ([]byte, error) {
	p, err := project.Open(root)
	if err != nil {
		return nil, err
	}
	defer p.Close() //nolint:errcheck // it was only read
	return p.ReadFile(file)
}

// namedElsewhere returns the lines of other repositories that name a member, in files that use something of the file that has it.
func (r *reviewer) namedElsewhere(item *Item) []User {
	file, _ := splitPlace(item.Location)
	name := lastName(item.SymbolName)
	if len(name) < 3 {
		return nil
	}
	pattern := wordPattern(name, true)
	var out []User
	seen := map[string]bool{}
	for i := range r.others {
		f := &r.others[i]
		if f.root == "" {
			continue // it is not on this machine
		}
		key := f.root + "\x00" + f.edge.SourceFile
		if f.edge.TargetFile != file && path.Dir(file) != path.Clean(f.edge.TargetFile) || seen[key] {
			continue
		}
		seen[key] = true
		text, err := read(f.root, f.edge.SourceFile)
		if err != nil {
			continue
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			if n++; strings.Contains(line, name) && pattern.MatchString(bare(strings.TrimRight(line, "\n"))) {
				out = addUser(out, User{Repository: f.repository, Place: f.edge.SourceFile + ":" + strconv.Itoa(n), ByName: true})
			}
		}
	}
	return out
}
