package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Python: dataclasses, TypedDict, NamedTuple and pydantic models, as pydantic accepts them; a
// field with a default is optional.

// pythonForm is the kind of a class that is a data structure.
type pythonForm string

const (
	pyDataclass  pythonForm = "dataclass"
	pyTypedDict  pythonForm = "TypedDict"
	pyModel      pythonForm = "BaseModel"
	pyNamedTuple pythonForm = "NamedTuple"
)

func pythonData(b *book, t *decl) bool { return b.pythonForm(t, 0) != "" }

// pythonForm returns the kind of a class by its decorators and its bases, recursively.
func (b *book) pythonForm(t *decl, depth int) pythonForm {
	if t.Kind != code.Class || depth > maxDepth {
		return ""
	}
	for _, d := range t.Decorators {
		if name, _ := call(d); lastOf(name) == string(pyDataclass) {
			return pyDataclass
		}
	}
	for _, base := range t.Bases {
		name := b.typeOf("python", base).Last()
		if form := pythonForm(name); form == pyTypedDict || form == pyModel || form == pyNamedTuple {
			return form
		}
		if other := b.find(name, "python", t.File); other != nil && other != t {
			if form := b.pythonForm(other, depth+1); form != "" {
				return form
			}
		}
	}
	return ""
}

func lastOf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func pythonDefine(s scope) (object, bool) {
	if s.decl.Kind == code.Enum {
		return pythonEnum(s.decl.Symbol)
	}
	if s.decl.Kind == code.TypeDef {
		return s.ofText(s.decl.Value), s.decl.Value != ""
	}
	form := s.pythonForm(s.decl, 0)
	if form == "" {
		return nil, false
	}
	var list []property
	for i := range s.decl.Members {
		if p, ok := s.pythonField(&s.decl.Members[i], form); ok {
			list = append(list, p)
		}
	}
	if form == pyNamedTuple {
		var items []object
		for _, p := range list {
			items = append(items, p.schema)
		}
		return tuple(items), true
	}
	var bases []object
	for _, base := range s.decl.Bases {
		of := s.read(base)
		_, _, keyword := cutAssign(base)
		t := s.find(of.Last(), "python", s.decl.File)
		switch {
		case keyword || slices.Contains(pythonBare, of.Last()):
		case t != nil && s.pythonForm(t, 0) != "":
			bases = append(bases, s.ask(t, of.Args))
		case t == nil:
			bases = append(bases, unknown("what "+base+" adds is not known here"))
		}
	}
	return also(bases, structure(list, s.pythonRest())), true
}

// pythonBare are bases without fields.
var pythonBare = []string{
	string(pyTypedDict), string(pyModel), string(pyNamedTuple), "Generic", "Protocol", "ABC", "object",
}

// pythonRest returns false for a model that forbids additional properties.
func (s scope) pythonRest() any {
	for _, m := range s.decl.Members {
		if m.Name == "model_config" && strings.Contains(strings.ReplaceAll(m.Value, "'", `"`), `"forbid"`) {
			return false
		}
	}
	return nil
}

// pythonField returns the property of a class's member; ok is false if it is not a field.
func (s scope) pythonField(m *code.Symbol, form pythonForm) (property, bool) {
	t := s.read(m.Returns)
	hidden := form == pyModel && strings.HasPrefix(m.Name, "_")
	if m.Kind != code.Property || m.Returns == "" || hidden || slices.Contains([]string{"ClassVar", "InitVar"}, t.Last()) {
		return property{}, false
	}
	p := property{name: m.Name}
	switch form {
	case pyTypedDict:
		p.optional = slices.Contains(s.decl.Bases, "total=False") && t.Last() != "Required" || m.Optional
	case pyDataclass, pyModel:
		p.optional = m.Value != ""
	case pyNamedTuple:
	}
	p.schema = s.of(t)
	if name, args := call(m.Value); lastOf(name) == "Field" || lastOf(name) == "field" {
		p.optional = hasDefault(args)
		p.schema = constrain(p.schema, args)
		p.name = or(textOf(args, "alias"), p.name)
	}
	return p, true
}

// hasDefault inspects the arguments of field and Field; Field(...) has no default.
func hasDefault(args map[string]string) bool {
	_, byDefault := args["default"]
	_, factory := args["default_factory"]
	first, positional := args["0"]
	return byDefault || factory || positional && first != "..."
}

// constraints maps arguments of pydantic's Field to JSON Schema keywords.
var constraints = []struct{ field, keyword, text string }{
	{"gt", "exclusiveMinimum", ""},
	{"ge", "minimum", ""},
	{"lt", "exclusiveMaximum", ""},
	{"le", "maximum", ""},
	{"multiple_of", "multipleOf", ""},
	{"min_length", "minItems", "minLength"},
	{"max_length", "maxItems", "maxLength"},
	{"pattern", "", "pattern"},
	{"description", "description", "description"},
}

// constrain adds the constraints of Field.
func constrain(n object, args map[string]string) object {
	kind, isText := n.get("type").(string)
	if !isText {
		return n
	}
	for _, c := range constraints {
		v, ok := literal(strings.TrimPrefix(args[c.field], "r"))
		keyword := c.keyword
		if kind == "string" && c.text != "" {
			keyword = c.text
		}
		if ok && keyword != "" && n.get(keyword) == nil {
			n = append(slices.Clip(n), member{keyword, v})
		}
	}
	return n
}

// pythonEnum returns the values; auto() counts from 1.
func pythonEnum(t *code.Symbol) (object, bool) {
	var values []any
	for _, m := range t.Members {
		if m.Kind != code.EnumMember {
			continue
		}
		v, ok := literal(m.Value)
		if name, _ := call(m.Value); lastOf(name) == "auto" {
			v, ok = json.Number(strconv.Itoa(len(values)+1)), true
			if slices.Contains(t.Bases, "StrEnum") || slices.Contains(t.Bases, "enum.StrEnum") {
				v = strings.ToLower(m.Name)
			}
		}
		if !ok {
			return nil, false
		}
		values = append(values, v)
	}
	return enum(values), len(values) > 0
}
