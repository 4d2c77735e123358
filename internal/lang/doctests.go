package lang

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// doctest is an example in documentation that its language's tools run.
type doctest struct {
	code.Test
	steps []code.Step
}

// sourceLines yields the lines of the text with their numbers and offsets, without
// the white space around them.
func (r *reader) sourceLines(see func(number, offset int, line string)) {
	number, offset := 0, 0
	for line := range strings.Lines(string(r.Source[:r.written])) {
		number++
		see(number, offset, strings.TrimSpace(line))
		offset += len(line)
	}
}

// pythonDoctests finds the sessions in docstrings: those of one definition are one
// test.
func pythonDoctests(r *reader) {
	if r.file.Facts != nil || !bytes.Contains(r.Source, []byte(">>> ")) {
		return
	}
	p := &pythonSessions{reader: r, at: map[string]int{}}
	r.sourceLines(p.line)
	r.addDoctests(p.all)
}

// pythonSessions reads the interactive sessions in a file's docstrings.
type pythonSessions struct {
	*reader
	all  []doctest
	at   map[string]int // definition -> index in all
	open *doctest
	want []string // what the last input is to show
}

func (p *pythonSessions) line(number, offset int, line string) {
	input, isInput := strings.CutPrefix(line, ">>> ")
	more, isMore := strings.CutPrefix(line, "... ")
	switch {
	case isInput:
		p.shown()
		p.begin(number, offset)
		p.open.steps = append(p.open.steps, code.Step{Text: clipBody(input), Line: number})
	case p.open == nil:
		return
	case isMore && len(p.want) == 0:
		last := &p.open.steps[len(p.open.steps)-1]
		last.Text = clipBody(last.Text + " " + strings.TrimSpace(more))
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
	name := p.enclosing(offset)
	i, known := p.at[name]
	if !known {
		title := strings.ReplaceAll(name, ".", " > ")
		if name == "" {
			title = "__doc__"
		}
		i = len(p.all)
		p.at[name] = i
		p.all = append(p.all, doctest{Test: code.Test{Name: title, Line: number, EndLine: number, Runner: "python doctest"}})
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
	p.open.steps = append(p.open.steps, code.Step{Text: clipBody(text), Line: p.open.EndLine})
	p.want = nil
}

// rustDoctests finds the blocks of Rust in the documentation of items.
func rustDoctests(r *reader) {
	if r.file.Facts != nil || !bytes.Contains(r.Source, []byte("```")) {
		return
	}
	b := &rustBlocks{reader: r}
	r.sourceLines(b.line)
	r.addDoctests(b.all)
}

// rustBlocks reads the blocks in a file's documentation.
type rustBlocks struct {
	*reader
	all       []doctest
	open      *doctest
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
		if name := b.documented(offset, line); name != "" && isRustBlock(tag) {
			b.all = append(b.all, doctest{Test: code.Test{Name: name, Line: number, EndLine: number, Runner: "rust doctest"}})
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
	if balanced(b.statement) && (strings.HasSuffix(text, ";") || strings.HasSuffix(text, "}")) {
		b.open.steps = append(b.open.steps, code.Step{Text: clipBody(strings.TrimSuffix(b.statement, ";")), Line: number})
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

func balanced(text string) bool {
	return strings.Count(text, "{") == strings.Count(text, "}") && strings.Count(text, "(") == strings.Count(text, ")")
}

// documented is the name of what a comment at an offset documents: the next thing
// that begins, or what is around; "" for a file's own.
func (r *reader) documented(offset int, line string) string {
	best, name := -1, ""
	if !strings.HasPrefix(line, "//!") {
		for _, s := range r.spans {
			if s.start >= offset && (best < 0 || s.start < best) {
				best, name = s.start, s.name
			}
		}
	}
	if name == "" {
		name = r.enclosing(offset)
	}
	return strings.ReplaceAll(name, ".", " > ")
}

// addDoctests adds the examples that do something, with their steps.
func (r *reader) addDoctests(list []doctest) {
	for _, d := range list {
		if len(d.steps) == 0 {
			continue
		}
		r.file.Tests = append(r.file.Tests, d.Test)
		r.doctests = append(r.doctests, d.steps...)
	}
}
