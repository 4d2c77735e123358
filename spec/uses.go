package spec

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Limits of the sentence about what a module uses: folders, and names of each.
const (
	usedFolders = 4
	usedNames   = 3
)

// usesLine names what the module uses of other folders of the project; "" for nothing.
func (m *material) usesLine() string {
	names := m.usedOf()
	dirs := slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		return cmp.Or(min(len(names[b]), 1)-min(len(names[a]), 1), strings.Compare(a, b))
	})
	if len(dirs) == 0 {
		return ""
	}
	var parts []string
	for _, dir := range dirs[:min(len(dirs), usedFolders)] {
		part := markdown.Code(dir)
		if len(names[dir]) > 0 {
			part = fmt.Sprintf(wording.In(m.lang, "%[1]s of %[2]s", "%[2]s 的 %[1]s"), m.few(names[dir]), part)
		}
		parts = append(parts, part)
	}
	text := strings.Join(parts, wording.In(m.lang, "; ", "；"))
	if left := len(dirs) - usedFolders; left > 0 {
		text += fmt.Sprintf(wording.In(m.lang, "; and %[1]s", "；另有 %[2]d 个目录"), wording.Count(left, "other folder"), left)
	}
	return "\n\n" + fmt.Sprintf(wording.In(m.lang, "Uses %s.", "使用 %s。"), text)
}

// usedOf returns the names that the module uses of each other folder of the project; none if only the import is known.
func (m *material) usedOf() map[string][]string {
	own := map[string]bool{".": true}
	for _, f := range m.sources() {
		own[path.Dir(f.Path)] = true
	}
	names := map[string][]string{}
	for _, f := range m.sources() {
		for _, file := range m.tree.Links.Imports(f.Path) {
			if dir := path.Dir(file); !own[dir] {
				names[dir] = appendNew(names[dir], nil)
			}
		}
		for _, n := range m.tree.Links.Linked(f.Path) {
			for _, u := range m.tree.Links.Uses(n) {
				to := u.To.Outer()
				if dir := path.Dir(to.File); !own[dir] && !u.To.Test && to.Path() != "" {
					name, _, _ := strings.Cut(to.Path(), ".")
					if isPrivate(name, m.languageOf(to.File)) { // of an interface that it happens to fit
						continue
					}
					names[dir] = appendNew(names[dir], []string{name})
				}
			}
		}
	}
	return names
}

// isPrivate reports whether a name is not exported, in languages where its form says so.
func isPrivate(name, language string) bool {
	return strings.HasPrefix(name, "_") || language == "go" && name != "" && name[0] >= 'a' && name[0] <= 'z'
}

// few lists the first names as code and counts the others.
func (m *material) few(names []string) string {
	var out []string
	for _, name := range names[:min(len(names), usedNames)] {
		out = append(out, markdown.Code(name))
	}
	text := strings.Join(out, ", ")
	if left := len(names) - usedNames; left > 0 {
		text += fmt.Sprintf(wording.In(m.lang, " and %[1]d more", " 等 %[2]d 项"), left, len(names))
	}
	return text
}

// does says what the main function of the module does, in order: what it calls of other modules, what it does to what it is
// given, and how it refuses; "" if it does none of these.
func (m *material) does() string {
	main, later := m.mainFunction()
	if main == "" || !later && len(m.functionsExported()) > 1 {
		return ""
	}
	acts := m.lastNames(main, later)
	if !later && len(acts) == 0 {
		return ""
	}
	var parts []string
	for _, c := range m.ofKind(evidence.Call) {
		if names := beside(c.Values, acts); c.Subject == main && len(names) > 0 {
			parts = append(parts, fmt.Sprintf(wording.In(m.lang, "calls %s", "调用 %s"), m.sum(names)))
		}
	}
	made, at := m.makesCalls(main, later)
	refuses, first := m.mayRefuse(main)
	parts = append(append(parts, made...), refuses...)
	at = cmp.Or(at, first)
	if len(parts) == 0 {
		return ""
	}
	end := wording.In(m.lang, ".", "。")
	if at != "" {
		end += " (" + m.place(at) + ")"
	}
	return codeSpan(main) + " " + strings.Join(parts, wording.In(m.lang, "; ", "；")) + end
}

// makesCalls says which calls a function makes for their effect, and where the first is.
func (m *material) makesCalls(symbol string, later bool) (parts []string, at string) {
	for _, s := range m.sequences() {
		if s.symbol != symbol || s.later != later {
			continue
		}
		var texts, statuses []string
		for i := range s.acts {
			if a := &s.acts[i]; !a.answers() {
				texts = appendNew(texts, []string{a.text})
			} else if a.claim.Name != "" {
				statuses = appendNew(statuses, []string{a.claim.Name})
			}
		}
		at = s.acts[0].at
		if len(texts) > 0 && len(texts) <= mostNamed {
			parts = append(parts, fmt.Sprintf(wording.In(m.lang, "makes the call %s", "执行 %s"), strings.Join(texts, wording.In(m.lang, ", then ", "，然后 "))))
		}
		if len(statuses) > 0 {
			parts = append(parts, fmt.Sprintf(wording.In(m.lang, "may answer %s", "可能回答 %s"), strings.Join(statuses, wording.In(m.lang, " or ", " 或 "))))
		}
	}
	return parts, at
}

// mayRefuse says how a function and the function that it returns may end with an error, and where the first is.
func (m *material) mayRefuse(symbol string) (parts []string, at string) {
	for _, g := range m.exitGroups() {
		if g.symbol != symbol {
			continue
		}
		at = cmp.Or(at, g.rows[0].at)
		verb := m.commonVerb(g.rows)
		if g.subject(m).answered {
			verb = fmt.Sprintf(wording.In(m.lang, "answer %s", "回答 %s"), m.statuses(g.rows))
		}
		parts = append(parts, fmt.Sprintf(wording.In(m.lang, "may %[1]s (%[2]s)", "可能%[1]s（%[3]d 种情形）"), verb, wording.Count(len(g.rows), "case"), len(g.rows)))
	}
	return parts, at
}

// lastNames returns the last names of what a function calls for its effect.
func (m *material) lastNames(symbol string, later bool) []string {
	var out []string
	for _, s := range m.sequences() {
		for i := range s.acts {
			if s.symbol == symbol && s.later == later {
				out = append(out, lastPart(s.acts[i].claim.Name))
			}
		}
	}
	return out
}

// beside returns called functions without constructors and without those with some last names; of two with one last name,
// the longer.
func beside(values, acts []string) []string {
	var out []string
	for _, v := range values {
		if last := lastPart(v); last == "constructor" || last == "__init__" || slices.Contains(acts, last) {
			continue
		}
		if i := slices.IndexFunc(out, func(o string) bool { return lastPart(o) == lastPart(v) }); i >= 0 {
			out[i] = v
			continue
		}
		out = append(out, v)
	}
	return out
}

// codes marks texts as code.
func codes(list []string) []string {
	var out []string
	for _, text := range list {
		out = append(out, codeSpan(text))
	}
	return out
}

// functionsExported returns the names of the functions that the module exports.
func (m *material) functionsExported() []string {
	var out []string
	for i := range m.merged.Exports {
		if s := &m.merged.Exports[i]; s.Kind == code.Function || s.Kind.HoldsMembers() {
			out = append(out, s.Name)
		}
	}
	return out
}
