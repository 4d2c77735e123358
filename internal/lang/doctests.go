package lang

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Doctest is an example in documentation that its language's tools run.
type Doctest struct {
	code.Test
	Steps []code.Step
}

// SourceLines yields the lines of the text with their numbers and offsets, without
// the white space around them.
func (r *Reader) SourceLines(see func(number, offset int, line string)) {
	number, offset := 0, 0
	for line := range strings.Lines(string(r.Source[:r.Length])) {
		number++
		see(number, offset, strings.TrimSpace(line))
		offset += len(line)
	}
}

// pythonDoctests finds the sessions in docstrings: those of one definition are one
// test.
func pythonDoctests(r *Reader) {
	if r.File.Facts != nil || !bytes.Contains(r.Source, []byte(">>> ")) {
		return
	}
	p := &pythonSessions{Reader: r, at: map[string]int{}}
	r.SourceLines(p.line)
	r.AddDoctests(p.all)
}

// pythonSessions reads the interactive sessions in a file's docstrings.
type pythonSessions struct {
	*Reader
	all  []Doctest
	at   map[string]int // definition -> index in all
	open *Doctest
	want []string // what the last input is to show
}

func (p *pythonSessions) line(number, offset int, line string) {
	input, isInput := strings.CutPrefix(line, ">>> ")
	more, isMore := strings.CutPrefix(line, "... ")
	switch {
	case isInput:
		p.shown()
		p.begin(number, offset)
		p.open.Steps = append(p.open.Steps, code.Step{Text: ClipBody(input), Line: number})
	case p.open == nil:
		return
	case isMore && len(p.want) == 0:
		last := &p.open.Steps[len(p.open.Steps)-1]
		last.Text = ClipBody(last.Text + " " + strings.TrimSpace(more))
	case line == "..." && len(p.want) == 0:
		return
	case line == "" || line == ">>>" || strings.HasPrefix(line, `"""`) || strings.HasPrefix(line, "'''"):
		p.shown()
		p.open = nil
		return
	default:
		p.want = append(p.want, line)
	}
	p.open.EndLine = number
}

// begin goes on with the test of the definition at an offset, or begins it.
func (p *pythonSessions) begin(number, offset int) {
	name := p.Enclosing(offset)
	i, known := p.at[name]
	if !known {
		title := strings.ReplaceAll(name, ".", " > ")
		if name == "" {
			title = "__doc__"
		}
		i = len(p.all)
		p.at[name] = i
		p.all = append(p.all, Doctest{Test: code.Test{Name: title, Line: number, EndLine: number, Runner: "python doctest"}})
	}
	p.open = &p.all[i]
}

// shown notes what the last input shows.
func (p *pythonSessions) shown() {
	if p.open == nil || len(p.want) == 0 {
		return
	}
	text := "prints " + strconv.Quote(strings.Join(p.want, "\n"))
	if strings.HasPrefix(p.want[0], "Traceback") {
		text = "throws " + p.want[len(p.want)-1]
	}
	p.open.Steps = append(p.open.Steps, code.Step{Text: ClipBody(text), Line: p.open.EndLine})
	p.want = nil
}

// rustDoctests finds the blocks of Rust in the documentation of items.
func rustDoctests(r *Reader) {
	if r.File.Facts != nil || !bytes.Contains(r.Source, []byte("```")) {
		return
	}
	b := &rustBlocks{Reader: r}
	r.SourceLines(b.line)
	r.AddDoctests(b.all)
}

// rustBlocks reads the blocks in a file's documentation.
type rustBlocks struct {
	*Reader
	all       []Doctest
	open      *Doctest
	statement string // as far as it was read
	fenced    bool
}

func (b *rustBlocks) line(number, offset int, line string) {
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
		if name := b.Documented(offset, line); name != "" && isRustBlock(tag) {
			b.all = append(b.all, Doctest{Test: code.Test{Name: name, Line: number, EndLine: number, Runner: "rust doctest"}})
			b.open, b.statement = &b.all[len(b.all)-1], ""
		}
	case b.open != nil:
		b.open.EndLine = number
		b.code(number, strings.TrimPrefix(text, "# "))
	}
}

// code takes a line of a block: statements end with a semicolon or a block.
func (b *rustBlocks) code(number int, text string) {
	for _, beside := range []string{"//", "#[", "use ", "#!["} {
		if strings.HasPrefix(text, beside) {
			return
		}
	}
	if text == "" || text == "#" {
		return
	}
	b.statement = strings.TrimSpace(b.statement + " " + text)
	if Balanced(b.statement) && (strings.HasSuffix(text, ";") || strings.HasSuffix(text, "}")) {
		b.open.Steps = append(b.open.Steps, code.Step{Text: ClipBody(strings.TrimSuffix(b.statement, ";")), Line: number})
		b.statement = ""
	}
}

// isRustBlock tells by a fence's words that rustdoc runs what it holds.
func isRustBlock(tag string) bool {
	for _, word := range strings.FieldsFunc(tag, func(c rune) bool { return c == ',' || c == ' ' }) {
		switch {
		case word == "rust" || word == "should_panic" || strings.HasPrefix(word, "edition"):
		default: // another language, ignore, no_run, compile_fail
			return false
		}
	}
	return true
}

func Balanced(text string) bool {
	return strings.Count(text, "{") == strings.Count(text, "}") && strings.Count(text, "(") == strings.Count(text, ")")
}

// Documented is the name of what a comment at an offset documents: the next thing
// that begins, or what is around; "" for a file's own.
func (r *Reader) Documented(offset int, line string) string {
	best, name := -1, ""
	if !strings.HasPrefix(line, "//!") {
		for _, s := range r.Spans {
			if s.Start >= offset && (best < 0 || s.Start < best) {
				best, name = s.Start, s.Name
			}
		}
	}
	if name == "" {
		name = r.Enclosing(offset)
	}
	return strings.ReplaceAll(name, ".", " > ")
}

// AddDoctests adds the examples that do something, with their steps.
func (r *Reader) AddDoctests(list []Doctest) {
	for _, d := range list {
		if len(d.Steps) == 0 {
			continue
		}
		r.File.Tests = append(r.File.Tests, d.Test)
		r.doctests = append(r.doctests, d.Steps...)
	}
}
