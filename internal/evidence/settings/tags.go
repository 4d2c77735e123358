package settings

import (
	"reflect"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// tags reads the fields of Go structs whose tags name variables: caarlos0/env, cleanenv, sethvargo/go-envconfig and
// kelseyhightower/envconfig.
type tags struct {
	Source
	structs map[string]*springClass
	inner   map[string]bool // types that are fields of others
	out     Declared
}

func readTags(s Source) Declared {
	r := &tags{Source: s, structs: map[string]*springClass{}, inner: map[string]bool{}}
	for _, f := range s.Files {
		if f.Language != "go" {
			continue
		}
		for i := range f.Symbols {
			if c := &f.Symbols[i]; c.Kind == code.Struct {
				r.structs[c.Name] = &springClass{f, c.Name, c}
				for j := range c.Members {
					r.inner[strings.TrimLeft(c.Members[j].Returns, "*")] = true
				}
			}
		}
	}
	prefix := r.prefix()
	for _, f := range s.Files {
		for i := range f.Symbols {
			if c := r.structs[f.Symbols[i].Name]; c != nil && c.file == f && c.symbol == &f.Symbols[i] && !r.inner[c.path] {
				r.fields(c, prefix, 0)
			}
		}
	}
	return r.out
}

// prefix returns the prefix that envconfig gives to the variables: envconfig.Process("app", &config).
func (r *tags) prefix() string {
	out := ""
	r.eachCalling(func(c *code.Call) bool { return c.Receiver == "envconfig" }, func(at site) {
		v := at.value
		if v.Kind != code.ValueCall || v.Text != "envconfig.Process" && v.Text != "envconfig.MustProcess" {
			return
		}
		if text, ok := literal(v.Arg(0)); ok && text != "" {
			out = strings.ToUpper(text) + "_"
		}
	})
	return out
}

// fields reads the fields of a struct.
func (r *tags) fields(c *springClass, prefix string, depth int) {
	if depth > maxNested {
		return
	}
	for i := range c.symbol.Members {
		m := &c.symbol.Members[i]
		_, text, _ := strings.Cut(m.Signature, "`")
		tag := reflect.StructTag(strings.TrimSuffix(text, "`"))
		if m.Kind != code.Property {
			continue
		}
		if inner := r.structs[strings.TrimLeft(m.Returns, "*")]; inner != nil && inner != c && tag.Get("env") == "" {
			more := tag.Get("envPrefix") + tag.Get("env-prefix")
			r.fields(inner, prefix+more, depth+1)
			continue
		}
		r.field(c, m, tag, prefix)
	}
}

// field reads a field with a tag.
func (r *tags) field(c *springClass, m *code.Symbol, tag reflect.StructTag, prefix string) {
	list := strings.Split(tag.Get("env"), ",")
	s := Setting{Class: c.path, Type: m.Returns, Help: or(firstSentence(tag.Get("desc")+tag.Get("env-description")), firstSentence(m.Doc)), At: []Place{{c.file.Path, line(m), m.Name}}}
	switch {
	case list[0] != "" && list[0] != "-":
		s.Name = prefix + list[0]
	case tag.Get("envconfig") != "" && tag.Get("envconfig") != "-":
		s.Name = prefix + strings.ToUpper(tag.Get("envconfig"))
	default:
		return
	}
	if !isName(s.Name) {
		return
	}
	for _, key := range []string{"envDefault", "env-default", "default"} {
		s.Default = or(s.Default, tag.Get(key))
	}
	for _, option := range list[1:] {
		if value, ok := strings.CutPrefix(strings.TrimSpace(option), "default="); ok {
			s.Default = value
		}
	}
	s.Required = s.Default == "" && (slices.ContainsFunc(list[1:], func(o string) bool { return slices.Contains([]string{"required", "notEmpty"}, strings.TrimSpace(o)) }) ||
		tag.Get("required") == "true" || tag.Get("env-required") == "true")
	r.out.add(&s)
}
