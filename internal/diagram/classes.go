package diagram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// Bounds of the class diagram: more cannot be read.
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

// newBoxes returns the identifier of each type's box, and those of each name:
// types of one name differ in their type parameters, or stand in two packages.
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

// boxOf returns the box of a base as written in a type: by its whole name, by that
// name in a namespace around the type, or by its last part; "" when it is not drawn.
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

// bareBase returns a base without the words of access and the arguments around it.
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
	if box != s.Name { // "::" makes no identifier, nor does a name that is taken
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

// access returns the mark of who may use a member.
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

// memberText writes a member's name. Brackets and what marks static and abstract
// members at the end of a line belong to the name.
func memberText(name string) string {
	return strings.NewReplacer("(", "#40;", ")", "#41;", "$", "#36;", "*", "#42;", "%", "#37;").Replace(mermaidText(name))
}

// baseName returns the bare name of a base: Bar of pkg.Bar<T>.
func baseName(base string) string {
	base = bareBase(base)
	return base[strings.LastIndexAny(base, `.:\`)+1:]
}
