// Package embedded reads files that contain code of other languages: Vue, Svelte and Astro
// components, and Jupyter notebooks. The code is read by its own language at its place in the
// file. The languages are [Vue], [Svelte], [Astro] and [Notebook].
package embedded

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/ecma"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// A Vue, Svelte or Astro file is a component: scripts in TypeScript or JavaScript between
// markup. The scripts are parsed with the rest of the file blanked, so that lines and columns
// are those of the file. The component itself is the file's default export.

// Vue reads Vue components.
var Vue = &core.Language{Name: "vue", Extensions: []string{".vue"}, Parse: parseComponent, TestPath: ecma.IsTest}

// Svelte reads Svelte components.
var Svelte = &core.Language{Name: "svelte", Extensions: []string{".svelte"}, Parse: parseComponent, TestPath: ecma.IsTest}

// Astro reads Astro components.
var Astro = &core.Language{Name: "astro", Extensions: []string{".astro"}, Parse: parseComponent, TestPath: ecma.IsTest}

// script is a script block of a component file.
type script struct {
	tag      string // the opening tag as written; "" for Astro's --- block
	open     int    // offset of the block
	from, to int    // range of its code
}

// parseComponent reads the scripts of a component. It sets f.Language to theirs.
func parseComponent(f *code.File, src []byte, parts core.Parts, m *syntax.Meter) error {
	scripts := scriptsIn(src, path.Ext(f.Path) == ".astro")
	inside := scriptLanguage(scripts, path.Ext(f.Path)).Metered(m)
	inside.Read = func(r *core.Reader) { readComponent(r, src, scripts) }
	f.Language = inside.Name
	masked := bytes.Clone(src)
	end := 0
	for _, s := range scripts {
		srctext.Blank(masked[end:s.from])
		end = s.to
	}
	srctext.Blank(masked[end:])
	return core.ReadTree(inside, f, masked, parts)
}

// scriptLanguage returns the language of the scripts that includes the others: TSX, TypeScript
// or JavaScript.
func scriptLanguage(scripts []script, ext string) *core.Language {
	if ext == ".astro" {
		return ecma.TypeScript
	}
	l := ecma.JavaScript
	for _, s := range scripts {
		switch attribute(s.tag, "lang") {
		case "tsx":
			return ecma.TSX
		case "ts", "typescript":
			l = ecma.TypeScript
		}
	}
	return l
}

// scriptsIn returns the script blocks of a component file. A block starts on its own line.
func scriptsIn(src []byte, fenced bool) []script {
	var out []script
	at := 0
	if s, ok := fence(src); fenced && ok {
		out = append(out, s)
		at = s.to
	}
	for at < len(src) {
		next := bytes.IndexByte(src[at:], '<')
		if next < 0 {
			break
		}
		at += next
		if rest := src[at:]; bytes.HasPrefix(rest, []byte("<!--")) {
			if end := bytes.Index(rest, []byte("-->")); end >= 0 {
				at += end
			}
		} else if s, ok := scriptAt(src, at); ok {
			out = append(out, s)
			at = s.to
		}
		at++
	}
	return out
}

// fence returns the code between the first two --- lines.
func fence(src []byte) (script, bool) {
	text := string(src)
	lead := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	if !strings.HasPrefix(text[lead:], "---") {
		return script{}, false
	}
	from := lead + len("---")
	end := strings.Index(text[from:], "\n---")
	if end < 0 {
		return script{}, false
	}
	return script{open: lead, from: from, to: from + end + 1}, true
}

// scriptAt returns the block whose opening tag starts at an offset.
func scriptAt(src []byte, at int) (script, bool) {
	const name = "<script"
	rest := src[at:]
	line := src[bytes.LastIndexByte(src[:at], '\n')+1 : at]
	if !bytes.HasPrefix(rest, []byte(name)) || len(bytes.TrimSpace(line)) > 0 {
		return script{}, false
	}
	tag := openingTag(rest)
	if tag == "" || strings.HasSuffix(tag, "/>") || !strings.ContainsAny(tag[len(name):len(name)+1], " \t\r\n>") {
		return script{}, false
	}
	if kind := attribute(tag, "type"); kind != "" && kind != "module" && !strings.HasSuffix(kind, "javascript") {
		return script{}, false // data
	}
	s := script{tag: tag, open: at, from: at + len(tag)}
	end := bytes.Index(src[s.from:], []byte("</script"))
	if end < 0 { // still being typed
		end = len(src) - s.from
	}
	s.to = s.from + end
	return s, true
}

// openingTag returns the tag at the start of a text; "" for none.
func openingTag(text []byte) string {
	quote := byte(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return string(text[:i+1])
		}
	}
	return ""
}

// attribute returns the value of a tag's attribute; "" if there is none.
func attribute(tag, name string) string {
	for rest := tag; ; {
		i := strings.Index(rest, name+"=")
		if i < 0 {
			return ""
		}
		own := i > 0 && strings.ContainsAny(rest[i-1:i], " \t\r\n")
		rest = rest[i+len(name)+1:]
		if own {
			value := strings.FieldsFunc(rest, func(c rune) bool { return strings.ContainsRune("\"' \t\r\n>", c) })
			if len(value) > 0 {
				return value[0]
			}
			return ""
		}
	}
}

// readComponent reads the scripts, and adds the component as the default export if they do not
// have one.
func readComponent(r *core.Reader, src []byte, scripts []script) {
	ecma.Read(r)
	for _, s := range scripts {
		if from := attribute(s.tag, "src"); from != "" {
			r.File.Imports = append(r.File.Imports, code.Import{
				Module: from, Relative: strings.HasPrefix(from, "."), Kind: code.StaticImport, Line: r.Line(s.open),
			})
		}
	}
	if len(bytes.TrimSpace(src)) == 0 || slices.ContainsFunc(r.File.Symbols, func(s code.Symbol) bool { return s.Default }) {
		return
	}
	base := path.Base(r.File.Path)
	sym := code.Symbol{
		Name: strings.TrimSuffix(base, path.Ext(base)), Kind: code.Class, Exported: true, Default: true,
		StartLine: 1, EndLine: max(1, srctext.Lines(src)), BodyHash: srctext.ShortHash([]byte(srctext.OneLine(markup(src, scripts)))),
	}
	instance := instanceScript(scripts)
	if instance.tag != "" {
		sym.Signature, sym.StartLine = instance.tag, r.Line(instance.open)
		sym.SignatureHash = srctext.ShortHash([]byte(srctext.OneLine(instance.tag)))
	}
	c := component{Declarations: &ecma.Declarations{Reader: r, Exported: map[string][]string{}}, instance: instance}
	c.props(&sym)
	r.File.Symbols = append(r.File.Symbols, sym)
}

// instanceScript returns the script that runs per instance of the component, not once per
// module; the zero script if there is none.
func instanceScript(scripts []script) script {
	var out script
	for _, s := range scripts {
		words := strings.Fields(strings.Trim(s.tag, "<>"))
		switch {
		case slices.Contains(words, "setup"):
			return s
		case s.tag != "" && out.tag == "" && !slices.Contains(words, "module") && attribute(s.tag, "context") != "module":
			out = s
		}
	}
	return out
}

// markup returns the text outside the scripts.
func markup(src []byte, scripts []script) string {
	var b strings.Builder
	end := 0
	for _, s := range scripts {
		b.Write(src[end:s.open])
		end = s.to
	}
	b.Write(src[end:])
	return b.String()
}

// component reads the interface of a component.
type component struct {
	*ecma.Declarations
	instance script
}

// props finds the component's properties: in Vue the type of defineProps, in Svelte exported
// variables or those of $props(), in Astro the type Props.
func (c *component) props(sym *code.Symbol) {
	switch path.Ext(c.File.Path) {
	case ".vue":
		c.vueProps(sym)
	case ".svelte":
		c.svelteProps(sym)
	case ".astro":
		if slices.ContainsFunc(c.File.Symbols, func(s code.Symbol) bool { return s.Name == "Props" }) {
			sym.Bases = []string{"Props"}
		}
	}
}

func (c *component) vueProps(sym *code.Symbol) {
	for n := range c.Root().Descendants() {
		if !n.Is("call_expression") || !n.Field("function").TextIs("defineProps") {
			continue
		}
		for t := range n.Field("type_arguments").NamedSeq() {
			c.propsType(sym, t)
		}
		return
	}
}

// propsType sets the members of a type literal, else the name of the type.
func (c *component) propsType(sym *code.Symbol, t syntax.Node) {
	if t.Is("object_type") {
		sym.Members = append(sym.Members, c.Members(t, sym.Name, code.Interface)...)
		return
	}
	sym.Bases = append(sym.Bases, t.Text())
}

// svelteProps moves the exports of the instance script into the component: they are its
// properties, not exports of the module.
func (c *component) svelteProps(sym *code.Symbol) {
	from, to := c.Line(c.instance.from), c.Line(max(c.instance.from, c.instance.to-1))
	c.File.Symbols = slices.DeleteFunc(c.File.Symbols, func(s code.Symbol) bool {
		own := s.Exported && s.StartLine >= from && s.StartLine <= to && c.instance.tag != "" &&
			(s.Kind == code.Variable || s.Kind == code.Const || s.Kind == code.Function)
		if own {
			s.Optional = s.Kind == code.Variable && s.Value != ""
			s.Kind = map[bool]code.Kind{true: code.Method, false: code.Property}[s.Kind == code.Function]
			s.Visibility = code.Public
			sym.Members = append(sym.Members, s)
		}
		return own
	})
	for n := range c.Root().NamedSeq() {
		for d := range n.NamedSeq() {
			if d.Is("variable_declarator") && d.Field("value").Field("function").TextIs("$props") {
				for t := range d.Field("type").NamedSeq() {
					c.propsType(sym, t)
				}
			}
		}
	}
}
