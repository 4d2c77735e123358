package diagram

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Limits of state diagrams; larger ones are not drawn.
const (
	maxMachines = 3
	maxStates   = 20
	maxMoves    = 40
	stateText   = 60 // bytes of a label
)

// stateSet is a set of constants that a value can have: of an enumeration, a Go type with
// named values, a union of literals, or a sequence of constant declarations.
type stateSet struct {
	name   string   // of the type; "" for a sequence of constants
	field  string   // the only value with this type; "" for a named type
	texts  bool     // they are string literals
	values []string // in declaration order
}

// machine is a value whose states are the constants that it is set to.
type machine struct {
	of    string
	set   *stateSet
	first string // the initial constant; "" if unknown
	moves []fileMove
}

type fileMove struct {
	file, from, to string
	paths.Transition
}

// stateDiagrams draws the values that are set to another constant of their type depending on
// their current one.
func (m Module) stateDiagrams() []Diagram {
	var out []Diagram
	for _, machine := range m.machines() {
		edges, states := machine.edges()
		if len(out) == maxMachines || len(edges) < 2 || len(edges) > maxMoves || len(states) > maxStates {
			continue
		}
		out = append(out, Diagram{m.machineCaption(machine), machine.draw(edges, states)})
	}
	return out
}

// machines groups the module's transitions by value.
func (m Module) machines() []*machine {
	sets := m.stateSets()
	var list []*machine
	at := map[string]*machine{}
	for _, f := range m.Files {
		if f.Bodies == nil || f.Generated || f.Vendored || len(sets[""])+len(sets[f.Path]) == 0 {
			continue
		}
		for _, move := range paths.Transitions(f.Bodies.Functions) {
			for _, from := range move.From {
				set := stateSetOf(sets, f.Path, move.Of, from, move.To)
				if set == nil || lastState(from) == lastState(move.To) {
					continue
				}
				of := lastState(move.Of)
				key := fmt.Sprintf("%p.%s", set, of)
				if at[key] == nil {
					at[key] = &machine{of: of, set: set, first: firstState(f.Symbols, of, set)}
					list = append(list, at[key])
				}
				at[key].moves = append(at[key].moves, fileMove{f.Path, lastState(from), lastState(move.To), move})
			}
		}
	}
	return list
}

// firstState returns the constant of a set that the field or variable is initialised with; ""
// if unknown.
func firstState(list []code.Symbol, of string, set *stateSet) string {
	for i := range list {
		s := &list[i]
		if v := lastState(s.Value); s.Name == of && slices.Contains(set.values, v) {
			return v
		}
		if v := firstState(s.Members, of, set); v != "" {
			return v
		}
	}
	return ""
}

// lastState returns the constant or field at the end of a path: "Open" for "State::Open".
func lastState(text string) string {
	if strings.ContainsAny(text, `"'`) {
		return strings.Trim(text, `"'`)
	}
	return text[strings.LastIndexAny(text, ".:")+1:]
}

// stateEdge is a transition between two states.
type stateEdge struct{ from, to string }

// edges returns the transitions with their labels, and the states in declaration order.
func (x *machine) edges() (edges map[stateEdge][]string, states []string) {
	edges = map[stateEdge][]string{}
	several := slices.ContainsFunc(x.moves, func(m fileMove) bool { return m.In != x.moves[0].In })
	for _, m := range x.moves {
		label := markdown.Clip(m.When, stateText)
		if several {
			label = strings.TrimSuffix(lastState(m.In)+": "+label, ": ")
		}
		e := stateEdge{m.from, m.to}
		if edges[e] == nil {
			edges[e] = []string{}
		}
		if label != "" && !slices.Contains(edges[e], label) {
			edges[e] = append(edges[e], label)
		}
	}
	for _, v := range x.set.values {
		for e := range edges {
			if (e.from == v || e.to == v) && !slices.Contains(states, v) {
				states = append(states, v)
			}
		}
	}
	return edges, states
}

func (x *machine) draw(edges map[stateEdge][]string, states []string) string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2")
	for i, s := range states {
		fmt.Fprintf(&b, "\n  state \"%s\" as S%d", mermaidText(s), i)
	}
	id := func(s string) int { return slices.Index(states, s) }
	if i := id(x.first); i >= 0 {
		fmt.Fprintf(&b, "\n  [*] --> S%d", i)
	}
	order := slices.SortedFunc(maps.Keys(edges), func(a, b stateEdge) int {
		return cmp.Or(cmp.Compare(id(a.from), id(b.from)), cmp.Compare(id(a.to), id(b.to)))
	})
	for _, e := range order {
		fmt.Fprintf(&b, "\n  S%d --> S%d", id(e.from), id(e.to))
		labels := edges[e]
		if len(labels) == 0 {
			continue
		}
		text := labels[0]
		if len(labels) > 1 {
			text += fmt.Sprintf(" (+%d)", len(labels)-1)
		}
		b.WriteString(" : " + strings.ReplaceAll(mermaidText(text), "::", "#58;#58;"))
	}
	return b.String()
}

// machineCaption names the value, its type and the places where it is set.
func (m Module) machineCaption(x *machine) string {
	var places []string
	seen := map[string]bool{}
	for _, move := range x.moves {
		if !seen[move.In] {
			seen[move.In] = true
			places = append(places, fmt.Sprintf("`%s` (`%s:%d`)", move.In, move.file, move.Line))
		}
	}
	left := len(places) - maxListedPlaces
	places = places[:min(len(places), maxListedPlaces)]
	of := markdown.Code(x.of)
	if x.set.name != "" && x.set.field == "" {
		of += fmt.Sprintf(wording.In(m.Lang, " (of type %s)", "（类型 %s）"), markdown.Code(x.set.name))
	}
	return fmt.Sprintf(wording.In(m.Lang, "States of %s, as set by %s%s:", "%s的状态，由 %s 设置%s："),
		of, strings.Join(places, ", "), m.notDrawn(left))
}

// maxListedPlaces limits the places in a caption.
const maxListedPlaces = 5
