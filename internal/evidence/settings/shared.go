package settings

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// environmentText is in each file with a function that reads the environment.
var environmentText = lazyregexp.New(`(?i)getenv|environ|process\??\.env|(meta|bun|deno)\.env|lookupenv|\benv\b`)

// MayRead reports whether the code of a file may read the environment, by its text.
func MayRead(text []byte) bool {
	for i := 2; i < len(text); i++ { // each alternative of the expression has "env"; most files do not
		const lower = 'a' - 'A'
		if text[i]|lower != 'v' || text[i-1]|lower != 'n' || text[i-2]|lower != 'e' {
			continue
		}
		end := len(text)
		if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
			end = i + n
		}
		if environmentText.Match(text[bytes.LastIndexByte(text[:i], '\n')+1 : end]) {
			return true
		}
		i = end
	}
	return false
}

// Sharing is what the texts of files say of classes and factories of settings. The zero value knows no file.
type Sharing struct {
	files []mentions
}

// mentions is what the text of a file says.
type mentions struct {
	file     string
	factory  bool     // of settings of Nest
	names    []string // of the types that it gives sections of the configuration to, or uses in a class that gets one
	declares []string // the types that it declares
	loads    []string // the files with factories that it names, without their extensions
}

var (
	declaredTypes = lazyregexp.New(`\b(?:class|record|struct)\s+([A-Z]\w*)`)
	boundTypes    = lazyregexp.New(`<([A-Z]\w*)>`)
	bindsCsharp   = lazyregexp.New(`\bGet(?:Required)?Section\(|\.Configure<|\.BindConfiguration\(|onfiguration\.(?:Get<|Bind\()`)
	typeNames     = lazyregexp.New(`\b([A-Z]\w*)`)
	bindsNest     = lazyregexp.New(`\bregisterAs\b|\bload\s*:\s*\[`)
	loadLists     = lazyregexp.New(`\bload\s*:\s*\[([^\]]*)\]`)
	importLines   = lazyregexp.New(`import\s+(?:\*\s+as\s+)?(\{[^}]*\}|\w+)\s+from\s+['"](\.[^'"]*)['"]`)
	words         = lazyregexp.New(`\w+`)
)

// Shares reports whether modules in a language share settings in a way that texts show.
func Shares(language string) bool {
	return slices.Contains(csharp, language) || slices.Contains(jvm, language) || slices.Contains(ecma, language)
}

// Add reads the text of a file in a language.
func (s *Sharing) Add(file, language string, text []byte) {
	m := mentions{file: file}
	switch {
	case slices.Contains(csharp, language):
		if m.declares = submatches(declaredTypes, text); bindsCsharp.Match(text) {
			m.names = submatches(boundTypes, text)
		}
	case slices.Contains(jvm, language):
		if m.declares = submatches(declaredTypes, text); bytes.Contains(text, []byte("@ConfigurationProperties")) {
			m.names = submatches(typeNames, text)
		}
	case bytes.Contains(text, []byte(nestConfig)) && bindsNest.Match(text):
		m.factory, m.loads = true, loads(file, text)
	}
	if m.factory || len(m.names)+len(m.declares) > 0 {
		s.files = append(s.files, m)
	}
}

// Of returns the files of other modules, sorted, that give sections to the types of some files, declare those that these give
// sections to, or have the factories of a program. Some may not exist.
func (s *Sharing) Of(files []*code.File) []string {
	own, nest := map[string]bool{}, false
	for _, f := range files {
		own[f.Path] = true
		nest = nest || slices.Contains(ecma, f.Language) && Imports(f, nestConfig)
	}
	named, declared, loaded := map[string]bool{}, map[string]bool{}, map[string]bool{} // loaded without extension
	for _, m := range s.files {
		for _, file := range m.loads {
			loaded[file] = true
		}
		if own[m.file] {
			add(named, m.names)
			add(declared, m.declares)
		}
	}
	var out []string
	for _, m := range s.files {
		known := func(names map[string]bool) func(string) bool { return func(name string) bool { return names[name] } }
		if !own[m.file] && (m.factory && nest || slices.ContainsFunc(m.declares, known(named)) || slices.ContainsFunc(m.names, known(declared))) {
			out = append(out, m.file)
		}
	}
	for file := range loaded {
		if nest {
			out = append(out, file+".ts", file+".js", file+"/index.ts", file+"/index.js")
		}
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(file string) bool { return own[file] })
}

func add(to map[string]bool, names []string) {
	for _, name := range names {
		to[name] = true
	}
}

func submatches(pattern *lazyregexp.Regexp, text []byte) []string {
	var out []string
	for _, m := range pattern.FindAllSubmatch(text, -1) {
		out = append(out, string(m[1]))
	}
	return out
}

// loads returns the files that a file imports what it lists as load of.
func loads(file string, text []byte) []string {
	var listed []string
	for _, list := range submatches(loadLists, text) {
		listed = append(listed, words.FindAllString(list, -1)...)
	}
	var out []string
	for _, m := range importLines.FindAllSubmatch(text, -1) {
		if slices.ContainsFunc(words.FindAllString(string(m[1]), -1), func(name string) bool { return slices.Contains(listed, name) }) {
			out = append(out, joined(file, string(m[2])))
		}
	}
	return out
}

// joined returns the path that a relative import of a file means.
func joined(file, module string) string { return path.Join(path.Dir(file), module) }

// nestConfig is the library that reads the configuration of programs with NestJS.
const nestConfig = "@nestjs/config"

// Imports reports whether a file imports a module, a part of it, or by name something of a module: "os.environ".
func Imports(f *code.File, module string) bool {
	return slices.ContainsFunc(f.Imports, func(m code.Import) bool {
		return m.Module == module || strings.HasPrefix(m.Module, module+".") ||
			slices.ContainsFunc(m.Named, func(name string) bool { return m.Module+"."+name == module })
	})
}
