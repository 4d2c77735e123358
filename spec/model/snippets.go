package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// Chunk is a range of lines, inclusive; the zero value means all lines.
type Chunk struct{ From, To int }

func (c Chunk) holds(line int) bool { return c == Chunk{} || line >= c.From && line <= c.To }

// MaxChunk is the number of lines of a file per context, as in the contract's origin.
const MaxChunk = 5_000

// Chunks splits a file into ranges of at most [MaxChunk] lines that begin at declarations. A
// longer declaration is split where its members begin, or else after MaxChunk lines.
func Chunks(f *code.File) []Chunk {
	var starts []int
	var add func(list []code.Symbol)
	add = func(list []code.Symbol) {
		for i := range list {
			starts = append(starts, list[i].StartLine)
			if list[i].EndLine-list[i].StartLine >= MaxChunk {
				add(list[i].Members)
			}
		}
	}
	add(f.Symbols)
	slices.Sort(starts)
	var out []Chunk
	from := 1
	for from+MaxChunk <= f.LOC {
		next := from + MaxChunk
		if i, _ := slices.BinarySearch(starts, next+1); i > 0 && starts[i-1] > from {
			next = starts[i-1]
		}
		out = append(out, Chunk{from, next - 1})
		from = next
	}
	return append(out, Chunk{from, max(f.LOC, from)})
}

// snippet is the text of a function below a comment with its place, without secrets.
type snippet struct{ language, text string }

// snippets returns the functions with a body, and the whole text of files that cannot be
// parsed.
func snippets(ctx context.Context, p *project.Project, files []*code.File, lines Chunk) ([]snippet, error) {
	var out []snippet
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if f.Test {
			continue
		}
		text, err := p.ReadFile(f.Path)
		if err != nil {
			return nil, message.Errorf("read %s: %w", f.Path, err)
		}
		clean, _ := redact.Text(string(text), redact.Hints{Path: f.Path})
		if source.Failed(f) {
			out = append(out, snippet{f.Language, fmt.Sprintf("// %s:1\n%s", f.Path, clean)})
			continue
		}
		rows := strings.Split(clean, "\n")
		var add func(list []code.Symbol)
		add = func(list []code.Symbol) {
			for i := range list {
				s := &list[i]
				if hasBody(s) && s.EndLine <= len(rows) && lines.holds(s.StartLine) {
					text := fmt.Sprintf("// %s:%d\n%s", f.Path, s.StartLine, strings.Join(rows[s.StartLine-1:s.EndLine], "\n"))
					out = append(out, snippet{f.Language, text})
				}
				add(s.Members)
			}
		}
		add(f.Symbols)
	}
	return out, nil
}

func hasBody(s *code.Symbol) bool {
	return s.BodyHash != "" && (s.Kind == code.Function || s.Kind == code.Method || s.Kind == code.Constructor)
}
