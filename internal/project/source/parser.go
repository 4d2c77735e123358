package source

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Parser reads and parses the files of a project one by one. It may be used from
// several goroutines.
type Parser struct {
	project  *project.Project
	parse    parser
	vendored *vendored
}

// parser is lang.Parse, lang.ParseFacts, or a test's.
type parser func(ctx context.Context, name string, src []byte) (*code.File, error)

// NewParser returns a parser of the files of a listing that fills their facts.
func NewParser(p *project.Project, l *project.Listing) *Parser {
	return &Parser{p, lang.ParseFacts, newVendored(p, l)}
}

// Vendored tells third-party code that is kept in the project.
func (p *Parser) Vendored(name string) bool { return p.vendored.is(name) }

// File reads and parses a file, and returns its text beside what was found in it. One
// whose text its language cannot read at all has a parse error and no symbols. The
// errors are those of [project.Project.ReadFile], one for a binary file, and the
// context's, which is seen while a file is parsed.
func (p *Parser) File(ctx context.Context, name string) (f *code.File, src []byte, err error) {
	src, err = p.project.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	if project.Binary(src) {
		return nil, nil, message.Errorf("%s: %w", name, errBinary)
	}
	f, err = p.safely(ctx, name, src)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		f = unparsed(name, src, err)
	}
	f.Vendored = p.vendored.is(name)
	return f, src, nil
}

// safely parses one file; a parser's panic costs that file and not the process.
func (p *Parser) safely(ctx context.Context, name string, src []byte) (f *code.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, message.Errorf("the parser failed: %v", r)
		}
	}()
	return p.parse(ctx, name, src)
}
