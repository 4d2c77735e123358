package explore

import (
	"context"
	"errors"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Snippet is the source of a symbol: CodeSnippetResultDict of the contract, and
// what the answer depends on.
type Snippet struct {
	QualifiedName string  `json:"qualified_name"`
	SourceCode    string  `json:"source_code"`
	FilePath      string  `json:"file_path"`
	LineStart     int     `json:"line_start"` // 1-based; 0 when not found
	LineEnd       int     `json:"line_end"`   // inclusive
	Docstring     *string `json:"docstring"`
	Found         bool    `json:"found"`
	// ErrorMessage says why nothing was found, in the contract's words; Failure says it
	// to a person.
	ErrorMessage *string      `json:"error_message"`
	Failure      message.Text `json:"-"`
	// Warning says that the file is not as it was indexed, so that the lines may be
	// off.
	Warning string `json:"warning,omitempty"`
	// Candidates are the symbols that the name may mean, when it means several.
	Candidates []string   `json:"candidates,omitempty"`
	Index      *Freshness `json:"index,omitempty"`
}

// Snippet returns the source of a symbol, as its file is now. A name that is not
// there or means several is no error: the snippet says so.
func (g *Graph) Snippet(ctx context.Context, name string) (*Snippet, error) {
	s := &Snippet{QualifiedName: suggest.Quote(name), Index: &g.Index}
	n, err := g.Symbol(ctx, name)
	ambiguous, missing := (*AmbiguousError)(nil), (*NotFoundError)(nil)
	switch {
	case errors.As(err, &ambiguous):
		for _, c := range ambiguous.Candidates {
			s.Candidates = append(s.Candidates, c.QualifiedName)
		}
		return s.failed(message.New("Entity not found in graph. %v", ambiguous)), nil
	case errors.As(err, &missing):
		s.Candidates = missing.Near
		return s.failed(missing.notInGraph()), nil
	case err != nil:
		return nil, err
	}
	s.QualifiedName = n.QualifiedName
	if n.StartLine == 0 || n.Path == "" {
		return s.failed(message.New("Graph entry is missing location data.")), nil
	}
	src, err := g.project.ReadFile(n.Path)
	if gone := (*project.MissingError)(nil); errors.As(err, &gone) {
		return s.failed(message.New("Source file not found on disk for '%s' (checked the current project root).", n.Path)), nil
	}
	if err != nil {
		return nil, err
	}
	s.Found, s.FilePath, s.LineStart, s.LineEnd = true, n.Path, n.StartLine, n.EndLine
	if n.Doc != "" {
		s.Docstring = &n.Doc
	}
	s.SourceCode = linesOf(string(src), n.StartLine, n.EndLine)
	s.Warning, err = g.changed(ctx, n.Path, src)
	return s, err
}

// failed says why nothing was found. The JSON of a snippet is of the contract, which is
// in English.
func (s *Snippet) failed(why message.Text) *Snippet {
	s.Failure = why
	text := why.String()
	s.ErrorMessage = &text
	return s
}

// notInGraph is what the contract says of a name that is not there.
func (e *NotFoundError) notInGraph() message.Text {
	if len(e.Near) == 0 {
		return message.New("Entity not found in graph.")
	}
	return message.New("Entity not found in graph. Did you mean %s?", strings.Join(e.Near, ", "))
}

// linesOf returns lines of a text as they are, with the newlines between them.
func linesOf(text string, from, to int) string {
	at := 0
	for range from - 1 {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return ""
		}
		at += i + 1
	}
	end := at
	for range to - from + 1 {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return text[at:]
		}
		end += i + 1
	}
	return strings.TrimSuffix(text[at:end], "\n")
}
