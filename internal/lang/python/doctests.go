package python

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// doctests finds the interactive sessions in docstrings. All sessions of one
// definition are one test.
func doctests(r *core.Reader) {
	if !bytes.Contains(r.Source, []byte(">>> ")) {
		return
	}
	p := &sessions{Reader: r, at: map[string]int{}}
	r.SourceLines(p.line)
	for i := range p.all {
		p.all[i].Lacks = lacking(r, p.all[i].Steps)
	}
	r.AddDoctests(p.all)
}

// sessions reads the interactive sessions in a file's docstrings.
type sessions struct {
	*core.Reader
	all  []core.Doctest
	at   map[string]int // definition -> index in all
	open *core.Doctest
	want []string // expected output of the last input
}

func (p *sessions) line(number, offset int, line string) {
	input, isInput := strings.CutPrefix(line, ">>> ")
	more, isMore := strings.CutPrefix(line, "... ")
	switch {
	case isInput:
		p.expectOutput()
		p.begin(number, offset)
		p.open.Steps = append(p.open.Steps, code.Step{Text: srctext.ClipBody(input), Line: number})
	case p.open == nil:
		return
	case isMore && len(p.want) == 0:
		last := &p.open.Steps[len(p.open.Steps)-1]
		last.Text = srctext.ClipBody(last.Text + " " + strings.TrimSpace(more))
	case line == "..." && len(p.want) == 0:
		return
	case line == "" || line == ">>>" || strings.HasPrefix(line, `"""`) || strings.HasPrefix(line, "'''"):
		p.expectOutput()
		p.open = nil
		return
	default:
		p.want = append(p.want, line)
	}
	p.open.EndLine = number
}

// begin continues the test of the definition at offset, or starts one.
func (p *sessions) begin(number, offset int) {
	name := p.Enclosing(offset)
	i, known := p.at[name]
	if !known {
		title := strings.ReplaceAll(name, ".", " > ")
		if name == "" {
			title = "__doc__"
		}
		i = len(p.all)
		p.at[name] = i
		p.all = append(p.all, core.Doctest{Test: code.Test{Name: title, Line: number, EndLine: number, Runner: "python doctest"}})
	}
	p.open = &p.all[i]
}

// expectOutput adds a step for the expected output of the last input.
func (p *sessions) expectOutput() {
	if p.open == nil || len(p.want) == 0 {
		return
	}
	text := "prints " + strconv.Quote(strings.Join(p.want, "\n"))
	if strings.HasPrefix(p.want[0], "Traceback") {
		text = "throws " + p.want[len(p.want)-1]
	}
	p.open.Steps = append(p.open.Steps, code.Step{Text: srctext.ClipBody(text), Line: p.open.EndLine})
	p.want = nil
}
