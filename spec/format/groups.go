package format

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/decode"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// groups decides to which capability a module belongs: as a file says, or where its requirements are already, or by its path.
type groups struct {
	named  []group
	placed map[string]string // by module: the capability that has its requirements
	title  string            // of the project, for the module that is all of it
	roots  []string          // folders that say nothing of what is in them: "src/main/java/org/example"
}

// group is a capability of a file.
type group struct {
	name    string
	modules []string // paths, or patterns as of path.Match; "x/**" is everything below x
}

// readGroups reads the file that groups modules.
func (w *writer) readGroups() error {
	title := w.in.Title
	if title == "" {
		title = path.Base(w.project.Root())
	}
	w.groups = groups{placed: map[string]string{}, title: title, roots: packageRoots(w.in.Outlines)}
	if w.in.Capabilities == "" {
		return nil
	}
	text, err := w.project.ReadFile(w.in.Capabilities)
	if err != nil {
		return err
	}
	w.groups.named, err = parseGroups(text)
	if err != nil {
		return message.Errorf("%s: %w", w.in.Capabilities, err)
	}
	return nil
}

// parseGroups reads YAML: the name of each capability with the paths of its modules.
func parseGroups(text []byte) ([]group, error) {
	list := map[string][]string{}
	if err := decode.YAML(text, &list); err != nil {
		return nil, err
	}
	var out []group
	for name, modules := range list {
		if slug(name) != name {
			return nil, message.Errorf("%s is no name of a capability: small letters, digits and hyphens", name)
		}
		for i := range modules {
			if _, err := path.Match(modules[i], ""); err != nil {
				return nil, message.Errorf("%s: the pattern %s cannot be read", name, modules[i])
			}
			modules[i] = path.Clean(modules[i])
		}
		out = append(out, group{name, modules})
	}
	slices.SortFunc(out, func(a, b group) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// of returns the capability of a module.
func (g *groups) of(module string) string {
	for _, n := range g.named {
		if slices.ContainsFunc(n.modules, func(pattern string) bool { return matches(pattern, module) }) {
			return n.name
		}
	}
	if name := g.placed[module]; name != "" {
		return name
	}
	return g.byPath(module)
}

// matches reports whether a pattern is for a module.
func matches(pattern, module string) bool {
	if below, ok := strings.CutSuffix(pattern, "/**"); ok {
		return module == below || strings.HasPrefix(module, below+"/")
	}
	ok, _ := path.Match(pattern, module) // the pattern was tried when it was read
	return ok || pattern == module
}

// layers are names of folders that say how code is built, not what it is about.
var layers = strings.Fields(`src source sources lib libs app apps pkg pkgs packages internal cmd crates modules components features core main java kotlin scala
 python php ruby server backend api web http routes route routers router controllers controller handlers handler services service usecases repositories
 repository models model entities domain dto dtos schemas schema views middleware middlewares utils util helpers helper common shared support infra
 infrastructure v1 v2 classes impl`)

// depth is the number of folders that name a capability; those below belong to it.
const depth = 2

// byPath names the capability of a module by the folders of its path that say what it is about.
func (g *groups) byPath(module string) string {
	rel := module
	for _, root := range g.roots {
		if rel == root {
			return slug(path.Base(root))
		}
		if below, ok := strings.CutPrefix(rel, root+"/"); ok {
			rel = below
			break
		}
	}
	if ext := path.Ext(rel); ext != "" && ext != rel {
		rel = strings.TrimSuffix(rel, ext)
	}
	if names := tellingNames(rel); len(names) > 0 {
		return strings.Join(names[:min(len(names), depth)], "-")
	}
	if name := slug(path.Base(rel)); name != "" && name != "src" && name != "lib" && rel != "." {
		return name
	}
	if name := slug(g.title); name != "" {
		return name
	}
	return "project"
}

// tellingNames returns the names in a path that say what code is about.
func tellingNames(rel string) []string {
	var names []string
	for part := range strings.SplitSeq(rel, "/") {
		if name := slug(part); name != "" && !slices.Contains(layers, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// packageRoots returns the longest folders of Java's kind that all modules below a source root share: "src/main/java/org/example".
func packageRoots(list []*spec.Outline) []string {
	shared := map[string]string{}
	for _, o := range list {
		for _, mark := range []string{"src/main/java/", "src/main/kotlin/", "src/main/scala/"} {
			at := strings.Index(o.Module+"/", mark)
			if at < 0 {
				continue
			}
			root := o.Module[:min(at+len(mark)-1, len(o.Module))]
			if known, ok := shared[root]; ok {
				shared[root] = common(known, o.Module)
			} else {
				shared[root] = o.Module
			}
		}
	}
	var out []string
	for root, all := range shared {
		if all != root {
			out = append(out, all)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

// common returns the folder that two paths have in common.
func common(a, b string) string {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return strings.Join(x[:n], "/")
}

// slug returns a name in small letters, digits and hyphens.
func slug(name string) string {
	var b strings.Builder
	last := '-'
	for i, c := range []rune(name) {
		switch {
		case c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c)):
			if unicode.IsUpper(c) && i > 0 && (unicode.IsLower(last) || unicode.IsDigit(last)) {
				b.WriteByte('-')
			}
			b.WriteRune(unicode.ToLower(c))
			last = c
		case last != '-':
			b.WriteByte('-')
			last = '-'
		}
	}
	return strings.Trim(b.String(), "-")
}
