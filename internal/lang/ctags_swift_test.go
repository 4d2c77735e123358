package lang_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// universal-ctags does not read Swift, the Swift compiler is in none of the registries, and
// the newest tree-sitter grammar reads less than the one in use. The second opinion is
// therefore a lister that shares no code with package lang: it blanks comments and literals
// byte by byte, then searches for declaring keywords, counting only braces.

// swiftDefinitions lists the types and functions of public Swift code.
func swiftDefinitions(_ *testing.T, b body) []definition {
	var out []definition
	for _, f := range b.files {
		l := swiftLister{file: f.path, src: blankSwift(f.src), written: f.src, line: 1}
		out = append(out, l.list()...)
	}
	return out
}

// blankSwift replaces comments and literals by spaces.
func blankSwift(src []byte) []byte {
	out := bytes.Clone(src)
	hide := func(from, to int) {
		for i := from; i < min(to, len(out)); i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	for i := 0; i < len(src); {
		end := i
		switch rest := src[i:]; {
		case bytes.HasPrefix(rest, []byte("//")):
			end = i + len(upTo(rest, "\n"))
		case bytes.HasPrefix(rest, []byte("/*")):
			end = commentEnd(src, i)
		case src[i] == '"' || src[i] == '#' && bytes.HasPrefix(bytes.TrimLeft(rest, "#"), []byte(`"`)):
			end = literalEnd(src, i)
			out[i] = '0'
			hide(i+1, end)
			i = end
			continue
		case src[i] == '`':
			end = i + 1 + len(upTo(src[i+1:], "`\n"))
			for k := i + 1; k < end; k++ {
				if !wordByte(out[k]) {
					out[k] = '_' // a name with spaces is one word
				}
			}
			i = end + 1
			continue
		case src[i] == '/' && regexEnd(src, i) > 0:
			end = regexEnd(src, i)
		}
		hide(i, end)
		i = max(end, i+1)
	}
	return out
}

// upTo returns the text before the first of marks.
func upTo(text []byte, marks string) []byte {
	if i := bytes.IndexAny(text, marks); i >= 0 {
		return text[:i]
	}
	return text
}

func commentEnd(src []byte, i int) int {
	for depth := 0; i+1 < len(src); i++ {
		switch string(src[i : i+2]) {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(src)
}

// literalEnd returns the end of the string that begins at i.
func literalEnd(src []byte, i int) int {
	pounds := 0
	for src[i] == '#' {
		pounds++
		i++
	}
	mark := strings.Repeat("#", pounds)
	quote := `"`
	if line := upTo(src[i:], "\n"); bytes.HasPrefix(line, []byte(`"""`)) && (pounds == 0 || len(bytes.TrimSpace(line)) == 3) {
		quote = `"""`
	}
	for i += len(quote); i < len(src); i++ {
		rest := src[i:]
		switch {
		case bytes.HasPrefix(rest, []byte(quote+mark)):
			return i + len(quote) + pounds
		case src[i] == '\n' && quote == `"`:
			return i
		case bytes.HasPrefix(rest, []byte(`\`+mark+"(")):
			i = interpolationEnd(src, i+len(mark)+2)
		case bytes.HasPrefix(rest, []byte(`\`+mark)):
			i += len(mark) + 1
		}
	}
	return len(src)
}

// interpolationEnd returns the offset of the bracket that closes an interpolation.
func interpolationEnd(src []byte, i int) int {
	for depth := 1; i < len(src); i++ {
		switch {
		case src[i] == '"' || src[i] == '#' && bytes.HasPrefix(bytes.TrimLeft(src[i:], "#"), []byte(`"`)):
			i = literalEnd(src, i) - 1
		case src[i] == '(':
			depth++
		case src[i] == ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(src)
}

// regexEnd returns the end of the regular expression that begins at i; 0 if there is none.
func regexEnd(src []byte, i int) int {
	before := bytes.TrimRight(src[:i], " ")
	line := upTo(src[i+1:], "\n")
	if len(before) == 0 || bytes.IndexByte([]byte("=(,:["), before[len(before)-1]) < 0 || len(line) == 0 || line[0] == ' ' || line[0] == '/' || line[0] == '*' {
		return 0
	}
	for k := 0; k < len(line); k++ {
		switch line[k] {
		case '\\':
			k++
		case '/':
			if line[k-1] == ' ' {
				return 0
			}
			return i + 1 + k + 1
		}
	}
	return 0
}

func wordByte(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '`' || c == '$'
}

// swiftPlace is an open brace.
type swiftPlace struct {
	name string // qualified name of the type
	code bool   // not the brace of a type
	lost int    // number of parentheses and square brackets open before it
}

// swiftLister searches for declarations in a text with comments and literals blanked.
type swiftLister struct {
	file     string
	src      []byte
	written  []byte // the original text
	at, line int
	places   []swiftPlace
	next     string // the type whose brace is next; "" for none
	depth    int    // number of open parentheses and square brackets
	out      []definition
}

func (l *swiftLister) list() []definition {
	before := ""
	for l.at < len(l.src) {
		c := l.src[l.at]
		switch {
		case c == '\n':
			l.line++
		case c == '(' || c == '[':
			l.depth++
		case c == ')' || c == ']':
			l.depth--
		case c == '{':
			l.places = append(l.places, swiftPlace{l.next, l.next == "", l.depth})
			l.next, l.depth = "", 0
		case c == '}' && len(l.places) > 0:
			l.depth = l.places[len(l.places)-1].lost
			l.places = l.places[:len(l.places)-1]
		case wordByte(c):
			word := l.word()
			l.declares(word, before)
			before = word
			continue
		}
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			before = string(c)
		}
		l.at++
	}
	return l.out
}

func (l *swiftLister) word() string {
	from := l.at
	for l.at < len(l.src) && wordByte(l.src[l.at]) {
		l.at++
	}
	return string(l.src[from:l.at])
}

// declares handles a word that may begin a declaration; before is the text before it.
func (l *swiftLister) declares(word, before string) {
	if before == "." || before == "#" || before == "import" || l.depth != 0 || slices.ContainsFunc(l.places, func(p swiftPlace) bool { return p.code }) {
		return
	}
	rest := strings.TrimLeft(string(l.src[l.at:min(len(l.src), l.at+300)]), " \t\n")
	name := strings.Trim(rest[:len(rest)-len(strings.TrimLeftFunc(rest, func(r rune) bool { return r > 0x7f || wordByte(byte(r)) }))], "`")
	if i := strings.IndexByte(rest, '`'); i == 0 { // a quoted name
		from := l.at + bytes.IndexByte(l.src[l.at:], '`') + 1
		name = string(upTo(l.written[from:], "`"))
	}
	inType := len(l.places) > 0
	switch word {
	case "struct", "class", "enum", "protocol", "actor":
		if before == "import" || name == "" || slices.Contains([]string{"func", "var", "let", "subscript", "final", "override"}, name) {
			return
		}
		l.add(name, false)
		l.next = l.owner() + name
	case "extension":
		path := strings.Join(strings.Fields(strings.NewReplacer("\n", " ", "`", "").Replace(rest[:max(0, strings.IndexAny(rest+"{", "<:{"))])), " ")
		path, _, _ = strings.Cut(path, " where")
		if name != "" && strings.HasPrefix(rest, "`") {
			path = name
		}
		l.add(path, false)
		l.next = l.owner() + path
	case "func", "operator":
		if word == "operator" && (inType || name != "" || before != "infix" && before != "prefix" && before != "postfix") {
			return
		}
		if name == "" {
			name, _, _ = strings.Cut(upToOne(rest, "( \n:"), "<T")
		}
		l.add(name, true)
	case "init", "subscript", "deinit":
		if inType && name == "" && rest != "" && strings.IndexByte("(<?!{}", rest[0]) >= 0 {
			l.add(word, true)
		}
	}
}

func upToOne(text, marks string) string { return string(upTo([]byte(text), marks)) }

// owner returns the qualified name of the enclosing type and a dot.
func (l *swiftLister) owner() string {
	if len(l.places) == 0 {
		return ""
	}
	return l.places[len(l.places)-1].name + "."
}

func (l *swiftLister) add(name string, call bool) {
	kind := "type"
	if call {
		kind = "function"
	}
	l.out = append(l.out, definition{file: l.file, line: l.line, kind: kind, name: l.owner() + name, call: call})
}

func swiftOpinion() opinion {
	return opinion{
		language: "swift", grammar: syntax.Swift, list: swiftDefinitions,
		reasons: []reason{
			{"joined with a property, a case or an alias of the same name", func(d difference) bool {
				s := named(d.read.Symbols, d.name)
				if d.ours || s == nil {
					return false
				}
				return d.call && strings.Contains(s.Signature, d.last()) && (s.Kind == code.Property || s.Kind == code.EnumMember || s.Kind == code.Variable || s.Kind == code.Const) ||
					!d.call && s.Kind == code.TypeDef
			}},
			{"in a statement or declaration that is reported as unreadable", func(d difference) bool {
				return !d.ours && slices.ContainsFunc(d.read.ParseErrors, func(e code.ParseError) bool { return e.Line <= d.line })
			}},
		},
	}
}
