package drift

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// addEmbedders adds the folders of Go below a folder whose types embed, rename or are made of types of changed folders, and
// those that do so with the added ones: members that the types there gain or lose, these gain or lose, too.
func (m *modules) addEmbedders(below string, changed map[string]bool) {
	open := make([]string, 0, len(changed))
	for dir := range changed {
		open = append(open, dir)
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

// importPaths returns what other packages import of folders of Go.
func (m *modules) importPaths(folders []string) []string {
	var out []string
	for _, dir := range folders {
		isGo := slices.ContainsFunc(m.after[dir], func(file string) bool { return path.Ext(file) == ".go" })
		if p := m.opts.packages[1].Path(dir); isGo && p != "" {
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
