package settings

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/decode"
	"github.com/reverse-spec/reverse-spec/internal/redact"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Text is a configuration file.
type Text struct {
	Path string
	Data []byte
	// Elsewhere says that it is for other files than those whose settings are looked for: for some that share settings with them.
	Elsewhere bool
}

// entry is a value in a configuration file.
type entry struct {
	key, value string
	line       int
	profile    string // for which the value is, if the file has those of several
}

var (
	springFile = lazyregexp.New(`^(application|bootstrap)(-[\w.-]+?)?\.(properties|ya?ml)$`)
	aspnetFile = lazyregexp.New(`^appsettings(\.[\w-]+)?\.json$`)
	dotenvFile = lazyregexp.New(`^\.env(\.[\w.-]+)?$`)
	nodeFile   = lazyregexp.New(`^[\w-]+\.(json|ya?ml)$`)
)

// Wanted reports whether a file may have the values of settings, by its path.
func Wanted(file string) bool {
	name := path.Base(file)
	return springFile.MatchString(name) || aspnetFile.MatchString(name) || dotenvFile.MatchString(name) || path.Base(path.Dir(file)) == "config" && nodeFile.MatchString(name)
}

// home returns the folder whose code a configuration file is for.
func home(file string) string {
	dir := path.Dir(file)
	if before, _, ok := strings.Cut("/"+dir+"/", "/src/main/resources/"); ok {
		return cmp.Or(strings.Trim(before, "/"), ".")
	}
	if path.Base(dir) == "config" {
		return path.Dir(dir)
	}
	return dir
}

// Around returns the configuration files that are for some code files, or for files that share settings with them: those of
// the folders around them, or, of a kind that only one folder has, that one's.
func Around(files, sharing []*code.File, texts []Text) []Text {
	homes := map[string][]string{} // by kind
	for _, t := range texts {
		if kind := kindOf(t.Path); !slices.Contains(homes[kind], home(t.Path)) {
			homes[kind] = append(homes[kind], home(t.Path))
		}
	}
	var out []Text
	for _, t := range texts {
		dir := home(t.Path)
		for i, list := range [][]*code.File{files, sharing} {
			if kindOf(t.Path) == "appsettings" && len(homes["appsettings"]) == 1 || slices.ContainsFunc(list, func(f *code.File) bool { return dir == "." || strings.HasPrefix(f.Path, dir+"/") }) {
				t.Elsewhere = i > 0
				out = append(out, t)
				break
			}
		}
	}
	slices.SortFunc(out, func(a, b Text) int { return strings.Compare(a.Path, b.Path) })
	return out
}

func kindOf(file string) string {
	kind, _, _ := strings.Cut(strings.TrimPrefix(path.Base(file), "."), ".")
	kind, _, _ = strings.Cut(kind, "-")
	return kind
}

// read returns the values of the file, in their order.
func (t *Text) read() []entry {
	switch name := path.Base(t.Path); {
	case dotenvFile.MatchString(name), strings.HasSuffix(name, ".properties"):
		return t.lines()
	case strings.HasSuffix(name, ".json"):
		data, err := decode.PlainJSON(bytes.TrimPrefix(t.Data, []byte("\xef\xbb\xbf")))
		if err != nil {
			return nil
		}
		return documents(data)
	default:
		return documents(t.Data)
	}
}

// lines reads lines of the form name=value.
func (t *Text) lines() []entry {
	var out []entry
	n := 0
	for line := range bytes.Lines(t.Data) {
		n++
		name, value, ok := strings.Cut(strings.TrimSpace(string(line)), "=")
		name = strings.TrimSpace(strings.TrimPrefix(name, "export "))
		if !ok || name == "" || strings.ContainsAny(name[:1], "#!;") {
			continue
		}
		out = append(out, entry{key: name, value: strings.Trim(strings.TrimSpace(value), `"'`), line: n})
	}
	return out
}

// documents reads the plain values of nested mappings.
func documents(data []byte) []entry {
	var out []entry
	before := 0 // lines
	for text := range bytes.SplitSeq(append([]byte("\n"), data...), []byte("\n---")) {
		out = append(out, document(text, before-1)...)
		before += bytes.Count(text, []byte("\n")) + 1
	}
	return out
}

// document reads the values of one document, after some lines of the file.
func document(text []byte, before int) []entry {
	var n yaml.Node
	if decode.YAML(text, &n) != nil {
		return nil
	}
	var list []entry
	flatten(&list, &n, "", 0)
	profile := ""
	for _, e := range list {
		if e.key == "spring.config.activate.on-profile" || e.key == "spring.profiles" {
			profile = e.value
		}
	}
	for i := range list {
		list[i].profile = profile
		list[i].line += before
	}
	return list
}

// maxDepth limits the nesting of the values that are read.
const maxDepth = 12

func flatten(out *[]entry, n *yaml.Node, key string, depth int) {
	switch {
	case depth > maxDepth:
	case n.Kind == yaml.DocumentNode && len(n.Content) > 0:
		flatten(out, n.Content[0], key, depth+1)
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			flatten(out, n.Content[i+1], strings.TrimPrefix(key+"."+n.Content[i].Value, "."), depth+1)
		}
	case n.Kind == yaml.ScalarNode:
		*out = append(*out, entry{key: key, value: n.Value, line: n.Line})
	case n.Kind == yaml.SequenceNode:
		var list []string
		for _, c := range n.Content {
			if c.Kind != yaml.ScalarNode {
				return
			}
			list = append(list, c.Value)
		}
		*out = append(*out, entry{key: key, value: strings.Join(list, ", "), line: n.Line})
	}
}

// normal returns a key in the form in which all its spellings are equal.
func normal(key string) string {
	return strings.NewReplacer("-", "", "_", "", ":", ".").Replace(strings.ToLower(key))
}

// configured adds what configuration files set, and the variables that those of Spring name.
func (s Source) configured(out *Declared) {
	application := slices.ContainsFunc(s.Files, startsSpring)
	for i := range s.Texts {
		t := &s.Texts[i]
		for _, e := range t.read() {
			where := path.Base(t.Path)
			if t.Elsewhere {
				where = t.Path
			}
			if e.profile != "" {
				where += " (" + e.profile + ")"
			}
			for j := range out.Settings {
				if k := &out.Settings[j]; !t.Elsewhere || t.binds(k) {
					t.set(k, &e, where)
				}
			}
			if !t.Elsewhere && application && springFile.MatchString(path.Base(t.Path)) {
				out.named(t, &e, where)
			}
		}
	}
}

// set adds what a file sets a setting to, if the entry is for it.
func (t *Text) set(k *Setting, e *entry, where string) {
	name := ""
	if nodeFile.MatchString(path.Base(t.Path)) && path.Base(path.Dir(t.Path)) == "config" {
		name, _, _ = strings.Cut(path.Base(t.Path), ".")
	}
	switch {
	case name == "custom-environment-variables": // the variables that set keys
		if !k.Key || k.Name != e.key || !isName(e.value) {
			return
		}
		k.Also = append(k.Also, e.value)
	case !t.names(k, e):
		return
	case name == "default" && k.Key && k.Default == "":
		k.Default, k.Required = shown(e.key, e.value), false
	case e.value != k.Default:
		k.Classes = append(k.Classes, Value{Class: where, Default: shown(e.key, e.value)})
	}
	k.At = append(k.At, Place{t.Path, e.line, ""})
}

// names reports whether an entry of the file is for a setting.
func (t *Text) names(k *Setting, e *entry) bool {
	if k.Key {
		return normal(k.Name) == normal(e.key) && !dotenvFile.MatchString(path.Base(t.Path))
	}
	return k.Name == e.key
}

// binds reports whether a file is for code that gives sections to the class of a setting.
func (t *Text) binds(k *Setting) bool {
	dir := home(t.Path)
	return slices.ContainsFunc(k.Bound, func(at Place) bool { return dir == "." || strings.HasPrefix(at.File, dir+"/") })
}

// startsSpring reports whether a file has the class of a Spring application, for which its files are.
func startsSpring(f *code.File) bool {
	return slices.ContainsFunc(f.Symbols, func(c code.Symbol) bool {
		return slices.ContainsFunc(c.Decorators, func(d string) bool { return strings.HasPrefix(d, "@SpringBootApplication") })
	})
}

// named adds the variables in the value of a file: ${PORT:8080}.
func (d *Declared) named(t *Text, e *entry, where string) {
	for _, m := range placeholder.FindAllStringSubmatch(e.value, -1) {
		if strings.ToUpper(m[1]) != m[1] {
			continue // another key
		}
		s := Setting{Name: m[1], In: where, Help: "sets " + e.key, Required: !strings.Contains(m[0], ":"), At: []Place{{t.Path, e.line, m[1]}}}
		if !s.Required {
			s.Default = shown(m[1]+"_"+e.key, m[2])
		}
		d.add(&s)
	}
}

// secret are the words in the names of settings whose values are not shown.
var secret = lazyregexp.New(`(?i)pass(word|wd|phrase)?($|[^a-z])|pwd|secret|token|api[-_.]?key|private[-_.]?key|credential|(^|[-_.:])key$|[-_.]salt$`)

// plain is what is no secret under any name.
var plain = lazyregexp.New(`^(\d{1,4}|true|false|null|\d+(ms|[smhd]))$`)

// shown returns a value as a page shows it: not that of a secret.
func shown(key, value string) string {
	clean, found := redact.Text(key+" = "+value, redact.Hints{Path: "x.properties"})
	switch {
	case value == "":
		return `""`
	case plain.MatchString(value):
		return value
	case strings.HasPrefix(value, "${") && strings.HasSuffix(value, "}") && !strings.Contains(value, ":"):
		return value
	case secret.MatchString(key), len(found) > 0 && !strings.HasPrefix(clean, key+" = "), strings.Contains(strings.ToLower(value), "password="):
		return redact.Placeholder("SECRET")
	case len(found) > 0:
		return strings.TrimPrefix(clean, key+" = ")
	case len(value) > maxWritten:
		return strings.ToValidUTF8(value[:maxWritten], "") + "…"
	}
	return value
}
