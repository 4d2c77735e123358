package diagram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// Limits of the class diagram, for readability.
const (
	maxClasses = 20
	maxMembers = 12
)

// classDiagram draws the exported types with their public members.
func (m Module) classDiagram() []Diagram {
	var types []*code.Symbol
	for i := range m.Exports {
		if s := &m.Exports[i]; s.Kind.HoldsMembers() {
			types = append(types, s)
		}
	}
	if len(types) == 0 {
		return nil
	}
	left := max(0, len(types)-maxClasses)
	types = types[:len(types)-left]
	boxes, known := newBoxes(types)
	b := &strings.Builder{}
	b.WriteString("classDiagram")
	for i, s := range types {
		drawClass(b, s, boxes[i])
	}
	for i, s := range types {
		for _, base := range s.Bases {
			if box := boxOf(known, base, s.Name); box != "" && box != boxes[i] {
				fmt.Fprintf(b, "\n  %s <|-- %s", box, boxes[i])
			}
		}
	}
	caption := wording.In(m.Lang, "The exported types, their public members and what they are built on%s:", "导出的类型、公开成员及其基类%s：")
	return []Diagram{{fmt.Sprintf(caption, m.notDrawn(left)), b.String()}}
}

// newBoxes returns the identifier of each type's box, and the boxes by type name. Types of one
// name may differ in type parameters or package.
func newBoxes(types []*code.Symbol) (boxes []string, known map[string]string) {
	known = map[string]string{}
	used := map[string]int{}
	for _, s := range types {
		box := mermaidID(s.Name)
		if used[box]++; used[box] > 1 {
			box += "_" + strconv.Itoa(used[box])
		}
		boxes = append(boxes, box)
		if known[s.Name] == "" {
			known[s.Name] = box
		}
	}
	return boxes, known
}

// boxOf returns the box of a base as written: by its full name, by that name in an enclosing
// namespace, or by its last part; "" if it is not drawn.
func boxOf(known map[string]string, base, owner string) string {
	name := bareBase(base)
	for scope := owner; ; {
		i := strings.LastIndex(scope, "::")
		if i < 0 {
			break
		}
		scope = scope[:i]
		if box := known[scope+"::"+name]; box != "" {
			return box
		}
	}
	if box := known[name]; box != "" {
		return box
	}
	return known[baseName(base)]
}

// bareBase returns a base without access keywords and arguments.
func bareBase(base string) string {
	words := strings.Fields(base)
	for len(words) > 1 && slices.Contains([]string{"public", "protected", "private", "virtual"}, words[0]) {
		words = words[1:]
	}
	base = strings.Join(words, " ")
	base = strings.TrimLeft(base, "*&:\\")
	if i := strings.IndexAny(base, "<[( "); i >= 0 {
		base = base[:i]
	}
	return base
}

func drawClass(b *strings.Builder, s *code.Symbol, box string) {
	fmt.Fprintf(b, "\n  class %s", box)
	if box != s.Name { // "::" is not valid in an identifier, and names must be unique
		title := s.Name
		if len(s.TypeParameters) > 0 && !strings.Contains(title, "<") {
			title += "<" + strings.Join(s.TypeParameters, ", ") + ">"
		}
		fmt.Fprintf(b, "[\"%s\"]", mermaidText(title))
	}
	b.WriteString(" {")
	stereotypes := []code.Kind{code.Interface, code.Enum, code.Trait, code.Module, code.Object, code.Extension}
	if slices.Contains(stereotypes, s.Kind) {
		fmt.Fprintf(b, "\n    <<%s>>", s.Kind)
	}
	shown := 0
	for _, m := range s.Members {
		if !m.Exported || m.Kind == code.Embedded {
			continue
		}
		if shown++; shown > maxMembers {
			b.WriteString("\n    ...")
			break
		}
		access, mark := access(m.Visibility), ""
		if m.Kind == code.Method || m.Kind == code.Constructor {
			mark = "()"
		}
		fmt.Fprintf(b, "\n    %s%s%s", access, memberText(m.Name), mark)
	}
	b.WriteString("\n  }")
}

// access returns UML's visibility mark of a member.
func access(v code.Visibility) string {
	switch v {
	case code.Protected:
		return "#"
	case code.Package:
		return "~"
	case code.Public, code.Private:
	}
	return "+"
}

// memberText formats a member's name. Trailing brackets and marks for static and abstract
// members are escaped as part of the name.
func memberText(name string) string {
	return strings.NewReplacer("(", "#40;", ")", "#41;", "$", "#36;", "*", "#42;", "%", "#37;").Replace(mermaidText(name))
}

// baseName returns the bare name of a base: Bar for pkg.Bar<T>.
func baseName(base string) string {
	base = bareBase(base)
	return base[strings.LastIndexAny(base, `.:\`)+1:]
}
