package batch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/batch/overview"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// writeIndex writes the index of all specs, unless only the version and date would change.
func (b *run) writeIndex(ctx context.Context) error {
	file := spec.IndexPath(b.opts.OutputDir)
	old, err := spec.Load(b.project, file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return message.Errorf("write the index: %w", err)
	}
	o := b.overview()
	x := o.Index(ctx, cmp.Or(b.opts.Lang, string(b.lang)))
	if old != nil {
		x.Lang = cmp.Or(b.opts.Lang, old.Lang)
		x.Technologies = o.Stack(x.Lang)
		if b.stands(file, x, old.Front) {
			return nil
		}
		x.Version = spec.NextVersion(old.Front.Version)
	}
	if err := b.project.WriteFile(file, spec.RenderIndex(x)); err != nil {
		return message.Errorf("write the index: %w", err)
	}
	return nil
}

// stands reports whether the index in a file has the same content as x.
func (b *run) stands(file string, x spec.Index, front spec.Front) bool {
	at, err := time.Parse(time.RFC3339, front.LastUpdated)
	if err != nil {
		return false
	}
	x.Version, x.Now = front.Version, at
	text, err := b.project.ReadUpTo(file, spec.MaxSize)
	return err == nil && bytes.Equal(text, spec.RenderIndex(x))
}

// overview returns what the index is made of.
func (b *run) overview() *overview.Project {
	o := &overview.Project{
		Project: b.project, OutputDir: b.opts.OutputDir, Now: b.opts.Now(), Title: b.plan.title, Purpose: b.plan.purpose,
		Graph: b.plan.graph, Technologies: b.plan.technologies, Packages: b.plan.packages, Published: b.plan.published, Linker: b.linker,
	}
	for _, m := range slices.Concat(b.plan.modules, b.plan.beside) {
		one := m.Module
		if !m.hasSpec {
			one.SpecPath = ""
		}
		o.Modules = append(o.Modules, &one)
	}
	return o
}
