package spec

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/model"
)

// GenerateOptions are the options of [Generate]. The zero value writes into "specs", in the
// language of the existing spec or else in English.
type GenerateOptions struct {
	Deep      bool // show the writer functions in full
	OutputDir string
	Lang      string // "en" or "zh"; "" for the language set in ctx, else that of the old spec, else ctx's default
	Scope     source.Scope
	Now       func() time.Time
	// Check runs the contract tests before they are written; nil writes them unchecked.
	Check Check
	// Writer adds prose to the spec; nil for none.
	Writer Writer
	// Commits finds the commit of the code; nil to open the project's own.
	Commits *source.Commits
	Notes   []string  // first warnings of the result, such as why there is no writer
	To      io.Writer // receives the page, and no lock is written; nil for their files
	All     bool      // show everything, whatever the length of the page
	Outline bool      // return the outline, too
}

func (o *GenerateOptions) defaults() error {
	o.OutputDir = path.Clean(cmp.Or(o.OutputDir, DefaultOutputDir))
	if o.Lang != "" && o.Lang != "en" && o.Lang != "zh" {
		return message.Errorf("no such language for specs: %s (en or zh)", o.Lang)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return nil
}

// DefaultOutputDir is where specs go, relative to the project.
const DefaultOutputDir = "specs"

// Generate reads the target, a file or a folder, and writes its spec. An existing spec is
// replaced: its version increases by one, items keep their ids, and text between <!-- keep -->
// and <!-- /keep --> is carried over. The lock is written with the page. A file that is not a spec
// or a lock is left alone and reported as an error.
//
// Confidence is low if parse errors affect more than 30 % of the files, the writer failed, or
// more than three of its statements are inferred. It is medium if there is any parse error or
// inferred statement, the writer did not see all of the code, or there is no writer. Otherwise
// it is high.
//
// Errors: *project.MissingError, *project.OutsideError, a target without code, a
// [*source.UnparsedError] unless Deep, and errors of reading and writing.
func Generate(ctx context.Context, p *project.Project, target string, opts GenerateOptions) (*GenerateResult, error) {
	if err := opts.defaults(); err != nil {
		return nil, err
	}
	if opts.Scope == source.Auto { // keep the scope of the old spec, or else use batch's default
		opts.Scope = source.Module
		if rel, err := p.Rel(target); err == nil {
			if old, err := Load(p, PathFor(opts.OutputDir, rel)); err == nil {
				opts.Scope = cmp.Or(source.Scope(old.Front.Scope), source.Module)
			}
		}
	}
	tree, err := source.Read(ctx, p, target, source.Options{Scope: opts.Scope, Parts: source.ForSpec})
	if err != nil {
		return nil, err
	}
	if err := tree.Unparsed(); err != nil && !opts.Deep {
		return nil, err
	}
	if err := tree.ReadRelated(ctx, p); err != nil {
		return nil, err
	}
	return GenerateTree(ctx, p, tree, opts)
}

// GenerateTree is [Generate] for a target that has been read, including its tests.
func GenerateTree(ctx context.Context, p *project.Project, tree *source.Tree, opts GenerateOptions) (*GenerateResult, error) {
	if err := opts.defaults(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	file := PathFor(opts.OutputDir, tree.Target)
	old, err := Load(p, file)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil && opts.To == nil {
		err = mayReplaceLock(p, LockPath(file, tree.Target))
	}
	if err != nil {
		return nil, err
	}
	if opts.Lang = cmp.Or(opts.Lang, string(message.Explicit(ctx))); opts.Lang == "" && old != nil {
		opts.Lang = old.Lang
	}
	opts.Lang = cmp.Or(opts.Lang, string(message.From(ctx)))
	progress.Report(ctx, progress.Event{Stage: "write", Item: file})
	m := newMaterial(p, tree, opts.Lang, opts.Now())
	s, out, err := m.build(ctx, old, opts)
	if err != nil {
		return nil, err
	}
	s.Front.SourceCommit = commitOf(ctx, p, tree, opts.Commits)
	if opts.To != nil {
		if _, err := opts.To.Write(s.Render()); err != nil {
			return nil, message.Errorf("write the spec: %w", err)
		}
	} else if err := s.write(p, file); err != nil {
		return nil, err
	}
	r := &GenerateResult{SpecPath: file, Confidence: s.Front.Confidence, Claims: CountClaims(s.Claims)}
	if opts.Outline {
		r.Outline = m.outline()
	}
	var notes []string
	if out != nil {
		r.TokenUsage, r.Degraded, r.Failure = out.Usage.Total(), out.Failed != nil, out.Failed
		notes = out.Notes
	}
	r.Warnings = append([]string{}, slices.Concat(opts.Notes, notes, m.warnings(message.From(ctx)))...)
	return r, nil
}

// OutlineTree returns the outline of a target that has been read, including its tests, and writes nothing. Of the options it
// uses the language. The error is that of the context.
func OutlineTree(ctx context.Context, p *project.Project, tree *source.Tree, lang string) (*Outline, error) {
	m := newMaterial(p, tree, cmp.Or(lang, string(message.From(ctx))), time.Time{})
	var out *Outline
	err := inSteps(ctx, func() { m.findClaims(ctx) }, m.readTests, func() { out = m.outline() })
	return out, err
}

// OutlineOf is [OutlineTree] for a target as [Generate] reads it.
func OutlineOf(ctx context.Context, p *project.Project, target, lang string) (*Outline, error) {
	tree, err := source.Read(ctx, p, target, source.Options{Scope: source.Module, Parts: source.ForSpec})
	if err != nil {
		return nil, err
	}
	if err := tree.ReadRelated(ctx, p); err != nil {
		return nil, err
	}
	return OutlineTree(ctx, p, tree, lang)
}

// findClaims finds what the code of the target does.
func (m *material) findClaims(ctx context.Context) {
	m.claims = evidence.Find(ctx, m.tree.Files, m.merged, m.tree.Links, evidence.Known{Endpoints: m.tree.Endpoints, Commands: m.tree.Commands, Settings: m.tree.Settings, Sharing: m.tree.Sharing})
}

// commitOf returns the commit that has the code of a tree.
func commitOf(ctx context.Context, p *project.Project, tree *source.Tree, commits *source.Commits) string {
	if commits == nil {
		commits = source.NewCommits(p)
		defer commits.Close() //nolint:errcheck // it was only read
	}
	return commits.Of(ctx, tree)
}

// MaxSize limits the size of specs in bytes. A spec may be larger than any source file.
const MaxSize = 64 << 20

// Load reads the spec in a file, with its lock if that can be read and agrees with it. Of a page with a merge
// conflict in its front matter it reads one side, if both keep the same text. The error is
// fs.ErrNotExist if the file does not exist, and a [*ForeignError] if this program did not write it.
func Load(p *project.Project, file string) (*Spec, error) {
	text, err := p.ReadUpTo(file, MaxSize)
	if err != nil {
		return nil, err
	}
	s, err := parseGenerated(text)
	switch {
	case err != nil && strings.Contains(string(text), generatedByUs):
		return nil, message.Errorf("%s: %w", file, err)
	case err != nil, !strings.HasPrefix(s.Front.GeneratedBy, "reverse-spec"):
		return nil, &ForeignError{file}
	}
	_ = s.ReadLock(p, file) // a new one replaces it
	return s, nil
}

// ForeignError reports that the path of a spec is taken by another file.
type ForeignError struct{ Path string }

func (e *ForeignError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *ForeignError) In(lang message.Lang) string {
	return message.New("%s exists and is not a spec of reverse-spec; it was not changed", e.Path).In(lang)
}

// Hint implements the hint of an error: what the user can do.
func (e *ForeignError) Hint() message.Text {
	return message.New("move %s away, or choose another folder with --output-dir", e.Path)
}

// build fills a spec; old is the spec it replaces, or nil. The error is opts.Check's or ctx's.
func (m *material) build(ctx context.Context, old *Spec, opts GenerateOptions) (*Spec, *model.Explanation, error) {
	s := &Spec{Lang: m.lang, Title: m.name, Baseline: baselineOf(m.merged)}
	tests := newNumbering("CT-" + m.module)
	if old != nil {
		m.idLang = old.Lang
		for _, t := range old.ContractTests {
			tests.keep(t.key(), t.ID)
		}
		for i := range old.Requirements {
			m.kept[old.Requirements[i].ID] = keptIn(old.Requirements[i].Text) != ""
		}
	}
	fill := func() { m.fill(s, opts.All, func() (reqs, cases *numbering) { return m.numbersOf(old) }) }
	err := inSteps(ctx,
		func() { m.findClaims(ctx) },
		m.readTests,
		func() {
			s.Front = m.front(old)
			if opts.To != nil && old != nil { // no file is written
				s.Front.Version = old.Front.Version
			}
			s.Attributes = m.attributes(s.Front, old)
			s.Intent = m.opening()
		},
		fill)
	if err != nil {
		return nil, nil, err
	}
	if err := m.contractTests(ctx, tests, s, opts.OutputDir, opts.Check, fill); err != nil {
		return nil, nil, err
	}
	err = inSteps(ctx,
		func() { m.trace(s) },
		func() {
			s.Claims, s.Unnoticed = m.recorded(), holding(m.project, old)
			s.Risks = m.risks(s)
		},
		func() {
			m.addSteps(s)
			m.sayLeftOut(s)
		})
	if err != nil {
		return nil, nil, err
	}
	s.tidy()
	var out *model.Explanation // nil without a writer
	if opts.Writer != nil {
		if out, err = m.enrich(ctx, s, opts); err != nil {
			return nil, out, err
		}
	}
	s.Front.Confidence = m.confidence(out)
	if old != nil {
		s.carryOver(old)
		s.keepVersion(old)
	}
	return s, out, nil
}

// numbersOf returns the numbering of requirements and scenarios that keeps the ids of an old spec; nil for none.
func (m *material) numbersOf(old *Spec) (reqs, cases *numbering) {
	reqs, cases = newNumbering("REQ-"+m.module), newNumbering("SC-"+m.module)
	if old == nil {
		return reqs, cases
	}
	for i := range old.Claims {
		reqs.keep(old.Claims[i].ID(), old.Claims[i].Requirement)
	}
	for i := range old.Requirements {
		reqs.keep(old.Requirements[i].key(), old.Requirements[i].ID)
	}
	for i := range old.Scenarios {
		cases.keep(old.Scenarios[i].Title, old.Scenarios[i].ID)
	}
	return reqs, cases
}

// inSteps runs steps until ctx ends. A step may take a second in a large project.
func inSteps(ctx context.Context, steps ...func()) error {
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		step()
	}
	return ctx.Err()
}

func (m *material) front(old *Spec) Front {
	f := Front{
		Type: "module-spec", SpecID: specID(m.name), Version: "v1", GeneratedBy: Generator,
		SourceTarget: m.target, Scope: string(m.tree.Scope), Language: m.merged.Language,
		LastUpdated: m.now.UTC().Format(time.RFC3339), Health: "unverified",
		SkeletonHash: m.merged.Hash, RelatedFiles: []string{},
	}
	for _, file := range m.tree.Files {
		f.RelatedFiles = append(f.RelatedFiles, file.Path)
	}
	if old != nil {
		f.Version = NextVersion(old.Front.Version)
		f.LastReferencedBy = old.Front.LastReferencedBy
	}
	return f
}

// NextVersion returns the version after v1, v2, ...; it returns "v1" for anything else.
func NextVersion(v string) string {
	n, err := strconv.Atoi(strings.TrimPrefix(v, "v"))
	if err != nil || n < 1 {
		return "v1"
	}
	return "v" + strconv.Itoa(n+1)
}

func (m *material) attributes(f Front, old *Spec) []Attribute {
	created := m.now.UTC().Format(time.DateOnly)
	createdName := wording.In(m.lang, "Created", "创建日期")
	if old != nil {
		for _, a := range old.Attributes {
			if a.Name == "Created" || a.Name == "创建日期" {
				created = a.Value
			}
		}
	}
	return []Attribute{
		{"Spec-ID", f.SpecID},
		{wording.In(m.lang, "Version", "版本"), f.Version},
		{wording.In(m.lang, "Status", "状态"), "Active"},
		{wording.In(m.lang, "Source", "源码"), markdown.Code(m.target)},
		{createdName, created},
	}
}

// maxMarks is the number of inferred statements above which confidence is low.
const maxMarks = 3

// confidence implements the rule at [Generate].
func (m *material) confidence(out *model.Explanation) Confidence {
	broken := 0
	for _, f := range m.tree.Files {
		if len(f.ParseErrors) > 0 {
			broken++
		}
	}
	switch {
	case 10*broken > 3*len(m.tree.Files), out != nil && (out.Failed != nil || out.Inferred > maxMarks):
		return Low
	case out == nil, broken > 0, out.Inferred > 0, out.Truncated:
		return Medium
	}
	return High
}

// maxUnread is how many unread files a warning lists.
const maxUnread = 10

// warnings returns what the user should know about how the spec was made.
func (m *material) warnings(lang message.Lang) []string {
	out := []string{}
	add := func(t message.Text) { out = append(out, t.In(lang)) }
	var broken []*code.File
	unread := 0
	for _, f := range m.tree.Files {
		switch reason := source.Unread(f); {
		case reason != "" && unread < maxUnread:
			unread++
			add(message.New("%s was not read: %s", f.Path, message.Translate(lang, reason)))
		case reason == "" && len(f.ParseErrors) > 0:
			broken = append(broken, f)
		}
	}
	if n := len(broken); n > 0 {
		e := broken[0].ParseErrors[0]
		add(message.New("%s; the first: %s:%d:%d %s",
			message.Count(n, "%d file with syntax errors", "%d files with syntax errors"), broken[0].Path, e.Line, e.Column, e.Message))
	}
	if n := m.tree.Skipped.Total(); n > 0 {
		add(message.New("skipped: %s", m.tree.Skipped))
	}
	if n := len(m.unproven); n > 0 {
		add(message.New("%s left out of the contract tests; the section on risks says why", message.Count(n, "%d test", "%d tests")))
	}
	if n := len(m.notRun); n > 0 {
		add(message.New("%s; the first: %s", message.Count(n, "%d contract test has no result", "%d contract tests have no result"), m.notRun[0]))
	}
	return append(out, m.tree.Warnings...)
}
