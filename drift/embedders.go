package drift

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// addEmbedders adds the folders of Go below a folder whose types embed, rename or are made of types of changed folders, and
// those that do so with the added ones: members that the types there gain or lose, these gain or lose, too. Nobody gains or loses
// any if the types of a changed folder are as they were.
func (m *modules) addEmbedders(ctx context.Context, below string, changed map[string]bool) {
	open := make([]string, 0, len(changed))
	for dir := range changed {
		if m.hasGo(dir) && !m.sameTypes(ctx, dir) {
			open = append(open, dir)
		}
	}
	for len(open) > 0 {
		paths := m.importPaths(open)
		open = nil
		if len(paths) == 0 {
			return
		}
		for dir, files := range m.after {
			if !changed[dir] && isBelow(below, dir) && slices.ContainsFunc(files, func(file string) bool { return m.embeds(file, paths) }) {
				changed[dir] = true
				open = append(open, dir)
			}
		}
	}
}

func (m *modules) hasGo(dir string) bool {
	return slices.ContainsFunc(m.after[dir], func(file string) bool { return path.Ext(file) == ".go" })
}

// sameTypes reports whether the types that a folder declares are those that it declared, with the same members.
func (m *modules) sameTypes(ctx context.Context, dir string) bool {
	var sides [2]string
	for i, p := range []*project.Project{m.old, m.reading} {
		tree, err := source.Read(ctx, p, dir, source.Options{Scope: source.Folder})
		if err != nil {
			return false
		}
		s := code.Merge(dir, tree.Files, time.Now())
		var list []string
		for _, symbols := range [][]code.Symbol{s.Exports, s.Internals, s.Variants} {
			for k := range symbols {
				if group(symbols[k].Kind) == "type" || symbols[k].Kind == code.Const { // which may be the length of an array
					list = append(list, headOf(&symbols[k]))
				}
			}
		}
		slices.Sort(list)
		sides[i] = strings.Join(list, "\n")
	}
	return sides[0] == sides[1]
}

// headOf returns what a declaration says besides bodies, with its members.
func headOf(s *code.Symbol) string {
	list := []string{s.Name, string(s.Kind), s.Constraint, s.Receiver, s.Signature, s.SignatureHash, s.Value, strings.Join(s.Bases, ",")}
	for i := range s.Members {
		list = append(list, headOf(&s.Members[i]))
	}
	return id(list...)
}

// importPaths returns what other packages import of folders of Go.
func (m *modules) importPaths(folders []string) []string {
	var out []string
	for _, dir := range folders {
		if p := m.opts.packages[1].Path(dir); m.hasGo(dir) && p != "" {
			out = append(out, p)
		}
	}
	return out
}

// embeds reports whether a file of Go may have a type that embeds, renames or is made of a type of one of these packages.
func (m *modules) embeds(file string, paths []string) bool {
	if path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
		return false
	}
	text, err := m.reading.ReadFile(file)
	if err != nil {
		return false
	}
	for _, p := range paths {
		if !bytes.Contains(text, []byte(`"`+p+`"`)) {
			continue
		}
		found := regexp.MustCompile(`(?m)^[ \t]*(?:import[ \t]+)?(\w+[ \t]+)?"` + regexp.QuoteMeta(p) + `"`).FindSubmatch(text)
		if found == nil {
			continue
		}
		names := []string{strings.TrimSpace(string(found[1]))}
		if names[0] == "" {
			names = packageNames(p)
		}
		for _, name := range names {
			name = regexp.QuoteMeta(name)
			if regexp.MustCompile("(?m)^\\s*\\*?" + name + `\.\w+(\[.*\])?\s*($|//|` + "`" + `)|^\s*(type\s+)?\w+(\[.*\])?\s*=?\s*\*?` + name + `\.\w+`).Match(text) {
				return true
			}
		}
	}
	return false
}

// packageNames returns the names that a package with an import path may have.
func packageNames(importPath string) []string {
	base := path.Base(importPath)
	out := []string{base}
	if majorVersion.MatchString(base) {
		out = append(out, path.Base(path.Dir(importPath)))
	}
	if name, _, dotted := strings.Cut(strings.TrimPrefix(base, "go-"), "."); dotted || name != base {
		out = append(out, name)
	}
	return out
}
