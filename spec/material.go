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
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/api"
)

// material is the input of a spec.
type material struct {
	project *project.Project
	target  string // relative to the project; "." for all of it
	name    string // display name
	module  string // the MODULE part of ids: "AUTH"
	lang    string
	// idLang is the language of the old spec's titles. Items are matched with old ids by title
	// in that language, whatever the language of the new spec.
	idLang   string
	now      time.Time
	tree     *source.Tree
	merged   code.Skeleton
	public   []named // the exports of merged with their exported members
	claims   []evidence.Claim
	stated   map[string][]*evidence.Claim // by id of the requirement that states them
	notRun   []string                     // of the contract tests that --check could not run, why
	unproven []unproven
	showing  map[string][]string // the places of the tests that show a requirement, by its id
	// elsewhere are the files outside the target of which a test reaches it.
	elsewhere     []*code.File
	reach         map[string]int      // the number of tests of each file that reach the target
	tables        map[string]situated // by requirement: the table in its text
	glanceCut     bool                // the summary leaves cases out
	saidOf        map[string]bool     // places of the symbols of which a requirement gives the documentation
	sentinelTexts map[string]string   // by the name of the error; nil until needed
	signatures    map[string]string   // of the exports, without spaces; nil until needed
	limits        limits
	left          leftOut
	kept          map[string]bool // ids of the requirements with text that a person keeps
	files         []string        // their paths; nil until needed
	cases         []*cases.Case
	reaching      *cases.Reaching
	coverage      *Coverage                 // what the tools measured while the contract tests ran; nil for nothing
	shownOf       map[*evidence.Claim]Shown // how tests show claims, by coverage
	groups        []exitGroup               // see exitGroups; nil until needed
	tried         []*trial                  // see trials; nil until needed
	scenes        map[*cases.Case]candidate // those that were put into words
	shownIn       map[checkedBy][]example   // see checkExamples
	api           *api.Module               // the interface; nil until needed
	functions     []toldFunction            // see toldFunctions; nil until needed
	behindRoutes  []*service.Endpoint       // see behind
	asking        map[string]bool           // the places of the tests that send requests to these; nil until needed
	askingFiles   map[string]bool           // and their files
	answeredAt    map[string]bool           // the places at which these refuse requests
}

func newMaterial(p *project.Project, tree *source.Tree, lang string, now time.Time) *material {
	m := &material{project: p, target: tree.Target, name: tree.Target, lang: lang, idLang: lang, now: now, tree: tree, stated: map[string][]*evidence.Claim{}, showing: map[string][]string{}, saidOf: map[string]bool{}, kept: map[string]bool{}, shownOf: map[*evidence.Claim]Shown{}, shownIn: map[checkedBy][]example{}}
	if m.name == "." {
		m.name = path.Base(p.Root())
	}
	m.module = moduleName(m.name)
	m.merged = code.Merge(tree.Target, tree.Files, now)
	m.public = interfaceOf(m.merged.Exports)
	return m
}

// moduleName returns the MODULE part of ids, from the last element of a path: "AUTH" for
// src/auth, "LOGIN" for src/auth/login.ts.
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

// specID returns the id of a spec, from the whole path of its target.
func specID(target string) string {
	id := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToUpper(c)
		}
		return '-'
	}, target)
	return "SPEC-" + strings.Trim(id, "-")
}

// sources returns the files that are not tests.
func (m *material) sources() []*code.File {
	return slices.DeleteFunc(slices.Clone(m.tree.Files), func(f *code.File) bool { return f.Test })
}

// named is a symbol with its qualified name and a key that is unique in the module: the name
// itself, "name(types)" for separate overloads, or "name@file" if several files have the name.
type named struct {
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
			s.key += "(" + cases.ParameterTypes(s.Symbol) + ")"
		}
		if len(files[s.name]) > 1 {
			s.key += "@" + s.File
		}
	}
}

// nameOfKey parses a key.
func nameOfKey(key string) cases.Name {
	name, file, _ := strings.Cut(key, "@")
	name, params, overloaded := strings.Cut(name, "(")
	return cases.Name{Qualified: name, Overloaded: overloaded, Params: strings.TrimSuffix(params, ")"), File: file}
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

// kinds counts symbols by kind: "3 functions, 1 class".
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
