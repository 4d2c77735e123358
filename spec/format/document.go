package format

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec"
)

// document is a file that this program writes as a whole: it replaces one only if that is as it wrote it.
type document struct {
	capability string
	outlines   []*spec.Outline // of all modules of the capability
	old        []byte          // nil if there is none
}

// documentMark is the line by which a document is known: its hash, and the modules that it was written from.
var documentMark = lazyregexp.New("(?m)^<!-- reverse-spec ([0-9a-f]+) from (.*) -->$")

// ours reports whether this program wrote a document, and intact whether it is as it was written.
func ours(text []byte) (written, intact bool) {
	m := documentMark.FindSubmatch(text)
	if m == nil {
		return false, false
	}
	return true, string(m[1]) == hashOf(string(text))
}

// modulesOf returns the modules that a document was written from.
func modulesOf(text []byte) []string {
	m := documentMark.FindSubmatch(text)
	if m == nil {
		return nil
	}
	return strings.Split(string(m[2]), ", ")
}

// hashOf returns the hash of a document without its mark.
func hashOf(text string) string {
	text = strings.ReplaceAll(documentMark.ReplaceAllString(text, ""), "\r\n", "\n")
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:hashBytes])
}

// markPlace is where a document has its mark.
const markPlace = "<!-- mark -->"

// marked puts the mark of a document in its place.
func marked(text string, outlines []*spec.Outline) string {
	var modules []string
	for _, o := range outlines {
		modules = append(modules, o.Module)
	}
	bare := strings.Replace(text, markPlace, "", 1)
	return strings.Replace(text, markPlace, "<!-- reverse-spec "+hashOf(bare)+" from "+strings.Join(modules, ", ")+" -->", 1)
}

// writeDocuments writes the document of each capability that has requirements.
func (w *writer) writeDocuments(fileOf func(capability string) (string, error), render func(d *document) string) error {
	list := map[string][]*spec.Outline{}
	for _, o := range w.in.Outlines {
		name := w.groups.of(o.Module)
		list[name] = append(list[name], o)
	}
	for _, name := range sortedKeys(list) {
		file, err := fileOf(name)
		if err != nil {
			return err
		}
		if err := w.writeDocument(file, &document{capability: name, outlines: list[name]}, render); err != nil {
			return err
		}
	}
	return nil
}

// writeDocument writes the document of one capability.
func (w *writer) writeDocument(file string, d *document, render func(d *document) string) error {
	var err error
	if d.old, err = w.read(file); err != nil {
		return err
	}
	if d.old != nil {
		written, intact := ours(d.old)
		if !written || !intact {
			for _, o := range d.outlines {
				w.result.Left = append(w.result.Left, o.Module)
			}
		}
		switch {
		case !written:
			w.warn(message.New("%s was not written by reverse-spec and stays as it is; name another capability for %s with --capabilities", file, d.outlines[0].Module))
			return nil
		case !intact:
			w.warn(message.New("%s was changed by hand and stays as it is; remove it to have it written anew", file))
			return nil
		}
	}
	if err := w.addOthers(d); err != nil {
		return err
	}
	d.outlines = slices.DeleteFunc(d.outlines, func(o *spec.Outline) bool { return len(o.Rules) == 0 })
	slices.SortFunc(d.outlines, func(a, b *spec.Outline) int { return strings.Compare(a.Module, b.Module) })
	if len(d.outlines) == 0 {
		if d.old != nil {
			return w.remove(file)
		}
		return nil
	}
	for _, o := range d.outlines {
		o.Rules = o.Rules[:min(len(o.Rules), mostRules)]
		w.result.Requirements += len(o.Rules)
	}
	return w.save(file, d.old, marked(render(d), d.outlines))
}

// addOthers adds the modules of the old document that were not read now: it is written as a whole.
func (w *writer) addOthers(d *document) error {
	for _, module := range modulesOf(d.old) {
		known := slices.ContainsFunc(w.in.Outlines, func(o *spec.Outline) bool { return o.Module == module })
		if known || w.in.Read == nil || w.in.Gone != nil && w.in.Gone(module) {
			continue
		}
		o, err := w.in.Read(w.ctx, module)
		if w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		if err == nil { // else the module does not exist any more
			d.outlines = append(d.outlines, o)
		}
	}
	return nil
}

// read returns the text of a file; nil if it does not exist.
func (w *writer) read(file string) ([]byte, error) {
	text, err := w.project.ReadUpTo(file, spec.MaxSize)
	if _, missing := errors.AsType[*project.MissingError](err); missing || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// names returns the names in a folder; nil if it does not exist.
func (w *writer) names(dir string) ([]string, error) {
	list, err := w.project.ReadFolder(w.ctx, dir, maxCapabilities)
	if _, missing := errors.AsType[*project.MissingError](err); missing {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return list.Names, nil
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// numbers keeps the numbers of items over regenerations, because plans and tasks refer to them.
type numbers struct {
	known map[string]int // by id
	next  int
}

// itemID matches the id that an item of a document ends with, and its number.
var itemID = lazyregexp.New(`(?m)^(?:- \*\*[A-Z]+-|### Requirement )(\d+).*?<!-- (.+?) -->$`)

// numbersOf reads the numbers of an old document.
func numbersOf(text []byte) *numbers {
	n := &numbers{known: map[string]int{}, next: 1}
	for _, m := range itemID.FindAllSubmatch(text, -1) {
		number, _ := strconv.Atoi(string(m[1]))
		n.known[string(m[2])] = number
		n.next = max(n.next, number+1)
	}
	return n
}

// of returns the number of an item.
func (n *numbers) of(id string) int {
	if number, ok := n.known[id]; ok {
		return number
	}
	n.known[id] = n.next
	n.next++
	return n.next - 1
}

// comment returns a text for a comment of HTML on one line.
func comment(text string) string {
	return "<!-- " + strings.ReplaceAll(row(text), "--", "- -") + " -->"
}

// heading returns the name of a capability as a title: "article-comments" is "Article comments".
func heading(capability string) string {
	words := strings.ReplaceAll(path.Base(capability), "-", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}
