package source

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Parser reads and parses single files of a project. It is safe for concurrent use.
type Parser struct {
	project  *project.Project
	parse    parser
	parts    lang.Parts
	pack     bool // facts are packed
	vendored *vendored
}

// parser is lang.Parse or a fake.
type parser func(ctx context.Context, name string, src []byte, parts lang.Parts) (*code.File, error)

// NewParser returns a parser for the files of a listing that reads what the graph needs: symbols and facts.
func NewParser(p *project.Project, l *project.Listing) *Parser {
	return &Parser{project: p, parse: lang.Parse, parts: lang.Facts | lang.Bare, vendored: newVendored(p, l)}
}

// Vendored reports whether a file is third-party code.
func (p *Parser) Vendored(name string) bool { return p.vendored.is(name) }

// File reads and parses a file, and returns the result and the text. A file that its language cannot parse at all
// has a parse error and no symbols. Errors are those of [project.Project.ReadFile], an error for a binary file, and
// that of the context, also during parsing.
func (p *Parser) File(ctx context.Context, name string) (f *code.File, src []byte, err error) {
	src, err = p.project.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	if project.IsBinary(src) {
		return nil, nil, message.Errorf("%s: %w", name, errBinary)
	}
	f, err = p.safely(ctx, name, src)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		f = unparsed(name, src, err)
	}
	if f.Vendored = p.vendored.is(name); f.Vendored {
		f.Whole = nil
	}
	if p.pack {
		f.Pack()
	}
	return f, src, nil
}

// safely parses one file and converts a panic of the parser to a parse error.
func (p *Parser) safely(ctx context.Context, name string, src []byte) (f *code.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, message.Errorf("the parser failed: %v", r)
		}
	}()
	return p.parse(ctx, name, src, p.parts)
}
