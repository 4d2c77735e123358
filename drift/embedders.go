package drift

import (
	"bytes"
	"context"
	"maps"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// addEmbedders adds the folders of Go below a folder whose types embed, rename or are made of exported types that changed in
// changed folders, and those that do so with the types of the added ones: members that a type there gains or loses, these gain or
// lose, too.
func (m *modules) addEmbedders(ctx context.Context, below string, changed map[string]bool) {
	// import path -> the exported types that changed
	open := m.open(slices.Collect(maps.Keys(changed)), func(dir string) []string { return m.changedTypes(ctx, dir) })
	for len(open) > 0 {
		var others []string
		for dir := range m.after {
			if !changed[dir] && isBelow(below, dir) {
				others = append(others, dir)
			}
		}
		var mu sync.Mutex // guards changed
		open = m.open(others, func(dir string) []string {
			if !slices.ContainsFunc(m.after[dir], func(file string) bool { return m.embeds(file, open) }) {
				return nil
			}
			mu.Lock()
			changed[dir] = true
			mu.Unlock()
			return m.madeOf(ctx, dir, open)
		})
	}
}

// open returns the types of folders that others may embed, by import path. The folders are read at the same time.
func (m *modules) open(dirs []string, types func(dir string) []string) map[string][]string {
	found := make([][]string, len(dirs))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(dirs)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(dirs)); i = next.Add(1) - 1 {
				found[i] = types(dirs[i])
			}
		})
	}
	wg.Wait()
	out := map[string][]string{}
	for i, dir := range dirs {
		if p := m.opts.packages[1].Path(dir); p != "" && len(found[i]) > 0 {
			out[p] = found[i]
		}
	}
	return out
}

// changedTypes returns the exported types of a folder of Go that are not as they were for those who embed them, or are made of types or
// constants that are not.
func (m *modules) changedTypes(ctx context.Context, dir string) []string {
	if !m.hasGo(dir) {
		return nil
	}
	was, is := m.shapes(ctx, m.old, dir, source.ForSpec), m.shapes(ctx, m.reading, dir, source.ForSpec)
	names := maps.Clone(was.heads)
	maps.Copy(names, is.heads)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if exportedGo(name) && was.of(name) != is.of(name) {
			out = append(out, name)
		}
	}
	return out
}

func (m *modules) hasGo(dir string) bool {
	return slices.ContainsFunc(m.after[dir], func(file string) bool { return path.Ext(file) == ".go" })
}

// madeOf returns the exported types of a folder of Go that embed, rename or are made of types of other packages, by import path.
func (m *modules) madeOf(ctx context.Context, dir string, open map[string][]string) []string {
	wanted := map[string]bool{}
	for _, types := range open {
		for _, name := range types {
			wanted[name] = true
		}
	}
	s := m.shapes(ctx, m.reading, dir, forDeclarations)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(s.heads)) {
		if exportedGo(name) && slices.ContainsFunc(goWords.FindAllString(s.of(name), -1), func(w string) bool { return wanted[w] }) {
			out = append(out, name)
		}
	}
	return out
}

// shapes are the types and constants of a package of Go, as far as packages see them that embed types of it.
type shapes struct {
	heads map[string]string   // what the declarations of a name say
	parts map[string][]string // the words of a declaration that may be types or constants of the package
}

// shapes reads a folder of either side. The parts are those that its comparison needs: a text is read once.
func (m *modules) shapes(ctx context.Context, p *project.Project, dir string, parts lang.Parts) shapes {
	out := shapes{map[string]string{}, map[string][]string{}}
	tree, err := source.Read(ctx, p, dir, source.Options{Scope: source.Folder, Parts: parts, Without: m.sameTest})
	if err != nil {
		return out // without files, or unreadable: who compares it says so
	}
	s := code.Merge(dir, tree.Files, time.Now())
	for _, list := range [][]code.Symbol{s.Exports, s.Internals, s.Variants} {
		for i := range list {
			if t := &list[i]; group(t.Kind) == "type" || t.Kind == code.Const { // which may be the length of an array
				out.add(t)
			}
		}
	}
	return out
}

// goWords are the words of a declaration of Go.
var goWords = lazyregexp.New(`[\pL_][\pL\pN_]*`)

// add adds a declaration. Types that only methods name, or fields that point to them, are no part of it, and of methods that other
// packages cannot name only those of interfaces count.
func (s *shapes) add(t *code.Symbol) {
	head := []string{s.heads[t.Name], headOf(t)}
	parts := []string{t.Signature, t.Value, strings.Join(t.Bases, " ")}
	for i := range t.Members {
		m := &t.Members[i]
		method := m.Kind == code.Method
		if method && t.Kind != code.Interface && !exportedGo(m.Name) {
			continue
		}
		head = append(head, headOf(m))
		if m.Kind == code.Embedded || !method && !pointing.MatchString(m.Returns) {
			parts = append(parts, pointer.ReplaceAllString(m.Returns, ""))
		}
	}
	s.heads[t.Name] = id(head...)
	s.parts[t.Name] = append(s.parts[t.Name], goWords.FindAllString(strings.Join(parts, " "), -1)...)
}

// Types that say nothing of the type that they point to: whether values can be compared, and which members they have.
var (
	pointing = lazyregexp.New(`^(?:\*|\[\]|map\[|func\b|chan\b|<-)`)
	pointer  = lazyregexp.New(`[\[,]\s*\*[\pL_][\pL\pN_.]*`) // as a type argument
)

// headOf returns what a declaration says besides its body and members.
func headOf(s *code.Symbol) string {
	return id(s.Name, string(s.Kind), s.Constraint, s.Receiver, s.Signature, s.SignatureHash, s.Value, strings.Join(s.Bases, ","))
}

// of returns what the declarations of a name say, with those that they are made of.
func (s shapes) of(name string) string {
	var out []string
	seen := map[string]bool{name: true}
	for open := []string{name}; len(open) > 0; {
		next := open[len(open)-1]
		open = open[:len(open)-1]
		out = append(out, s.heads[next])
		for _, part := range s.parts[next] {
			if _, declared := s.heads[part]; declared && !seen[part] {
				seen[part] = true
				open = append(open, part)
			}
		}
	}
	slices.Sort(out)
	return id(out...)
}

// embeds reports whether a file of Go may have a type that embeds, renames or is made of types of other packages, by import path.
func (m *modules) embeds(file string, types map[string][]string) bool {
	if path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
		return false
	}
	text, err := m.reading.ReadFile(file)
	if err != nil {
		return false
	}
	for p, names := range types {
		if !bytes.Contains(text, []byte(`"`+p+`"`)) {
			continue
		}
		found := regexp.MustCompile(`(?m)^[ \t]*(?:import[ \t]+)?(\w+[ \t]+)?"` + regexp.QuoteMeta(p) + `"`).FindSubmatch(text)
		if found == nil {
			continue
		}
		if local := strings.TrimSpace(string(found[1])); mentionsType(text, local, p, names) {
			return true
		}
	}
	return false
}

// mentionsType reports whether a line of a text embeds, renames or has a member of one of the types of a package, under the name that
// the text gives to the package, or its own for "".
func mentionsType(text []byte, local, importPath string, types []string) bool {
	names := []string{local}
	if local == "" {
		names = packageNames(importPath)
	}
	wanted := `(?:` + strings.Join(types, "|") + `)\b`
	for _, name := range names {
		name = regexp.QuoteMeta(name)
		if regexp.MustCompile("(?m)(?:^|[{;])\\s*\\*?" + name + `\.` + wanted + `(\[.*\])?\s*($|//|[};]|` + "`" + `)|(?:^|[{;])\s*(type\s+)?\w+(\[.*\])?\s*=?\s*\*?` + name + `\.` + wanted).Match(text) {
			return true
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
