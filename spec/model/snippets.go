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
	"github.com/reverse-spec/reverse-spec/spec/markdown"
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

// snippet is lines of a file, without secrets: a function, or the whole file.
type snippet struct {
	language, file string
	line           int // of the first row
	rows           []string
}

// plain returns a snippet below a comment with its place.
func (s *snippet) plain() string {
	return fmt.Sprintf("// %s:%d\n%s", s.file, s.line, strings.Join(s.rows, "\n"))
}

// numbered is [snippet.plain] with the number of each line, so that a reader can cite it.
func (s *snippet) numbered() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s:%d\n", s.file, s.line)
	for i, row := range s.rows {
		fmt.Fprintf(&b, "%d\t%s\n", s.line+i, row)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// fenced returns the numbered snippet as a block of code.
func (s *snippet) fenced() string { return markdown.Fenced(s.language, s.numbered()) }

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
			out = append(out, snippet{f.Language, f.Path, 1, strings.Split(strings.TrimSuffix(clean, "\n"), "\n")})
			continue
		}
		rows := strings.Split(clean, "\n")
		var add func(list []code.Symbol)
		add = func(list []code.Symbol) {
			for i := range list {
				s := &list[i]
				if hasBody(s) && s.EndLine <= len(rows) && lines.holds(s.StartLine) {
					out = append(out, snippet{f.Language, f.Path, s.StartLine, rows[s.StartLine-1 : s.EndLine]})
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
