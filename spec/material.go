package spec

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/api"
)

// material is what a spec is made of.
type material struct {
	project *project.Project
	target  string // relative to the project; "." for all of it
	name    string // what to call it
	module  string // the MODULE of ids: "AUTH"
	lang    string
	// idLang is the language that the titles of the old spec are in: ids stay with what has the
	// same title there, whatever the language of the new one.
	idLang   string
	now      time.Time
	tree     *source.Tree
	merged   code.Skeleton
	found    []evidence.Finding
	refusals map[string]*evidence.Refusal // by the ids of the requirements to refuse
	unproven []unproven
	// elsewhere are the tests outside the target that use the interface.
	elsewhere []*code.File
	// further is how many tests use the interface and are no scenario.
	further int
}

func newMaterial(p *project.Project, tree *source.Tree, lang string, now time.Time) *material {
	m := &material{project: p, target: tree.Target, name: tree.Target, lang: lang, idLang: lang, now: now, tree: tree, refusals: map[string]*evidence.Refusal{}}
	if m.name == "." {
		m.name = path.Base(p.Root())
	}
	m.module = moduleName(m.name)
	m.merged = code.Merge(tree.Target, tree.Files, now)
	return m
}

// moduleName makes the MODULE of ids from the last element of a path: "AUTH"
// from src/auth, "LOGIN" from src/auth/login.ts.
func moduleName(target string) string {
	base := path.Base(target)
	if ext := path.Ext(base); ext != base {
		base = strings.TrimSuffix(base, ext)
	}
	id := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToUpper(c)
		}
		return '-'
	}, base)
	if id = strings.Trim(id, "-"); id == "" {
		return "MODULE"
	}
	return id
}

// specID makes a spec's id from its whole path.
func specID(target string) string {
	id := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToUpper(c)
		}
		return '-'
	}, target)
	return "SPEC-" + strings.Trim(id, "-")
}

// sources yields the files that are not tests.
func (m *material) sources() []*code.File {
	return slices.DeleteFunc(slices.Clone(m.tree.Files), func(f *code.File) bool { return f.Test })
}

// tests yields the test files.
func (m *material) tests() []*code.File {
	return slices.DeleteFunc(slices.Clone(m.tree.Files), func(f *code.File) bool { return !f.Test })
}

// named is a symbol with its qualified name, and with a key that no other symbol
// of the module has: the name itself, "name(types)" for overloads that stand
// apart, "name@file" where several files have the name.
type named struct {
	here      string // the signature as the file alone has it; of contract tests
	name, key string
	*code.Symbol
}

// interfaceOf returns the exported symbols and their exported members, in order.
func interfaceOf(list []code.Symbol) []named {
	var out []named
	for i := range list {
		out = appendNamed(out, "", &list[i])
	}
	setKeys(out)
	return out
}

func setKeys(list []named) {
	files, times := map[string]map[string]bool{}, map[string]int{}
	for _, s := range list {
		if files[s.name] == nil {
			files[s.name] = map[string]bool{}
		}
		files[s.name][s.File] = true
		times[s.name+"@"+s.File]++
	}
	for i := range list {
		s := &list[i]
		s.key = s.name
		if times[s.name+"@"+s.File] > 1 {
			s.key += "(" + cmp.Or(parameterTypes(s.Params), strings.Join(s.TypeParameters, ", ")) + ")"
		}
		if len(files[s.name]) > 1 {
			s.key += "@" + s.File
		}
	}
}

// nameOfKey takes a key apart.
func nameOfKey(key string) cases.Name {
	name, file, _ := strings.Cut(key, "@")
	name, params, overloaded := strings.Cut(name, "(")
	return cases.Name{Qualified: name, Overloaded: overloaded, Params: strings.TrimSuffix(params, ")"), File: file}
}

func parameterTypes(list []code.Param) string {
	var out []string
	for _, p := range list {
		out = append(out, cmp.Or(strings.Join(strings.Fields(p.Type), " "), p.Name))
	}
	return strings.Join(out, ", ")
}

func appendNamed(out []named, owner string, s *code.Symbol) []named {
	if !s.Exported {
		return out
	}
	name := s.Name
	if owner != "" {
		name = owner + "." + name
	}
	out = append(out, named{name: name, Symbol: s})
	for i := range s.Members {
		out = appendNamed(out, name, &s.Members[i])
	}
	return out
}

// kinds counts symbols by kind, in words: "3 functions, 1 class".
func kinds(list []code.Symbol) string {
	count := map[code.Kind]int{}
	var order []code.Kind
	for _, s := range list {
		if count[s.Kind] == 0 {
			order = append(order, s.Kind)
		}
		count[s.Kind]++
	}
	slices.SortStableFunc(order, func(a, b code.Kind) int { return count[b] - count[a] })
	var out []string
	for _, k := range order {
		out = append(out, wording.Count(count[k], string(k)))
	}
	return strings.Join(out, ", ")
}

// languageOf returns the language of a file of the module.
func (m *material) languageOf(file string) string {
	return cmp.Or(api.LanguageOf(m.tree.Files, file), m.merged.Language)
}
