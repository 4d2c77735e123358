package lock

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Encode returns the lock as text. [Parse] is its inverse.
func (l *Lock) Encode() []byte {
	w := newWriter()
	w.read(&l.Skeleton)
	head := header{Lock: Version, Generator: l.Generator, Spec: l.SpecID, Target: l.Skeleton.FilePath}
	if l.Skeleton.Hash != hashOf(w.digests()) {
		head.Hash = l.Skeleton.Hash
	}
	w.line(head)
	w.entry(moduleKey, w.module)
	for _, name := range slices.Sorted(maps.Keys(w.files)) {
		w.entry(fileKey+name, w.files[name])
	}
	for _, id := range slices.Sorted(maps.Keys(w.symbols)) {
		w.entry(symbolKey+id, w.symbols[id])
	}
	w.claims(l.Claims)
	for _, t := range l.Tests {
		w.entry(testsKey+t.Contract+" "+t.File, t)
	}
	for _, u := range l.Unnoticed {
		w.entry(mistakeKey+u.File, u)
	}
	w.adopted(l.Requirements, l.Links)
	return w.out.Bytes()
}

// writer collects the entries of a lock.
type writer struct {
	out     bytes.Buffer
	enc     *json.Encoder
	module  moduleLine
	files   map[string]*fileLine
	symbols map[string]*symbolLine
	copies  map[string]int // how many symbols have the qualified name
}

func newWriter() *writer {
	w := &writer{files: map[string]*fileLine{}, symbols: map[string]*symbolLine{}, copies: map[string]int{}}
	w.enc = json.NewEncoder(&w.out)
	w.enc.SetEscapeHTML(false)
	return w
}

// line writes a value. The values here always encode.
func (w *writer) line(v any) { _ = w.enc.Encode(v) }

// entry writes a key and its value, after an empty line.
func (w *writer) entry(key string, v any) {
	w.out.WriteByte('\n')
	w.line(key)
	w.line(v)
}

// read turns a skeleton into entries.
func (w *writer) read(s *code.Skeleton) {
	w.module = moduleLine{Language: s.Language, Parser: s.ParserUsed, Doc: s.Doc}
	for _, f := range s.Files {
		to := w.file(f.Path)
		to.Hash, to.Tokens, to.Comments, to.Imports, to.Commas, to.Semicolons = f.Hash, f.Tokens, f.Comments, f.Imports, f.Commas, f.Semicolons
	}
	for i := range s.Imports {
		w.addImport(&s.Imports[i])
	}
	for _, e := range s.Entries {
		f := w.file(e.File)
		f.Entries = append(f.Entries, entryLine{e.Name, e.Line})
	}
	for _, e := range s.ParseErrors {
		f := w.file(e.File)
		f.Errors = append(f.Errors, errorLine{e.Line, e.Column, e.Message, e.Affected})
	}
	for _, l := range []struct {
		name listName
		list []code.Symbol
	}{{exports, s.Exports}, {internals, s.Internals}, {variants, s.Variants}} {
		if order := w.list(l.list, "", "", l.name); order != nil {
			if w.module.Order == nil {
				w.module.Order = map[listName][]string{}
			}
			w.module.Order[l.name] = order
		}
	}
}

// file returns the entry of a file.
func (w *writer) file(name string) *fileLine {
	name = strings.ToValidUTF8(name, "\ufffd")
	if w.files[name] == nil {
		w.files[name] = &fileLine{}
	}
	return w.files[name]
}

// digests returns the files that have a digest, by path.
func (w *writer) digests() []code.Digest {
	var out []code.Digest
	for _, name := range slices.Sorted(maps.Keys(w.files)) {
		if w.files[name].Hash != "" {
			out = append(out, code.Digest{Hash: w.files[name].Hash})
		}
	}
	return out
}

func (w *writer) addImport(i *code.Import) {
	kind := i.Kind
	if kind == code.StaticImport {
		kind = ""
	}
	f := w.file(i.File)
	f.Imported = append(f.Imported, importLine{
		i.Module, i.Line, kind, i.Relative, i.Resolved, i.Named, i.Aliases, i.Default, i.Namespace, i.TypeOnly, i.Reexport,
	})
}

// list adds the symbols of a list with their members. It returns their ids if their order does
// not follow from the files.
func (w *writer) list(list []code.Symbol, owner, ownerFile string, name listName) (order []string) {
	siblings := make([]sibling, 0, len(list))
	for i := range list {
		s := &list[i]
		id := w.unused(idOf(owner, cmp.Or(strings.ToValidUTF8(s.Name, "\ufffd"), anonymous)))
		line := lineOf(s)
		line.List, line.Of = name, owner
		if id != idOf(owner, s.Name) {
			line.Name = s.Name
		}
		if s.File != ownerFile || owner == "" {
			line.File = s.File
		}
		w.symbols[id] = &line
		f := w.file(s.File)
		siblings = append(siblings, sibling{id, s.File, len(f.Symbols)})
		f.Symbols, f.Lines = append(f.Symbols, id), append(f.Lines, s.StartLine, s.EndLine)
		line.Order = w.list(s.Members, id, s.File, "")
	}
	if own := ids(siblings); !slices.Equal(own, inOrder(siblings, ownerFile)) {
		return own
	}
	return nil
}

// unused returns the id with a number if another symbol has it.
func (w *writer) unused(id string) string {
	for free := id; ; {
		if w.symbols[free] == nil {
			return free
		}
		w.copies[id]++
		free = id + "#" + strconv.Itoa(w.copies[id]+1)
	}
}

// claims writes the entries of claims, sorted by what they are about.
func (w *writer) claims(list []Claim) {
	count := map[string]int{}
	entries := map[string]claimLine{}
	for _, c := range list {
		key := claimKey + strings.ToValidUTF8(c.subject(), "\ufffd") + " " + c.ID()
		if _, taken := entries[key]; taken {
			continue // ids are unique within a module
		}
		entries[key] = claimLine{c, count[c.subject()]}
		count[c.subject()]++
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		w.entry(key, entries[key])
	}
}
