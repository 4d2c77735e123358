package diagram

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Limits of the sequence diagram, for readability.
const (
	maxParticipants = 8
	maxMessages     = 24
	maxCallDepth    = 4
	maxFan          = 8 // calls per function
)

// message is a call with the calls that it makes.
type message struct {
	of   *callable
	next []*message
}

// sequenceDiagram draws the calls within the module from an entry point.
func (m Module) sequenceDiagram() []Diagram {
	r := newResolver(m.Files)
	start := m.startOfSequence(r)
	if start == nil {
		return nil
	}
	root, left := r.follow(start)
	if root.size() < 2 {
		return nil
	}
	d := &sequence{ids: map[string]int{}}
	d.participant(root)
	d.messages(root)
	from := wording.In(m.Lang, "the file's own statements", "文件自身的语句")
	if start.name != "" {
		from = markdown.Code(start.name)
	}
	caption := wording.In(m.Lang, "Calls from %s (`%s:%d`) inside the module, in the order of their lines%s:", "从 %s（`%s:%d`）开始的模块内调用，按行号排序%s：")
	text := "sequenceDiagram" + d.heads.String() + d.rows.String()
	return []Diagram{{fmt.Sprintf(caption, from, start.file.Path, start.line, m.notDrawn(left)), text}}
}

// startOfSequence returns the entry point with the most calls within the module, direct or
// indirect, or else the exported function with the most.
func (m Module) startOfSequence(r *resolver) *callable {
	var best *callable
	most := [2]int{}
	try := func(f *callable) {
		direct := len(r.callees(f))
		if direct == 0 {
			return
		}
		root, _ := r.follow(f)
		if n := [2]int{root.size(), direct}; slices.Compare(n[:], most[:]) > 0 {
			best, most = f, n
		}
	}
	for _, f := range m.Files {
		for _, e := range f.Entries {
			try(r.entry(f, e))
		}
	}
	if best != nil {
		return best
	}
	for _, f := range r.functions {
		if f.exported {
			try(f)
		}
	}
	return best
}

// size counts the calls below.
func (m *message) size() int {
	n := len(m.next)
	for _, next := range m.next {
		n += next.size()
	}
	return n
}

// follow returns the calls reachable from a function, breadth first within the limits, and the
// number of omitted calls.
func (r *resolver) follow(start *callable) (root *message, left int) {
	root = &message{of: start}
	people := map[string]bool{start.participant(): true}
	seen := map[*callable]bool{start: true}
	messages := 0
	level := []*message{root}
	for range maxCallDepth {
		var below []*message
		for _, at := range level {
			for _, callee := range r.callees(at.of) {
				newcomer := callee.owner != "" && !people[callee.owner]
				if len(at.next) == maxFan || messages == maxMessages || newcomer && len(people) == maxParticipants {
					left++
					continue
				}
				if newcomer {
					people[callee.owner] = true
				}
				messages++
				next := &message{of: callee}
				at.next = append(at.next, next)
				if !seen[callee] {
					seen[callee] = true
					below = append(below, next)
				}
			}
		}
		level = r.lifelines(below, people)
	}
	return root, left
}

// lifelines keeps the calls to functions that may make further calls in the diagram. A method
// has its type's lifeline; a function needs one of its own.
func (r *resolver) lifelines(below []*message, people map[string]bool) []*message {
	return slices.DeleteFunc(below, func(m *message) bool {
		if m.of.owner != "" {
			return false
		}
		if len(r.callees(m.of)) == 0 || len(people) == maxParticipants {
			return true
		}
		people[m.of.participant()] = true
		return false
	})
}

// sequence writes messages in Mermaid syntax.
type sequence struct {
	ids   map[string]int // participant -> number
	heads strings.Builder
	rows  strings.Builder
}

// participant returns the participant that runs a function: its type, or the function itself
// if it makes calls, or else "" for its caller.
func (d *sequence) participant(m *message) string {
	if m.of.owner == "" && len(m.next) == 0 {
		return ""
	}
	name := m.of.participant()
	if _, known := d.ids[name]; !known {
		d.ids[name] = len(d.ids)
		fmt.Fprintf(&d.heads, "\n  participant P%d as %s", d.ids[name], mermaidText(name))
	}
	return "P" + strconv.Itoa(d.ids[name])
}

func (d *sequence) messages(m *message) {
	from := d.participant(m)
	for _, next := range m.next {
		to := cmp.Or(d.participant(next), from)
		fmt.Fprintf(&d.rows, "\n  %s->>%s: %s", from, to, mermaidText(next.of.label()))
		if len(next.next) > 0 {
			d.rows.WriteString("\n  activate " + to)
			d.messages(next)
			d.rows.WriteString("\n  deactivate " + to)
		}
	}
}

// participant returns the name of the participant that runs the function.
func (f *callable) participant() string { return cmp.Or(f.owner, f.shown()) }

// shown returns the function's name, or the file's path for top-level statements.
func (f *callable) shown() string { return cmp.Or(f.name, f.file.Path) }

// label returns the function in call syntax.
func (f *callable) label() string {
	if f.kind == code.Constructor {
		return "new " + f.owner + "()"
	}
	return lastState(f.name) + "()"
}
