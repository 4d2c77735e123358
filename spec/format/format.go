// Package format writes what a project does in the forms of other tools: OpenSpec, Spec Kit, and EARS as Kiro keeps it.
//
// A format is a row of the table formats and a file of its own. All are renderings of [spec.Outline]; none reads a page. The
// page and the lock of each module are written besides: diff, review and verify work with those.
package format

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Own is the name of the format of the pages, which needs nothing of this package.
const Own = "reverse-spec"

// format is a form of specs that another tool defines.
type format struct {
	name   string
	folder string // by which a project shows that it uses the format
	write  func(w *writer) error
}

// formats are the forms, in the order in which a project is searched for their folders.
var formats = []format{
	{"openspec", "openspec", (*writer).openSpec},
	{"speckit", ".specify", (*writer).specKit},
	{"ears", ".kiro", (*writer).ears},
}

// Names lists what may be asked for.
func Names() []string {
	out := []string{}
	for _, f := range formats {
		out = append(out, f.name)
	}
	return append(out, Own)
}

// Choose returns the format that is asked for, or else that of the tool whose folder the project has, or else [Own].
func Choose(ctx context.Context, p *project.Project, asked string) (string, error) {
	if asked != "" {
		if !slices.Contains(Names(), asked) {
			return "", suggest.Choice(message.Errorf("no such format of specs: %s (%s)", asked, strings.Join(Names(), ", ")), asked, Names()...)
		}
		return asked, nil
	}
	for _, f := range formats {
		switch _, err := p.ReadFolder(ctx, f.folder, 1); {
		case err == nil:
			return f.name, nil
		case ctx.Err() != nil:
			return "", ctx.Err()
		}
	}
	return Own, nil
}

// Input is what [Write] writes.
type Input struct {
	Format string // one of [Names]
	// Outlines are the modules that were read. Requirements of other modules stay as they are.
	Outlines []*spec.Outline
	// Gone reports whether a module does not exist any more, so that its requirements go; nil if that is not known.
	Gone func(module string) bool
	// Read finds what another module does, for files that are written as a whole; nil to leave others out.
	Read func(ctx context.Context, module string) (*spec.Outline, error)
	// Capabilities is the path of a file that groups modules; "" for none.
	Capabilities string
	Title        string // of the project; "" for the name of its folder
}

// Result is what was written.
type Result struct {
	Format       string   `json:"format"`
	Files        []string `json:"files"`             // that have the requirements of the modules
	Removed      []string `json:"removed,omitempty"` // files of which nothing is left
	Left         []string `json:"left,omitempty"`    // modules of which something stays as people wrote it
	Requirements int      `json:"requirements"`
	Warnings     []string `json:"warnings,omitempty"`
}

// Write writes the requirements of modules in a format. A file that this program did not write is not changed, and
// neither is a requirement that a person wrote or changed: both are warnings. It writes nothing for [Own].
func Write(ctx context.Context, p *project.Project, in Input) (*Result, error) {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == in.Format })
	if i < 0 {
		return nil, nil
	}
	w := &writer{ctx: ctx, project: p, in: in, result: &Result{Format: in.Format, Files: []string{}}}
	if err := w.readGroups(); err != nil {
		return nil, err
	}
	if err := formats[i].write(w); err != nil {
		return nil, err
	}
	return w.result, nil
}

// writer writes one format.
type writer struct {
	ctx     context.Context //nolint:containedctx // a writer lives as long as one call
	project *project.Project
	in      Input
	groups  groups
	result  *Result
}

// warn adds a warning.
func (w *writer) warn(t message.Text) {
	w.result.Warnings = append(w.result.Warnings, t.In(message.From(w.ctx)))
}

// save writes a file unless it has the text already.
func (w *writer) save(file string, old []byte, text string) error {
	w.result.Files = append(w.result.Files, file)
	if string(old) == text {
		return nil
	}
	if err := w.project.WriteFile(file, []byte(text)); err != nil {
		return message.Errorf("write %s: %w", file, err)
	}
	return nil
}

// remove removes a file, and the folder it is in if that is empty then.
func (w *writer) remove(file string) error {
	root, err := os.OpenRoot(w.project.Root())
	if err != nil {
		return message.Errorf("open the project: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing is written through it
	if err := root.Remove(filepath.FromSlash(file)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return message.Errorf("remove %s: %w", file, err)
	}
	_ = root.Remove(filepath.Dir(filepath.FromSlash(file))) // fails unless it is empty
	w.result.Removed = append(w.result.Removed, file)
	w.warn(message.New("%s was removed: nothing of it is left in the code", file))
	return nil
}
