package drift

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/internal/adopt/link"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// usersOf returns the declarations of a surface that call a private one, themselves or through another private one.
func usersOf(s *Surface, symbols map[string]*code.Symbol, name string) []string {
	var out []string
	next := []string{name}
	for len(next) > 0 && len(out) < mostUsers {
		of := next[0]
		next = next[1:]
		if sym := symbols[of]; sym == nil || sym.Exported && !strings.Contains(of, ".") || sym.Visibility == code.Public && strings.Contains(of, ".") {
			continue
		}
		last := of[strings.LastIndexByte(of, '.')+1:]
		for i := range s.Calls {
			c := &s.Calls[i]
			if c.Name == last && c.In != "" && c.In != of && c.In != name && !slices.Contains(out, c.In) {
				out = append(out, c.In)
				next = append(next, c.In)
			}
		}
	}
	return out
}

// mostUsers limits the declarations that use a private one: what more use is nobody's detail.
const mostUsers = 6

// removals tells what the files that changed have less of.
type removals struct {
	old, now func(file string) []byte
	files    []string // those that changed, besides those of the item
	flat     map[string]string
}

// removalsOf reads the files of both sides when they are needed.
func (d *detection) removalsOf(base, now Surface) *removals {
	r := &removals{flat: map[string]string{}, old: base.text, now: now.text}
	if d.opts.Old != nil {
		r.old = func(file string) []byte { return source.Redacted(file, readOrNone(d.opts.Old.ReadFile(file))) }
		r.now = func(file string) []byte { return source.Redacted(file, readOrNone(d.project.ReadFile(file))) }
		r.files = slices.DeleteFunc(slices.Clone(d.opts.Changed), func(file string) bool { return slices.Contains(ofPages, path.Ext(file)) })
	}
	return r
}

// ofPages are the extensions of files that say what code does, and of their locks.
var ofPages = []string{".md", ".markdown", ".jsonl"}

func readOrNone(text []byte, err error) []byte {
	if err != nil {
		return nil
	}
	return text
}

// text returns a file of a side in the form in which tokens are looked for.
func (r *removals) text(side, file string, read func(file string) []byte) string {
	key := side + file
	if t, known := r.flat[key]; known {
		return t
	}
	r.flat[key] = link.Flat(string(read(file)))
	return r.flat[key]
}

// of returns the function that says what a change removes.
func (r *removals) of(c *adopted.Change) func(token string) bool {
	if r.old == nil || r.now == nil {
		return nil
	}
	was, is := link.Flat(c.Was), link.Flat(c.Is)
	files := slices.Concat(c.Files, r.files)
	slices.Sort(files)
	files = slices.Compact(files)
	return func(token string) bool {
		if link.Count(was, token) <= link.Count(is, token) {
			return false
		}
		before, after := 0, 0
		for _, file := range files {
			before += link.Count(r.text("-", file, r.old), token)
			after += link.Count(r.text("+", file, r.now), token)
		}
		return after < before
	}
}
