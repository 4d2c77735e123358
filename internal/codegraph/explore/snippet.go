package explore

import (
	"context"
	"errors"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Snippet is the source of a symbol: the contract's CodeSnippetResultDict, with freshness.
type Snippet struct {
	QualifiedName string  `json:"qualified_name"`
	SourceCode    string  `json:"source_code"`
	FilePath      string  `json:"file_path"`
	LineStart     int     `json:"line_start"` // 1-based; 0 if not found
	LineEnd       int     `json:"line_end"`   // inclusive
	Docstring     *string `json:"docstring"`
	Found         bool    `json:"found"`
	// ErrorMessage is the contract's text for a symbol that was not found; Failure is the text for people.
	ErrorMessage *string      `json:"error_message"`
	Failure      message.Text `json:"-"`
	// Warning says that the file changed after indexing, so that the lines may be wrong.
	Warning string `json:"warning,omitempty"`
	// Candidates are the qualified names of all matching symbols, if there are several.
	Candidates []string   `json:"candidates,omitempty"`
	Index      *Freshness `json:"index,omitempty"`
}

// Snippet returns the source of a symbol from the current file. An unknown or ambiguous name is not an error: the
// snippet reports it.
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
	src, err := g.ReadFile(n.Path)
	if errors.Is(err, errNoSource) {
		s.FilePath, s.LineStart, s.LineEnd, s.SourceCode = n.Path, n.StartLine, n.EndLine, n.Signature
		return s.failed(message.New("The shared graph has no source code: %s is in %s of %s, lines %d-%d.", n.QualifiedName, n.Path, g.key, n.StartLine, n.EndLine)), nil
	}
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

// failed records why nothing was found. The JSON of a snippet is in English, as in the contract.
func (s *Snippet) failed(why message.Text) *Snippet {
	s.Failure = why
	text := why.String()
	s.ErrorMessage = &text
	return s
}

// notInGraph returns the contract's text for an unknown name.
func (e *NotFoundError) notInGraph() message.Text {
	if len(e.Near) == 0 {
		return message.New("Entity not found in graph.")
	}
	return message.New("Entity not found in graph. Did you mean %s?", strings.Join(e.Near, ", "))
}

// linesOf returns the lines from..to of a text, with their newlines except the last.
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
