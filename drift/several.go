package drift

import (
	"cmp"
	"context"
	"errors"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Part is one comparison of a report that has several.
type Part struct {
	SpecPath   string  `json:"specPath"`
	SourcePath string  `json:"sourcePath"`
	Summary    Summary `json:"summary"`
}

// errNoSpecs is returned if there is nothing to compare with.
var errNoSpecs = message.Errorf("the project has no *.spec.md to compare with: write specs with reverse-spec batch, or name a git revision with --base")

// DetectAll compares specs with their code: those at the paths, those in the folders at the paths, or all of the project
// if there are no paths. With opts.Base it compares the modules of the project at the paths, or all, with that revision;
// a module that is gone or new is one item. opts.Spec and opts.Source are not used.
//
// The report has the items of all comparisons, and a [Part] of each. Errors are those of [Detect]; a path without
// anything to compare is a [*project.MissingError].
func DetectAll(ctx context.Context, p *project.Project, opts Options, paths []string) (*Report, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Base != "" {
		return detectModules(ctx, p, opts, paths)
	}
	specs, err := specsAt(ctx, p, paths)
	if err != nil {
		return nil, err
	}
	if len(specs) == 1 {
		opts.Spec = specs[0]
		return Detect(ctx, p, opts)
	}
	ctx = source.Remembering(ctx) // modules of one project read the same tests, routes and settings
	s := &several{project: p, reading: p.Frozen(), opts: opts}
	opts.adoptions = newAdoptions(p)
	for _, name := range specs {
		s.pending = append(s.pending, Options{Spec: name, Now: opts.Now, NoReport: true, adoptions: opts.adoptions})
	}
	return s.run(ctx, message.Count(len(specs), "%d spec", "%d specs").In(message.From(ctx)), ".")
}

// IsPair reports whether paths are a spec and the code to compare it with.
func IsPair(paths []string) bool {
	return len(paths) == 2 && strings.HasSuffix(paths[0], spec.Suffix) && !strings.HasSuffix(paths[1], spec.Suffix)
}

// specsAt returns the specs at paths, and those in the folders at paths; all of the project if there are no paths. Those that people
// wrote and adopted are among them.
func specsAt(ctx context.Context, p *project.Project, paths []string) ([]string, error) {
	if len(paths) == 0 {
		all, err := allSpecs(ctx, p)
		if err == nil && len(all) == 0 {
			err = errNoSpecs
		}
		return all, err
	}
	var out, all []string // all are listed if a path is a folder: that reads the folders of the whole project
	for _, name := range paths {
		rel, err := p.Rel(name)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(rel, ".md") {
			pages, err := pagesFor(ctx, p, rel)
			if err != nil {
				return nil, err
			}
			out = append(out, pages...)
			continue
		}
		if all == nil {
			if all, err = allSpecs(ctx, p); err != nil {
				return nil, err
			}
		}
		n := len(out)
		for _, s := range all {
			if within := rel == "." || strings.HasPrefix(s, rel+"/"); within {
				out = append(out, s)
			}
		}
		if len(out) == n {
			return nil, message.Errorf("%s: no *.spec.md is there; to compare code with a git revision, name it with --base", rel)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// allSpecs returns the pages of a project, and the adopted specs.
func allSpecs(ctx context.Context, p *project.Project) ([]string, error) {
	pages, err := spec.Paths(ctx, p)
	if err != nil {
		return nil, err
	}
	own, err := adopted.Paths(ctx, p)
	return append(pages, own...), err
}

// pagesFor is [spec.PagesFor], or the spec itself if it is adopted.
func pagesFor(ctx context.Context, p *project.Project, name string) ([]string, error) {
	if s, err := adopted.Open(p, name); s != nil || !adopted.IsAbsent(err) {
		return []string{name}, err
	}
	return spec.PagesFor(ctx, p, name)
}

// several are the comparisons of one report.
type several struct {
	project *project.Project
	reading *project.Project // what comparisons read; nil for project
	opts    Options
	pending []Options
	known   []Item           // of modules that are compared with nothing, and of contracts
	doubts  []string         // warnings of the comparison as a whole
	settle  func(item *Item) // corrects what one comparison cannot know; nil for nothing
	// kept reports whether another file of the same declarations still has a name; nil if unknown.
	kept func(ctx context.Context, file, name string) bool
}

// run makes the comparisons, two and more at a time, and returns their report. What was compared is given in words.
func (s *several) run(ctx context.Context, from, source string) (*Report, error) {
	reports, errs := make([]*Report, len(s.pending)), make([]error, len(s.pending))
	quiet := progress.With(ctx, func(progress.Event) {})
	var wg sync.WaitGroup
	var mu sync.Mutex // guards next and done
	next, done := 0, 0
	for range min(runtime.GOMAXPROCS(0), len(s.pending)) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(s.pending) || ctx.Err() != nil {
					return
				}
				reports[i], errs[i] = Detect(quiet, cmp.Or(s.reading, s.project), s.pending[i])
				mu.Lock()
				done++
				progress.Report(ctx, progress.Event{Stage: "compare", Item: s.pending[i].Spec + s.pending[i].Source, Done: done, Total: len(s.pending)})
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var made []*Report
	for i, r := range reports {
		if errs[i] == nil {
			made = append(made, r)
		}
	}
	if err := errors.Join(errs...); err != nil && len(made) == 0 {
		return nil, err
	}
	out, err := s.merge(ctx, made, from, source)
	for i, failed := range errs {
		if failed != nil && err == nil {
			out.Warnings = append(out.Warnings, message.New("not compared: %s: %v", s.pending[i].Spec+s.pending[i].Source, failed).In(out.Lang))
		}
	}
	return out, err
}

// withItems adds items to a list. What both an adopted spec and another one report is one item with the statements of both.
func withItems(list, more []Item) []Item {
	for _, item := range more {
		same := func(o Item) bool {
			return o.Rule == item.Rule && o.SymbolName == item.SymbolName && o.Location == item.Location && o.OldValue == item.OldValue && o.NewValue == item.NewValue
		}
		isAdopted := func(s Statement) bool { return s.Adopted }
		i := slices.IndexFunc(list, same)
		if i < 0 || !slices.ContainsFunc(slices.Concat(item.Statements, item.Related), isAdopted) && !slices.ContainsFunc(slices.Concat(list[i].Statements, list[i].Related), isAdopted) {
			list = append(list, item)
			continue
		}
		list[i].Statements = union(list[i].Statements, item.Statements)
		list[i].Related = union(list[i].Related, item.Related)
	}
	return list
}

func union(a, b []Statement) []Statement {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

// merge makes one report of several.
func (s *several) merge(ctx context.Context, reports []*Report, from, source string) (*Report, error) {
	d := &detection{project: s.project, opts: s.opts, target: source}
	out := &Report{SpecPath: from, SourcePath: source, Warnings: []string{}, NoiseByKind: map[string]int{}, Lang: message.From(ctx)}
	items := differ{items: append([]Item{}, s.known...)}
	for _, r := range reports {
		out.GeneratedAt, out.SpecVersion = r.GeneratedAt, r.SpecVersion
		for i := range r.Items {
			if s.settle != nil {
				s.settle(&r.Items[i])
			}
		}
		r.count()
		items.items = withItems(items.items, r.Items)
		for kind, n := range r.NoiseByKind {
			out.NoiseByKind[kind] += n
		}
		for _, w := range r.Warnings {
			if w = path.Clean(r.SourcePath) + ": " + w; !slices.Contains(out.Warnings, w) {
				out.Warnings = append(out.Warnings, w)
			}
		}
		out.Parts = append(out.Parts, Part{r.SpecPath, r.SourcePath, r.Summary})
	}
	out.Warnings = append(out.Warnings, s.doubts...)
	items.finish()
	if s.kept != nil {
		items.items = withoutTwins(items.items, func(file, name string) bool { return s.kept(ctx, file, name) })
		items.finish()
	}
	d.report = out
	d.fill(Result{items.items, out.NoiseByKind})
	if s.opts.NoReport {
		return out, nil
	}
	return out, d.write()
}
