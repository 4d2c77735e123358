package batch

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec/format"
)

// ProposeOptions are the options of [Propose].
type ProposeOptions struct {
	Base         string // the git revision that the change begins at
	ID           string // of the change; "" for one made of the branch or of the base
	Capabilities string // the path of a file that groups modules; "" for none
	Lang         string // "en" or "zh"; "" for that of the context
	Force        bool   // replace a change of that id
}

// mostSubjects limits the commits that a change lists.
const mostSubjects = 40

// Propose writes what the code does otherwise than at a revision as a change of OpenSpec. Both sides are read whole: what a
// module does also depends on what it imports, and on tests elsewhere.
func Propose(ctx context.Context, p *project.Project, opts ProposeOptions) (c *format.Change, err error) {
	if opts.Base == "" {
		return nil, message.Errorf("propose needs the revision that the change begins at: --base")
	}
	old, err := p.At(ctx, opts.Base)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, old.Close()) }()
	before, _, err := Outlines(ctx, old, opts.Lang)
	if err != nil {
		return nil, err
	}
	now, modules, err := Outlines(ctx, p, opts.Lang)
	if err != nil {
		return nil, err
	}
	files, err := p.Changed(ctx, opts.Base)
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasPrefix(f, "openspec/") })
	return format.WriteChange(ctx, p, format.ChangeInput{
		ID: cmp.Or(opts.ID, format.ChangeID(p.Branch(ctx), opts.Base)), Base: opts.Base, Commits: p.Subjects(ctx, opts.Base, mostSubjects), Files: files,
		Before: before, Now: now, Modules: modules, Capabilities: opts.Capabilities, Title: format.Title(ctx, p), Force: opts.Force,
	})
}
