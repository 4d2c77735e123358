package format

import (
	"context"
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Options say in which format specs are written besides the pages.
type Options struct {
	Format       string // one of [Names]; "" for what the project uses
	Capabilities string // the path of a file that groups modules; "" for none
}

// Generated is the result of [Generate].
type Generated struct {
	*spec.GenerateResult
	Formatted *Result `json:"formatted,omitempty"` // nil for the pages alone
}

// Generate writes the spec of a target as [spec.Generate] does, and its requirements in the format of the project.
func Generate(ctx context.Context, p *project.Project, target string, opts spec.GenerateOptions, f Options) (*Generated, error) {
	name, err := Choose(ctx, p, f.Format)
	if err != nil {
		return nil, err
	}
	opts.Outline = name != Own && opts.To == nil
	r, err := spec.Generate(ctx, p, target, opts)
	if err != nil || !opts.Outline {
		return &Generated{GenerateResult: r}, err
	}
	written, err := Write(ctx, p, Input{Format: name, Outlines: []*spec.Outline{r.Outline}, Read: Reader(p, opts.Lang), Capabilities: f.Capabilities, Title: Title(ctx, p)})
	if err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, written.Warnings...)
	return &Generated{r, written}, nil
}

// Reader returns a function that finds what a module of a project does.
func Reader(p *project.Project, lang string) func(ctx context.Context, module string) (*spec.Outline, error) {
	return func(ctx context.Context, module string) (*spec.Outline, error) {
		return spec.OutlineOf(ctx, p, module, lang)
	}
}

// Title returns what the manifests in the root of a project call it, without its owner; "" if there are none.
func Title(ctx context.Context, p *project.Project) string {
	list, err := p.ReadFolder(ctx, ".", maxCapabilities)
	if err != nil {
		return ""
	}
	var files []string
	for _, name := range list.Names {
		if manifest.IsManifest(name) {
			files = append(files, name)
		}
	}
	m, err := manifest.Read(files, p.ReadFile)
	if err != nil {
		return ""
	}
	title, _ := m.Project()
	return path.Base(strings.TrimPrefix(title, "@"))
}
