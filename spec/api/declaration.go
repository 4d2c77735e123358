package api

import (
	"fmt"
	"iter"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// Place returns where a symbol is declared, as file:line.
func Place(s *code.Symbol) string { return fmt.Sprintf("%s:%d", s.File, s.StartLine) }

// LanguageOf returns the language of the file with the given path, or "" if it is not listed.
func LanguageOf(files []*code.File, path string) string {
	for _, f := range files {
		if f.Path == path {
			return f.Language
		}
	}
	return ""
}

// form is the syntax of a type with members in a language.
type form struct{ open, shut, comment, indent, empty string }

func formOf(language string) form {
	switch language {
	case "python":
		return form{":", "", "#", "    ", ""}
	case "ruby":
		return form{"", "\nend", "#", "  ", ""}
	case "c", "cpp":
		return form{" {", "\n};", "//", "  ", ""}
	case "go":
		return form{" {", "\n}", "//", "\t", "{}"}
	case "typescript", "javascript":
		return form{" {", "\n}", "//", "  ", " {}"}
	}
	return form{" {", "\n}", "//", "  ", ""}
}

// block writes the members of a type.
func (f form) block(b *strings.Builder, members []string) {
	if len(members) == 0 {
		return
	}
	b.WriteString(f.open)
	for _, m := range members {
		b.WriteString("\n" + f.indent + strings.ReplaceAll(m, "\n", "\n"+f.indent))
	}
	b.WriteString(f.shut)
}

// without returns the syntax of a type without members.
func (f form) without(k code.Kind, members []string) string {
	if len(members) > 0 || !k.HoldsMembers() {
		return ""
	}
	return f.empty
}

// Declaration returns a symbol's signature and, for a type, its exported members, in the
// syntax of the language.
func Declaration(s *code.Symbol, language string) string { return declaration(s, language, notes{}) }

// notes are the comments in a declaration, in the language of a spec.
type notes struct {
	lang  string
	about func(s *code.Symbol) string // of a member; nil for none
	// decorated says that decorators are written, too.
	decorated bool
}

// declaration is [Declaration] with comments.
func declaration(s *code.Symbol, language string, with notes) string {
	f := formOf(language)
	head, tail := heads(s)
	inside, beside, after := f.members(s, language, with, strings.Contains(tail, "object "))
	var b strings.Builder
	if with.decorated {
		b.WriteString(decorators(s, language))
	}
	b.WriteString(head)
	f.block(&b, inside)
	b.WriteString(f.without(s.Kind, inside))
	if tail != "" {
		b.WriteString("\n" + tail)
		f.block(&b, beside)
	}
	for _, line := range after {
		b.WriteString("\n" + line)
	}
	return b.String()
}

// members returns the declarations of a type's members: those in it, those in its companion object if it has one, and those
// after it.
func (f form) members(s *code.Symbol, language string, with notes, companion bool) (inside, beside, after []string) {
	hidden := 0
	for i := range s.Members {
		m := &s.Members[i]
		switch {
		case s.Kind == code.TypeDef && (language != "go" || m.Kind != code.Method): // the signature shows them
		case !m.Exported:
			hidden++
		case i > 0 && declaredBeside(m, &s.Members[i-1]):
		case language == "go" && m.Kind == code.Method && m.Receiver != "":
			after = append(after, f.commented(m.Signature, with.about, m))
		case companion && m.Static:
			beside = append(beside, f.commented(declaration(m, language, with), with.about, m))
		default:
			inside = append(inside, f.commented(declaration(m, language, with), with.about, m))
		}
	}
	if hidden > 0 && s.Kind.HoldsMembers() {
		inside = append(inside, f.comment+" "+fmt.Sprintf(wording.In(with.lang, "%d not exported", "另有 %d 项未导出"), hidden))
	}
	return inside, beside, after
}

// declaredBeside reports whether one declaration has two members: a = b = f.
func declaredBeside(m, before *code.Symbol) bool {
	return before.Exported && m.StartLine == before.StartLine && m.Signature == before.Signature
}

// commented adds a comment to a member: at the end of its line, or above if it has several.
func (f form) commented(text string, about func(s *code.Symbol) string, m *code.Symbol) string {
	if about == nil {
		return text
	}
	note := about(m)
	switch {
	case note == "":
		return text
	case strings.Contains(text, "\n"):
		return f.comment + " " + note + "\n" + text
	}
	return text + "  " + f.comment + " " + note
}

// heads splits the signature of a type into the declaration itself and the heads of a
// companion object or of extensions in the same file, whose members belong to the type.
func heads(s *code.Symbol) (head, tail string) {
	if !s.Kind.HoldsMembers() {
		return s.Signature, ""
	}
	for at, row := range lines(s.Signature) {
		if at > 0 && strings.Contains(row, s.Name) && (strings.Contains(row, "extension ") || strings.Contains(row, "object ")) {
			return s.Signature[:at-1], s.Signature[at:]
		}
	}
	return s.Signature, ""
}

// lines returns the offset and text of each line that is not indented.
func lines(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		at := 0
		for row := range strings.Lines(text) {
			if row[0] != ' ' && row[0] != '\t' && !yield(at, row) {
				return
			}
			at += len(row)
		}
	}
}
