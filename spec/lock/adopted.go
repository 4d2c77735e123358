package lock

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// AdoptedDir is the name of the folder of locks of specs that people wrote, in the folder of specs. It is not [Dir], whose locks
// belong to pages of this program.
const AdoptedDir = ".adopted"

// Requirement is a requirement of a spec that a person wrote, as it was when its links were accepted.
type Requirement struct {
	ID    string `json:"-"` // without white space
	Title string `json:"title"`
	Hash  string `json:"hash"` // of its text and its scenarios
}

// Link is what a person decided on a requirement and something in the code.
type Link struct {
	Requirement string `json:"-"`
	File        string `json:"file"`
	Symbol      string `json:"symbol,omitempty"` // the qualified name, or the name of a test; "" for the statements of the file
	Test        bool   `json:"test,omitempty"`
	// Rejected is set if the link is wrong: it is not proposed again.
	Rejected   bool     `json:"rejected,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // with which it was proposed
	Reasons    []Reason `json:"reasons,omitempty"`
}

// Reason is why a link was proposed.
type Reason struct {
	Kind  string `json:"kind"`
	Value string `json:"value,omitempty"` // what the requirement and the code have in common
	In    string `json:"in,omitempty"`    // the id of the scenario; "" for the requirement itself
}

// key identifies a link within its lock.
func (l *Link) key() string { return l.Requirement + " " + l.File + "#" + l.Symbol }

// MayLink reports whether the text of a lock may have links to a file, without parsing it.
func MayLink(text []byte, file string) bool {
	w := newWriter()
	w.line(file)
	return bytes.Contains(text, append([]byte(`"file":`), bytes.TrimSpace(w.out.Bytes())...))
}

// AdoptedPath returns the path of the lock of a spec that a person wrote: specs/.adopted/docs/login.md.jsonl for docs/login.md.
func AdoptedPath(root, file string) string { return path.Join(root, AdoptedDir, file+extension) }

// AdoptedSpec returns the path of the spec that a lock belongs to; ok is false for another file. It is the inverse of [AdoptedPath].
func AdoptedSpec(root, file string) (spec string, ok bool) {
	name, ok := strings.CutPrefix(file, path.Join(root, AdoptedDir)+"/")
	spec, ok2 := strings.CutSuffix(name, extension)
	return spec, ok && ok2
}

// adopted writes the entries of requirements and links, sorted by their keys.
func (w *writer) adopted(requirements []Requirement, links []Link) {
	list := map[string]any{}
	for _, r := range requirements {
		list[requirementKey+r.ID] = r
	}
	for i := range links {
		list[linkKey+strings.ToValidUTF8(links[i].key(), "\ufffd")] = links[i]
	}
	for _, key := range slices.Sorted(maps.Keys(list)) {
		w.entry(key, list[key])
	}
}

// sortedRequirements returns the requirements in the order of their ids.
func (r *reader) sortedRequirements() []Requirement {
	var out []Requirement
	for _, id := range slices.Sorted(maps.Keys(r.demands)) {
		one := *r.demands[id]
		one.ID = id
		out = append(out, one)
	}
	return out
}

// sortedLinks returns the links in the order of their keys.
func (r *reader) sortedLinks() []Link {
	var out []Link
	for _, key := range slices.Sorted(maps.Keys(r.links)) {
		l := *r.links[key]
		l.Requirement, _, _ = strings.Cut(key, " ")
		out = append(out, l)
	}
	return out
}

// SortLinks sorts links as a lock has them.
func SortLinks(list []Link) {
	slices.SortFunc(list, func(a, b Link) int { return cmp.Compare(a.key(), b.key()) })
}
