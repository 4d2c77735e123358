package batch

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/batch/formcache"
	"github.com/reverse-spec/reverse-spec/internal/batch/overview"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/format"
)

// outline finds what a module does whose spec is up to date, if another format needs it. The error is that of the context; a
// module that cannot be read keeps what the format has of it.
func (b *run) outline(ctx context.Context, m *module) error {
	if b.opts.Form.Format == format.Own || m.aside() || b.formedAlready(m) {
		return nil
	}
	tree, err := b.tree(ctx, m)
	if err != nil {
		return ctx.Err()
	}
	lang := b.opts.Lang
	if old, err := b.head(m.SpecPath); err == nil {
		lang = cmp.Or(lang, old.Lang)
	}
	o, err := spec.OutlineTree(ctx, b.project, tree, lang)
	if err != nil {
		return err
	}
	b.keepOutline(o)
	return nil
}

// keepOutline keeps the outline of a module; nil for none.
func (b *run) keepOutline(o *spec.Outline) {
	if o == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.outlines = append(b.outlines, o)
}

// writeFormat writes the requirements of the modules in the format of the project.
func (b *run) writeFormat(ctx context.Context) error {
	if b.opts.Form.Format == format.Own {
		return nil
	}
	slices.SortFunc(b.outlines, func(x, y *spec.Outline) int { return strings.Compare(x.Module, y.Module) })
	planned := map[string]bool{}
	for _, m := range b.plan.modules {
		planned[m.Path] = true
	}
	r, err := format.Write(ctx, b.project, format.Input{
		Format: b.opts.Form.Format, Outlines: b.outlines, Gone: func(module string) bool { return !planned[module] },
		Read: format.Reader(b.project, b.opts.Lang), Capabilities: b.opts.Form.Capabilities, Title: format.Title(ctx, b.project),
	})
	if err != nil {
		return err
	}
	b.result.Formatted = r
	b.saveForms(ctx)
	b.warn(r.Warnings...)
	return nil
}

// Outlines returns what each module of a project does, sorted by module, and the paths of all modules. It writes nothing, so
// the project may be at a revision. Lang is "en" or "zh"; "" for that of the context.
func Outlines(ctx context.Context, p *project.Project, lang string) (list []*spec.Outline, modules []string, err error) {
	b := &run{project: p, opts: Options{OutputDir: spec.DefaultOutputDir, Now: time.Now}, lang: message.From(ctx), result: &Result{}}
	if b.plan, err = b.makePlan(ctx); err != nil {
		return nil, nil, err
	}
	for i, m := range b.plan.modules {
		progress.Report(ctx, progress.Event{Stage: "generate", Item: m.Path, Done: i, Total: len(b.plan.modules)})
		modules = append(modules, m.Path)
		if m.aside() {
			continue
		}
		tree, err := b.tree(ctx, m)
		if err != nil {
			return nil, nil, err
		}
		o, err := spec.OutlineTree(ctx, p, tree, lang)
		if err != nil {
			return nil, nil, err
		}
		m.files = nil
		list = append(list, o)
	}
	slices.SortFunc(list, func(x, y *spec.Outline) int { return strings.Compare(x.Module, y.Module) })
	slices.Sort(modules)
	return list, modules, nil
}

// aside reports whether a module is not part of what the project does for its users: examples, benchmarks, test support.
func (m *module) aside() bool {
	return !slices.ContainsFunc(m.Files, func(file string) bool { return !overview.Aside(file) })
}

// openForms reads the cache of what was written in the format, and what the format has of each module now.
func (b *run) openForms(ctx context.Context) {
	if b.opts.Cache == "" || b.opts.Form.Format == format.Own {
		return
	}
	groups := []byte{}
	var err error
	if b.opts.Form.Capabilities != "" {
		if groups, err = b.project.ReadFile(b.opts.Form.Capabilities); err != nil {
			return // it is said when it is needed
		}
	}
	if b.formed, err = format.Hashes(ctx, b.project, b.opts.Form.Format); err == nil {
		b.forms = formcache.Open(b.opts.Cache, b.project.Root(), b.opts.Form.Format, string(groups), b.opts.Lang, spec.Generator)
	}
}

// formedAlready reports whether what the format has of a module was written from its code as it is.
func (b *run) formedAlready(m *module) bool {
	return !b.opts.Force && b.forms.Has(m.Path, m.hash, b.formed[m.Path])
}

// saveForms notes the modules that were written.
func (b *run) saveForms(ctx context.Context) {
	if b.forms == nil {
		return
	}
	now, err := format.Hashes(ctx, b.project, b.opts.Form.Format)
	if err != nil {
		return
	}
	read := map[string]bool{}
	for _, o := range b.outlines {
		read[o.Module] = true
	}
	for _, module := range b.result.Formatted.Left { // they are named again by the next run
		read[module] = false
		b.forms.Forget(module)
	}
	for _, m := range b.plan.modules {
		if read[m.Path] {
			b.forms.Set(m.Path, m.hash, now[m.Path])
		}
	}
	b.forms.Save()
}
