package overview

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/model"
)

// purpose returns what the manifests and the README say that the project is, once if both begin in the same way.
func (o *Project) purpose() []string {
	const beginning = 40 // bytes
	readme := model.Purpose(o.Project)
	manifest := strings.Join(strings.Fields(o.Purpose), " ")
	begin := strings.ToLower(strings.TrimRight(manifest, ". "))
	switch {
	case manifest == "" && readme == "":
		return nil
	case manifest == "" || readme != "" && strings.HasPrefix(strings.ToLower(readme), begin[:min(len(begin), beginning)]):
		return []string{readme}
	case readme == "":
		return []string{manifest}
	}
	return []string{manifest, readme}
}

// page is what the index needs of the spec of a module.
type page struct {
	path                 string // "" if there is none
	intent, health       string
	requirements, tested int
	entries              []entry
}

// entry is an entry with where its code is.
type entry struct {
	spec.IndexEntry
	file     string // of a program
	line     int
	handlers []string // of routes: the functions that answer, as Names
}

// buildScripts are files that the tools of a language run when they build the project.
var buildScripts = []string{"build.rs", "setup.py"}

// read reads the spec of a module, which this run or an earlier one wrote. Claims are only read if they are of an entry: a lock is
// longer than its page.
func (o *Project) read(m *Module) page {
	p := page{}
	for _, e := range m.Entries {
		if slices.Contains(buildScripts, path.Base(e.File)) {
			continue
		}
		p.entries = append(p.entries, entry{
			IndexEntry: spec.IndexEntry{Kind: spec.ProgramEntry, Module: m.Path, Names: []string{e.Name}, Place: fmt.Sprintf("%s:%d", e.File, e.Line)},
			file:       e.File, line: e.Line,
		})
	}
	if m.SpecPath == "" {
		return p
	}
	text, err := o.Project.ReadUpTo(m.SpecPath, spec.MaxSize)
	if err != nil {
		return p
	}
	s, err := spec.Parse(text)
	if err != nil {
		return p
	}
	p.path, p.intent, p.health, p.requirements = m.SpecPath, intentOf(s), s.Front.Health, len(s.Requirements)
	for i := range s.Requirements {
		if len(s.Requirements[i].Tests) > 0 {
			p.tested++
		}
	}
	if lock, err := o.Project.ReadUpTo(spec.LockPath(m.SpecPath, m.Path), spec.MaxSize); err == nil && slices.ContainsFunc(entryKinds, func(k entryKind) bool { return bytes.Contains(lock, []byte(`"kind":"`+k.claim+`"`)) }) {
		if s.ReadLock(o.Project, m.SpecPath) == nil {
			p.entries = append(p.entries, entriesOf(m, s.Claims)...)
		}
	}
	return p
}

// entryKind says which claims are of an entry.
type entryKind struct {
	claim evidence.Kind
	entry spec.EntryKind
}

var entryKinds = []entryKind{
	{evidence.Command, spec.CommandEntry}, {evidence.Route, spec.RouteEntry}, {evidence.Service, spec.ServiceEntry},
}

// entriesOf returns the entries that the claims of a module show: the shortest commands and routes first.
func entriesOf(m *Module, claims []spec.RecordedClaim) []entry {
	var out []entry
	for _, k := range entryKinds {
		var list []*spec.RecordedClaim
		for i := range claims {
			c := &claims[i]
			known := func(o *spec.RecordedClaim) bool { return o.Name == c.Name }
			if c.Kind == k.claim && c.Role != evidence.Hidden && c.Name != "" && !slices.ContainsFunc(list, known) {
				list = append(list, c)
			}
		}
		slices.SortStableFunc(list, func(a, b *spec.RecordedClaim) int { return cmp.Compare(depth(a.Name), depth(b.Name)) })
		e := entry{IndexEntry: spec.IndexEntry{Kind: k.entry, Module: m.Path}}
		for _, c := range list {
			e.Names, e.handlers = append(e.Names, c.Name), append(e.handlers, c.Subject)
		}
		if len(list) > 0 {
			out = append(out, e)
		}
	}
	return out
}

// depth is the number of parts of a command or a route.
func depth(name string) int { return strings.Count(name, " ") + strings.Count(name, "/") }

// sources are the notes of where the text of an intent is from.
var sources = lazyregexp.New(" ?\\((?:[a-z]+ )?`[^`]+:\\d+`\\)")

// maxDescription limits a module's description, in bytes.
const maxDescription = 160

// intentOf returns the first sentence of the intent of a spec, without its source.
func intentOf(s *spec.Spec) string {
	text, _, _ := strings.Cut(strings.TrimSpace(s.Intent), "\n\n")
	text = strings.TrimSpace(sources.ReplaceAllString(strings.Join(strings.Fields(text), " "), ""))
	first, _ := markdown.Sentence(text, maxDescription)
	return cmp.Or(first, markdown.Clip(text, maxDescription))
}

// ordered returns the entries of the product: programs first, those with the most names first.
func ordered(entries []entry, modules []spec.IndexModule) []entry {
	role := map[string]spec.Role{}
	for _, m := range modules {
		role[m.Name] = m.Role
	}
	entries = slices.DeleteFunc(entries, func(e entry) bool { return role[e.Module] > spec.PrivateRole })
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(len(b.Names), len(a.Names)), cmp.Compare(depth(a.Module), depth(b.Module)), cmp.Compare(a.Module, b.Module))
	})
	return entries
}
