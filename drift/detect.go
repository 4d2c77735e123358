package drift

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/drift/around"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
	"github.com/reverse-spec/reverse-spec/spec"
)

// DefaultDir is the default folder of reports.
const DefaultDir = "drift-logs"

// Options are the options of [Detect]. Paths are absolute or relative to the project.
type Options struct {
	Spec   string // the spec whose lock to compare with; may be "" with Base
	Source string // the code; "" for the spec's own target
	Base   string // a git revision to compare with instead of the spec's lock
	// Old is the project at Base, and Changed are the files that differ from it, if the caller knows them; nil to find out.
	// The caller closes Old.
	Old     *project.Project
	Changed []string
	// OutputDir is the folder for the report file, "" for [DefaultDir].
	OutputDir string
	NoReport  bool             // write no report file
	Now       func() time.Time // nil for [time.Now]

	// Brief leaves out the code as it was, which may have to be read from a commit.
	Brief bool

	scope        source.Scope           // of Source without a spec
	declarations bool                   // only these are compared: no file of Source changed, what it embeds did
	without      func(file string) bool // files that are the same on both sides and say nothing of others; nil for none
	specs        *targets               // of the project; nil if they were not listed
	adoptions    *adoptions             // of the project; nil if they were not read
	// packages of Go around both sides; nil if these were not opened.
	packages [2]*around.Packages
	// published says what manifests let others import, and knows the files around both sides; nil if these were not opened.
	published [2]*around.Published
	// imported returns the name under which others import what a file exports of the revision (0) or of the project (1); nil for the same.
	imported func(side int, file, name string) string
}

// errNothing is returned if neither a spec nor a revision is given.
var errNothing = message.Errorf("name a spec or a git revision to compare with")

// errNoTarget is returned if the code to compare is unknown.
var errNoTarget = message.Errorf("name the source: the spec does not say what it was written from")

// Detect compares a spec or a git revision with the current code, and writes the report file
// unless NoReport is set.
//
// A spec whose lock is missing, or was written from other code, is compared with the commit that
// it was written from, or else with the signatures that it shows; a warning says so.
//
// Errors: [*project.MissingError] and [*project.OutsideError] for the spec, the source and the
// report's folder, [spec.ErrNotSpec] and other errors of the spec, a [*spec.LockError] for a lock that cannot be
// read, a [*project.RevisionError] for the revision, those of [source.Read], and ctx's.
//
// Texts are in the language of ctx.
func Detect(ctx context.Context, p *project.Project, opts Options) (*Report, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if s, err := opts.adopted(p); s != nil || err != nil {
		if err != nil {
			return nil, err
		}
		return detectAdopted(ctx, p, opts, s)
	}
	if err := opts.choosePage(ctx, p); err != nil {
		return nil, err
	}
	d := &detection{project: p, opts: opts, report: &Report{Warnings: []string{}, Lang: message.From(ctx)}}
	if err := d.prepare(); err != nil {
		return nil, err
	}
	d.commits = &commits{project: p, wanted: func() []string { return d.candidates(ctx) }}
	defer d.commits.close() //nolint:errcheck // they were only read
	base, now, err := d.sides(ctx)
	if err != nil {
		return nil, err
	}
	now.text = d.textNow
	base.outside, now.outside = d.opts.packages[0].Reader(ctx), d.opts.packages[1].Reader(ctx)
	if d.opts.published[0] != nil {
		base.scripts, now.scripts = scriptsOf(ctx, d.opts.published[0]), scriptsOf(ctx, d.opts.published[1])
	}
	if d.opts.imported != nil {
		base.Exports = renamed(base.Exports, 0, d.opts.imported)
		now.Exports = renamed(now.Exports, 1, d.opts.imported)
	}
	result := Compare(ctx, base, now, d.report.Lang)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := d.explain(ctx, base, now, result.Items); err != nil {
		return nil, err
	}
	ordered := differ{items: result.Items} // requirements may make a change more severe
	ordered.finish()
	if err := d.add(ctx, &result); err != nil {
		return nil, err
	}
	d.fill(result)
	if opts.NoReport {
		return d.report, nil
	}
	return d.report, d.write()
}

func scriptsOf(ctx context.Context, p *around.Published) scripts {
	return scripts{
		found:  map[string]foundAlias{},
		of:     func(file string) *code.Skeleton { return p.File(ctx, file) },
		target: func(file, specifier string) string { return p.Target(ctx, file, specifier) },
	}
}

// adopted returns the spec to compare if a person wrote and adopted it; nil for another one.
func (o *Options) adopted(p *project.Project) (*adopted.Spec, error) {
	if o.Spec == "" || o.Base != "" {
		return nil, nil
	}
	rel, err := p.Rel(o.Spec)
	if err != nil {
		return nil, nil //nolint:nilerr // who reads the spec says so
	}
	s, err := adopted.Open(p, rel)
	if adopted.IsAbsent(err) {
		return nil, nil
	}
	return s, err
}

// renamed returns exports under the names that others import them as.
func renamed(list []code.Symbol, side int, imported func(side int, file, name string) string) []code.Symbol {
	out := list
	for i := range list {
		if name := imported(side, list[i].File, list[i].Name); name != list[i].Name {
			if &out[0] == &list[0] {
				out = slices.Clone(list)
			}
			out[i].Name = name
		}
	}
	return out
}

// choosePage replaces a spec in the form of another tool by the page of the module that is compared.
func (o *Options) choosePage(ctx context.Context, p *project.Project) error {
	if o.Spec == "" || o.Base != "" {
		return nil
	}
	pages, err := spec.PagesFor(ctx, p, o.Spec)
	if len(pages) > 1 {
		pages = spec.PagesOf(pages, []string{o.Source})
	}
	if len(pages) == 1 {
		o.Spec = pages[0]
	}
	return err
}

// add adds the changes of contracts that belong to the target.
func (d *detection) add(ctx context.Context, result *Result) error {
	items, err := d.ownContracts(ctx)
	if len(items) == 0 || err != nil {
		return err
	}
	all := differ{items: append(result.Items, items...)}
	all.finish()
	result.Items = all.items
	return nil
}

// detection is one run of Detect.
type detection struct {
	project *project.Project
	opts    Options
	spec    *spec.Spec // nil without one
	page    string     // the path of the spec; "" without one
	target  string     // relative to the project
	report  *Report
	commits *commits
}

// sides reads both sides at the same time.
func (d *detection) sides(ctx context.Context) (base, now Surface, err error) {
	var wg sync.WaitGroup
	var failed error
	var doubts []message.Text
	wg.Go(func() { now, doubts, failed = d.current(ctx) })
	base, err = d.baseline(ctx)
	wg.Wait()
	for _, t := range doubts {
		d.warn(t)
	}
	return base, now, cmp.Or(err, failed)
}

// textNow returns the current text of a file; nil if it cannot be read.
func (d *detection) textNow(file string) []byte {
	text, err := d.project.ReadFile(file)
	if err != nil {
		return nil
	}
	return text
}

func (d *detection) warn(t message.Text) {
	d.report.Warnings = append(d.report.Warnings, t.In(d.report.Lang))
}

// prepare reads the spec and determines the code to compare.
func (d *detection) prepare() error {
	if d.opts.Spec == "" && d.opts.Base == "" {
		return errNothing
	}
	if d.opts.Spec != "" {
		if err := d.readSpec(); err != nil {
			return err
		}
	}
	target := d.opts.Source
	if target == "" && d.spec != nil {
		target = d.spec.Front.SourceTarget
	}
	if target == "" {
		return errNoTarget
	}
	rel, err := d.project.Rel(target)
	if err != nil {
		return err
	}
	d.target, d.report.SourcePath = rel, rel
	if d.spec != nil && d.spec.Front.SourceTarget != "" && path.Clean(d.spec.Front.SourceTarget) != rel {
		d.warn(message.New("the spec describes %s, but %s is compared", d.spec.Front.SourceTarget, rel))
	}
	return nil
}

func (d *detection) readSpec() error {
	rel, err := d.project.Rel(d.opts.Spec)
	if err != nil {
		return err
	}
	text, err := d.project.ReadUpTo(rel, spec.MaxSize)
	if err != nil {
		return err
	}
	if root := spec.NestedIn(d.project, rel); root != "" {
		return message.Errorf("%s is a spec of the project in %s: run reverse-spec diff --project %s", rel, root, root)
	}
	d.spec, err = spec.Parse(text)
	if err != nil {
		return message.Errorf("%s: %w", rel, err)
	}
	d.page = rel
	d.report.SpecPath, d.report.SpecVersion = rel, cmp.Or(d.spec.Front.Version, "v1")
	return nil
}

// scope returns the scope of the spec, for its own target.
func (d *detection) scope(target string) source.Scope {
	if d.spec == nil || path.Clean(d.spec.Front.SourceTarget) != path.Clean(target) {
		return d.opts.scope
	}
	return source.Scope(d.spec.Front.Scope)
}

// current returns the surface of the current code, and what is to be said of it.
func (d *detection) current(ctx context.Context) (s Surface, doubts []message.Text, err error) {
	s, err = d.read(ctx, d.project, d.target)
	if _, missing := errors.AsType[*project.MissingError](err); missing && (d.opts.Source == "" || d.opts.Base != "") {
		return Surface{Skeleton: code.Merge(d.target, nil, d.opts.Now())}, nil, nil // the baseline has it: all of it is removed
	}
	if n := len(s.ParseErrors); n > 0 {
		first := s.ParseErrors[0]
		doubts = append(doubts, message.New("[unclear: %v in the code, the first at %s; results near them may be wrong]",
			message.Count(n, "%d syntax error", "%d syntax errors"), fmt.Sprintf("%s:%d", first.File, first.Line)))
	}
	return s, doubts, err
}

// read reads a target with the scope of the spec.
func (d *detection) read(ctx context.Context, p *project.Project, target string) (Surface, error) {
	if d.opts.declarations {
		return declarations(ctx, p, target, d.scope(target), d.opts.Now)
	}
	return read(ctx, p, target, source.Options{Scope: d.scope(target), Parts: source.ForSpec, Without: d.opts.without}, d.opts.Now)
}

// forDeclarations is what is read of a module of which only declarations are compared.
const forDeclarations = lang.Facts | lang.Hashes

// declarations is [Read] without what the code does, which is the same: none of its files changed.
func declarations(ctx context.Context, p *project.Project, target string, scope source.Scope, now func() time.Time) (Surface, error) {
	tree, err := source.Read(ctx, p, target, source.Options{Scope: scope, Parts: forDeclarations})
	if empty := (*source.EmptyError)(nil); errors.As(err, &empty) {
		return Surface{Skeleton: code.Merge(target, nil, now())}, nil
	}
	if err != nil {
		return Surface{}, err
	}
	return Surface{Skeleton: code.Merge(tree.Target, tree.Files, now())}, nil
}

// Read merges a target's files and finds their claims. A folder without any code left is an empty skeleton, so that
// everything in it counts as removed.
func Read(ctx context.Context, p *project.Project, target string, scope source.Scope, now func() time.Time) (Surface, error) {
	return read(ctx, p, target, source.Options{Scope: scope, Parts: source.ForSpec}, now)
}

func read(ctx context.Context, p *project.Project, target string, opts source.Options, now func() time.Time) (Surface, error) {
	tree, err := source.Read(ctx, p, target, opts)
	empty := (*source.EmptyError)(nil)
	if errors.As(err, &empty) {
		return Surface{Skeleton: code.Merge(target, nil, now())}, nil
	}
	if err != nil {
		return Surface{}, err
	}
	if err := tree.ReadImported(ctx, p); err != nil {
		return Surface{}, err
	}
	s := Surface{Skeleton: code.Merge(tree.Target, tree.Files, now()), Claims: []spec.RecordedClaim{}}
	for _, c := range evidence.Find(ctx, tree.Files, s.Skeleton, tree.Links, evidence.Known{Endpoints: tree.Endpoints, Commands: tree.Commands, Settings: tree.Settings, Sharing: tree.Sharing}) {
		s.Claims = append(s.Claims, spec.RecordedClaim{Claim: c})
	}
	for _, f := range tree.Files {
		if !f.Test {
			s.Calls = append(s.Calls, f.Calls...) // say who uses a helper; Merge leaves them out
		}
	}
	return s, ctx.Err()
}

// within removes the symbols outside a target from a skeleton, and the imports, whose files
// are unknown.
func within(s code.Skeleton, target string) code.Skeleton {
	own := path.Clean(s.FilePath)
	if target == own || own != "." && !strings.HasPrefix(target, own+"/") {
		return s
	}
	inside := func(file string) bool { return file == target || strings.HasPrefix(file, target+"/") }
	keep := func(list []code.Symbol) []code.Symbol {
		return slices.DeleteFunc(slices.Clone(list), func(sym code.Symbol) bool { return !inside(sym.File) })
	}
	s.Exports, s.Internals, s.Variants = keep(s.Exports), keep(s.Internals), keep(s.Variants)
	s.Imports = nil
	s.Files = slices.DeleteFunc(slices.Clone(s.Files), func(f code.Digest) bool { return !inside(f.Path) })
	return s
}

// fill fills the report with the items and what follows from them.
func (d *detection) fill(result Result) {
	r := d.report
	r.Items, r.NoiseByKind = result.Items, result.Noise
	for _, n := range result.Noise {
		r.FilteredNoise += n
	}
	r.GeneratedAt = d.opts.Now().UTC().Format(time.RFC3339)
	r.count()
	r.Recommendation = r.recommend().In(r.Lang)
}

// write puts the report into its file. A report of the same day is replaced.
func (d *detection) write() error {
	dir, err := d.project.Rel(cmp.Or(d.opts.OutputDir, DefaultDir))
	if err != nil {
		return err
	}
	module := strings.ReplaceAll(d.target, "/", "-")
	if d.target == "." {
		module = path.Base(d.project.Root())
	}
	d.report.OutputPath = path.Join(dir, module+"-drift-"+d.opts.Now().Format(time.DateOnly)+".md")
	err = d.project.WriteFile(d.report.OutputPath, d.report.Markdown())
	if openfile.ReadOnly(err) { // the result is valid all the same
		d.report.OutputPath = ""
		d.warn(message.New("the report was not written: %v", err))
		return nil
	}
	if err != nil {
		return message.Errorf("write the report: %w", err)
	}
	return nil
}
