package diagram

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Limits of the sequence diagram, for readability.
const (
	leastParticipants = 2
	maxParticipants   = 8
	maxMessages       = 24
	maxCallDepth      = 4
	maxFan            = 8 // calls per function
)

// message is a call with the calls that it makes.
type message struct {
	of   *resolve.Node
	next []*message
}

// tracer follows calls.
type tracer struct {
	links  *resolve.Links
	files  map[string]*code.File // of the module
	called map[*resolve.Node][]*resolve.Node
}

// sequenceDiagram draws the calls from an entry point.
func (m Module) sequenceDiagram() []Diagram {
	t := &tracer{links: m.Links, files: map[string]*code.File{}, called: map[*resolve.Node][]*resolve.Node{}}
	for _, f := range m.Files {
		if f.Constraint == "" { // else for another platform
			t.files[f.Path] = f
		}
	}
	if m.Links == nil {
		return nil
	}
	root, left := m.startOfSequence(t)
	if root == nil {
		return nil
	}
	d := &sequence{tracer: t, ids: map[string]int{}}
	d.participant(root)
	d.messages(root)
	from := wording.In(m.Lang, "the file's own statements", "文件自身的语句")
	if name := root.of.Path(); name != "" {
		from = markdown.Code(name)
	}
	caption := wording.In(m.Lang, "Calls from %s (`%s:%d`), in source order, those in arguments first%s:", "从 %s（`%s:%d`）开始的调用，按源码顺序，参数中的调用在先%s：")
	text := "sequenceDiagram" + d.heads.String() + d.rows.String()
	return []Diagram{{fmt.Sprintf(caption, from, root.of.File, root.of.Line, m.notDrawn(left)), text}}
}

// startOfSequence returns the calls from the entry point whose diagram shows most, or from such an exported function if
// an entry point only hands over, and the number of omitted calls; nil if there is no diagram worth drawing.
func (m Module) startOfSequence(t *tracer) (best *message, left int) {
	most := [3]int{leastParticipants - 1}
	try := func(n *resolve.Node) {
		if n == nil || len(t.callees(n)) == 0 {
			return
		}
		root, more := t.follow(n)
		if worth := t.worth(root, more); root.size() > 1 && slices.Compare(worth[:], most[:]) > 0 {
			best, left, most = root, more, worth
		}
	}
	for _, f := range m.Files {
		for _, e := range f.Entries {
			try(t.links.Find(f.Path, e.Name, e.Line))
		}
	}
	if best != nil && best.size() > len(best.next) {
		return best, left
	}
	for _, f := range m.Files {
		if t.files[f.Path] != nil {
			exported(f.Symbols, "", func(name string, s *code.Symbol) { try(t.links.Find(f.Path, name, s.StartLine)) })
		}
	}
	return best, left
}

// exported calls see for the exported functions and methods with their qualified names.
func exported(list []code.Symbol, owner string, see func(name string, s *code.Symbol)) {
	for i := range list {
		s := &list[i]
		name := strings.TrimPrefix(owner+"."+s.Name, ".")
		switch {
		case !s.Exported:
			continue
		case s.Kind == code.Function, s.Kind == code.Method, s.Kind == code.Constructor:
			see(name, s)
		}
		exported(s.Members, name, see)
	}
}

// worth says how much a diagram shows: its participants, the calls between them less those that are left out, and all
// calls.
func (t *tracer) worth(root *message, left int) [3]int {
	people := map[string]bool{}
	between := 0
	var walk func(m *message)
	walk = func(m *message) {
		people[t.key(m.of)] = true
		for _, next := range m.next {
			if t.key(next.of) != t.key(m.of) {
				between++
			}
			walk(next)
		}
	}
	walk(root)
	return [3]int{len(people), between - left, root.size()}
}

// size counts the calls below.
func (m *message) size() int {
	n := len(m.next)
	for _, next := range m.next {
		n += next.size()
	}
	return n
}

// leastConfidence is the confidence of a call that is drawn.
const leastConfidence = 0.75

// callees returns the functions that a function of the module calls, without duplicates or itself, in the order in which it
// calls them. A
// call of an abstract method with a single implementation is drawn as a call of that. Errors that are thrown are left
// out.
func (t *tracer) callees(n *resolve.Node) []*resolve.Node {
	if out, known := t.called[n]; known || t.files[n.File] == nil {
		return out
	}
	var out []*resolve.Node
	calls := t.links.Evaluated(n)
	for i, u := range calls {
		if u.Rule == resolve.Implementation || u.Confidence < leastConfidence || u.To.Test {
			continue
		}
		if to := called(calls[i:]).Outer(); to != n && !slices.Contains(out, to) && !isError(to) {
			out = append(out, to)
		}
	}
	t.called[n] = out
	return out
}

// called returns the target of the first of some calls, or the only implementation of it, which is the next call.
func called(calls []resolve.Use) *resolve.Node {
	implements := func(i int) bool { return i < len(calls) && calls[i].Rule == resolve.Implementation }
	if implements(1) && !implements(2) && calls[1].To.Name == calls[0].To.Name {
		return calls[1].To
	}
	return calls[0].To
}

// isError reports whether a symbol constructs an error.
func isError(n *resolve.Node) bool {
	name := n.Name
	if !n.IsType() {
		name = n.Owner()
	}
	return strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")
}

// leads reports whether a call shows more than that a participant calls itself: it, or a call that it leads to, is of
// another one.
func (t *tracer) leads(from, to *resolve.Node, depth int) bool {
	return t.key(from) != t.key(to) || depth > 0 && slices.ContainsFunc(t.callees(to), func(next *resolve.Node) bool { return t.leads(to, next, depth-1) })
}

// follow returns the calls reachable from a function, breadth first within the limits, and the
// number of omitted calls.
func (t *tracer) follow(start *resolve.Node) (root *message, left int) {
	root = &message{of: start}
	people := map[string]bool{t.key(start): true}
	seen := map[*resolve.Node]bool{start: true}
	messages := 0
	level := []*message{root}
	for depth := range maxCallDepth {
		var below []*message
		for _, at := range level {
			for _, callee := range t.callees(at.of) {
				newcomer := !people[t.key(callee)]
				if !t.leads(at.of, callee, maxCallDepth-depth-1) || len(at.next) == maxFan || messages == maxMessages || newcomer && len(people) == maxParticipants {
					left++
					continue
				}
				people[t.key(callee)] = true
				messages++
				next := &message{of: callee}
				at.next = append(at.next, next)
				if !seen[callee] {
					seen[callee] = true
					below = append(below, next)
				}
			}
		}
		level = below
	}
	return root, left
}

// key identifies the participant that runs a function: its type, or the file or package of a function without one.
func (t *tracer) key(n *resolve.Node) string {
	if typ := typeOf(n); typ != "" {
		return path.Dir(n.File) + "\x00" + typ
	}
	return t.home(n)
}

// typeOf returns the qualified name of the type that a symbol is, or is a method of; "" for none.
func typeOf(n *resolve.Node) string {
	if n.IsType() {
		return n.Path()
	}
	return n.Owner()
}

// home returns the file of a function, or its folder where that is the unit of the language.
func (t *tracer) home(n *resolve.Node) string {
	if path.Ext(n.File) == ".go" {
		return path.Dir(n.File)
	}
	return n.File
}

// participant returns the name of a participant.
func (t *tracer) participant(n *resolve.Node) string {
	if typ := typeOf(n); typ != "" {
		return lastState(typ)
	}
	if f := t.files[n.File]; f != nil && f.Language == "go" {
		return f.Package
	}
	return path.Base(t.home(n))
}

// sequence writes messages in Mermaid syntax.
type sequence struct {
	*tracer
	ids   map[string]int // participant -> number
	heads strings.Builder
	rows  strings.Builder
}

// participant returns the identifier of the participant that runs a function.
func (d *sequence) participant(m *message) string {
	key := d.key(m.of)
	if _, known := d.ids[key]; !known {
		d.ids[key] = len(d.ids)
		fmt.Fprintf(&d.heads, "\n  participant P%d as %s", d.ids[key], mermaidText(d.tracer.participant(m.of)))
	}
	return "P" + strconv.Itoa(d.ids[key])
}

func (d *sequence) messages(m *message) {
	from := d.participant(m)
	for _, next := range m.next {
		to := d.participant(next)
		fmt.Fprintf(&d.rows, "\n  %s->>%s: %s", from, to, mermaidText(label(next.of)))
		if len(next.next) > 0 {
			d.rows.WriteString("\n  activate " + to)
			d.messages(next)
			d.rows.WriteString("\n  deactivate " + to)
		}
	}
}

// label returns a function in call syntax.
func label(n *resolve.Node) string {
	if n.Kind == code.Constructor || n.IsType() {
		return "new " + lastState(typeOf(n)) + "()"
	}
	return n.Name + "()"
}
