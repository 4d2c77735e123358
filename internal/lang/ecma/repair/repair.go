// Package repair rewrites TypeScript source that the grammar misparses: it continues a member
// of a type on the next line where the language does not, and does not accept escaped backticks
// in template types, variance modifiers, all types that are imported where they are used, or export type *. No line moves. The entry point is [Rewrite].
//
// A newer grammar that parses the cases in internal/lang/testdata/typescript would make the
// package unnecessary. To drop it, remove the Repair fields of the languages in package ecma.
package repair

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Rewrite replaces the line end by a semicolon, in place, after a member of a type without a
// semicolon before a member that begins with "<", "(" or "[".
func Rewrite(t *syntax.Tree) []byte {
	text := bytes.Clone(t.Source)
	hideVariance(text)
	hideEscapes(text)
	hideTypeStars(text)
	hideImportTypes(text)
	hideImportedModules(text)
	for n := range t.Root().Descendants() {
		switch {
		case !n.HasError():
		case n.Is("ERROR") && n.Previous().Ok(): // it may begin with the member
			endMembers(text, n.Previous().Start(), n.End())
		case n.Is("object_type", "interface_body", "ERROR"), declaresType(n):
			endMembers(text, n.Start(), n.End())
		}
	}
	if bytes.Equal(text, t.Source) {
		return nil
	}
	return text
}

// hideEscapes replaces escaped backticks in template types, which the grammar parses as the
// end of the template.
func hideEscapes(text []byte) {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if text[i+1] == '`' {
			text[i], text[i+1] = '_', '_'
		}
		i++ // skip the escaped character
	}
}

// typeStar matches the beginning of export type * from "…".
var typeStar = regexp.MustCompile(`(?m)^[ \t]*export[ \t]+(type)[ \t]*\*`)

// hideTypeStars blanks the modifier of a re-export of all types.
func hideTypeStars(text []byte) {
	for _, at := range typeStar.FindAllSubmatchIndex(text, -1) {
		copy(text[at[2]:at[3]], "    ")
	}
}

// importType matches the module of a type that is imported where it is used: in T extends import("./a").B.
var importType = regexp.MustCompile(`(?:[<>:=|&,(\[]|\bextends|\bis)\s*(import\((?:"[^"\n]*"|'[^'\n]*')\)\.)[A-Z]`)

// hideImportTypes blanks the modules of types that are imported where they are used, of which the grammar does not accept all.
func hideImportTypes(text []byte) {
	for _, at := range importType.FindAllSubmatchIndex(text, -1) {
		for i := at[2]; i < at[3]; i++ {
			text[i] = ' '
		}
	}
}

// importedModule matches the type of a whole module among type arguments, which the grammar does not accept: f<typeof import("./a")>().
var importedModule = regexp.MustCompile(`<\s*(typeof import\((?:"[^"\n]*"|'[^'\n]*')\))\s*>`)

// hideImportedModules replaces these types by any.
func hideImportedModules(text []byte) {
	for _, at := range importedModule.FindAllSubmatchIndex(text, -1) {
		for i := at[2]; i < at[3]; i++ {
			text[i] = ' '
		}
		copy(text[at[2]:at[3]], "any")
	}
}

// hideVariance blanks the variance modifiers of type parameters, which the grammar does not
// accept: <in out T>.
func hideVariance(text []byte) {
	for i, c := range text {
		if c != '<' && c != ',' {
			continue
		}
		for at := i + 1; ; {
			for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t') {
				at++
			}
			word := variance(text[at:])
			if word == 0 {
				break
			}
			copy(text[at:at+word], "   ")
			at += word
		}
	}
}

// variance returns the length of a variance modifier, followed by a name, at the start of a
// text.
func variance(text []byte) int {
	for _, mark := range []string{"in ", "out "} {
		rest, ok := bytes.CutPrefix(text, []byte(mark))
		if ok && len(rest) > 0 && (rest[0] >= 'A' && rest[0] <= 'Z' || rest[0] >= 'a' && rest[0] <= 'z') {
			return len(mark) - 1
		}
	}
	return 0
}

// declaresType reports whether a statement is a type declaration, even if it was misparsed.
func declaresType(n syntax.Node) bool {
	if !n.Parent().Is("program") {
		return false
	}
	first := n.First()
	return n.Is("interface_declaration", "type_alias_declaration") || first.Is("interface_declaration", "type_alias_declaration")
}

// endMembers rewrites the line ends between two offsets.
func endMembers(text []byte, from, to int) {
	last, open := -1, false // open: the code before last continues
	for at := from; at < to; {
		end := at + bytes.IndexByte(text[at:to], '\n')
		if end < at {
			end = to
		}
		line := bytes.TrimSpace(text[at:end])
		switch {
		case len(line) == 0, bytes.HasPrefix(line, []byte("//")), bytes.HasPrefix(line, []byte("*")), bytes.HasPrefix(line, []byte("/*")):
			at = end + 1
			continue
		case last >= 0 && !open && beginsMember(line):
			text[last] = ';'
		}
		if i := bytes.Index(text[at:end], []byte(" //")); i > 0 { // a comment at the end of the line
			end = at + i
			line = bytes.TrimSpace(text[at:end])
		}
		if len(line) == 0 {
			line = []byte{';'}
		}
		last, open = -1, goesOn(line)
		if end < to {
			last = end
		}
		if next := bytes.IndexByte(text[end:to], '\n'); next >= 0 {
			end += next
		}
		at = end + 1
	}
}

// goesOn reports whether the next line continues a line of a type.
func goesOn(line []byte) bool {
	if bytes.IndexByte([]byte("{([<,;|&=?:"), line[len(line)-1]) >= 0 || bytes.HasSuffix(line, []byte("=>")) {
		return true
	}
	word := line[bytes.LastIndexAny(line, " \t)>")+1:]
	return slices.Contains([]string{"extends", "implements", "keyof", "is", "in", "readonly", "infer"}, string(word))
}

// beginsMember reports whether the grammar would parse a line as a continuation of the one
// before: a call signature, an index signature, a member called in.
func beginsMember(line []byte) bool {
	return bytes.IndexByte([]byte("<(["), line[0]) >= 0 || bytes.HasPrefix(line, []byte("in:")) || bytes.HasPrefix(line, []byte("in?:"))
}
