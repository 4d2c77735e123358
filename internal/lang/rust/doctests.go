package rust

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// doctests finds the Rust code blocks in the documentation of items.
func doctests(r *core.Reader) {
	if !bytes.Contains(r.Source, []byte("```")) {
		return
	}
	b := &blocks{Reader: r}
	r.SourceLines(b.line)
	r.AddDoctests(b.all)
}

// blocks reads the code blocks in a file's documentation.
type blocks struct {
	*core.Reader
	all       []core.Doctest
	open      *core.Doctest
	statement string // incomplete statement
	fenced    bool
}

func (b *blocks) line(number, offset int, line string) {
	text, isDoc := strings.CutPrefix(line, "///")
	if !isDoc {
		text, isDoc = strings.CutPrefix(line, "//!")
	}
	text = strings.TrimSpace(text)
	tag, isFence := strings.CutPrefix(text, "```")
	switch {
	case !isDoc, isFence && b.fenced:
		b.open, b.fenced = nil, false
	case isFence:
		b.fenced = true
		if name := b.Documented(offset, line); name != "" && isTestedBlock(tag) {
			b.all = append(b.all, core.Doctest{Test: code.Test{Name: name, Line: number, EndLine: number, Runner: "rust doctest"}})
			b.open, b.statement = &b.all[len(b.all)-1], ""
		}
	case b.open != nil:
		b.open.EndLine = number
		b.code(number, strings.TrimPrefix(text, "# "))
	}
}

// code reads a line of a block. A statement ends with a semicolon or a block.
func (b *blocks) code(number int, text string) {
	for _, prefix := range []string{"//", "#[", "use ", "#!["} {
		if strings.HasPrefix(text, prefix) {
			return
		}
	}
	if text == "" || text == "#" {
		return
	}
	b.statement = strings.TrimSpace(b.statement + " " + text)
	if srctext.Balanced(b.statement) && (strings.HasSuffix(text, ";") || strings.HasSuffix(text, "}")) {
		b.open.Steps = append(b.open.Steps, code.Step{Text: srctext.ClipBody(strings.TrimSuffix(b.statement, ";")), Line: number})
		b.statement = ""
	}
}

// isTestedBlock reports whether rustdoc runs a code block with the given fence tag.
func isTestedBlock(tag string) bool {
	for _, word := range strings.FieldsFunc(tag, func(c rune) bool { return c == ',' || c == ' ' }) {
		switch {
		case word == "rust" || word == "should_panic" || strings.HasPrefix(word, "edition"):
		default: // another language, ignore, no_run, compile_fail
			return false
		}
	}
	return true
}
