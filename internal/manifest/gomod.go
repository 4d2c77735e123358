package manifest

import (
	"path"
	"strconv"
	"strings"
)

// Folder returns the folder of the go.mod.
func (m GoModule) Folder() string { return m.Dir }

// GoModule is a go.mod, or a go.work, which has no module path.
type GoModule struct {
	Facts
	Replace map[string]string // module path -> folder of the project
}

func (r *reader) goMod(file string, data []byte) error {
	m := readGoMod(file, data)
	r.m.GoModules = append(r.m.GoModules, m)
	return nil
}

// goWork applies a workspace's replacements to the modules below it.
func (r *reader) goWork(file string, data []byte) error {
	return r.goMod(file, data)
}

// readGoMod reads the directives that locate packages. It never fails: unknown lines are skipped, as the go command
// does for the go.mod files of dependencies.
func readGoMod(file string, data []byte) GoModule {
	m := GoModule{Facts: Facts{Path: file, Dir: path.Dir(file)}, Replace: map[string]string{}}
	block := ""
	for line := range strings.Lines(string(data)) {
		text, comment, _ := strings.Cut(line, "//")
		words := goModWords(text)
		switch {
		case len(words) == 0:
		case words[0] == ")":
			block = ""
		case block != "":
			m.directive(block, words, comment)
		case len(words) == 2 && words[1] == "(":
			block = words[0]
		default:
			m.directive(words[0], words[1:], comment)
		}
	}
	return m
}

func goModWords(text string) []string {
	words := strings.Fields(text)
	for i, w := range words {
		if s, err := strconv.Unquote(w); err == nil {
			words[i] = s
		}
	}
	return words
}

func (m *GoModule) directive(verb string, args []string, comment string) {
	switch {
	case len(args) == 0:
	case verb == "module":
		m.Module, m.Title = args[0], path.Base(trimMajor(args[0]))
	case verb == "go":
		m.Version = args[0]
	case verb == "require" && len(args) == 2 && strings.TrimSpace(comment) != "indirect":
		m.Requires = append(m.Requires, Requirement{Name: args[0], Version: args[1]})
	case verb == "replace":
		m.replacement(args)
	}
}

// trimMajor cuts "/v2" from a module path.
func trimMajor(module string) string {
	if base := path.Base(module); len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		return path.Dir(module)
	}
	return module
}

// replacement reads "old [version] => ./folder". A module replaced by another module stays external.
func (m *GoModule) replacement(args []string) {
	for i, a := range args {
		if a != "=>" || i == 0 || i+1 >= len(args) {
			continue
		}
		to := args[i+1]
		if !strings.HasPrefix(to, "./") && !strings.HasPrefix(to, "../") && to != "." && to != ".." {
			return
		}
		if dir := path.Join(m.Dir, to); !Outside(dir) {
			m.Replace[args[0]] = dir
		}
		return
	}
}
