// Package forms is what the tools of the server need of the forms in which other tools keep specs.
package forms

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/format"
)

// Names lists the formats that may be asked for.
func Names() []string { return format.Names() }

// Options returns what a call asks for: a format, "" for that which the project uses, and the file that groups modules.
func Options(name, capabilities string) format.Options {
	return format.Options{Format: name, Capabilities: capabilities}
}

// Generate writes the spec of a target, and its requirements in a format.
func Generate(ctx context.Context, p *project.Project, target string, opts spec.GenerateOptions, form format.Options) (*format.Generated, error) {
	return format.Generate(ctx, p, target, opts, form)
}
