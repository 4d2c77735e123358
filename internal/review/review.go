// Package review makes one briefing of a change: how risky it is and why, what it breaks and who uses that, which statements
// of specs it makes untrue, what it adds that no spec states, and which tests to run.
package review

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Options are the options of [Of].
type Options struct {
	Base   string // the revision that the change begins at; "" for the one that fits, see [Review.Base]
	Staged bool   // review what the next commit would have, not the files
	Paths  []string
	Run    spec.Check // runs the tests; nil to name them only
	Now    func() time.Time
}

// Review is the briefing of a change.
type Review struct {
	Base      string `json:"base"`      // as given, or the one that was chosen: HEAD for uncommitted changes, the fork from the main branch, or HEAD~1 if there is one
	Commit    string `json:"commit"`    // its id
	Staged    bool   `json:"staged"`    // the index of git was reviewed, not the files
	Risk      Risk   `json:"risk"`      // how much care the change needs
	Files     Files  `json:"files"`     // what changed
	Breaking  []Item `json:"breaking"`  // what breaks users
	Untrue    []Item `json:"untrue"`    // behaviour that is not as it was, with the statements of specs that say otherwise
	Changed   []Item `json:"changed"`   // the implementation alone, and what else concerns users
	New       []Item `json:"new"`       // what no requirement states
	Functions []Site `json:"functions"` // functions that changed, with how many tests reach them
	Tests     Tests  `json:"tests"`
	// Index says what the users of code were found in: "graph", or "names" if there is no code graph.
	Index    string       `json:"index"`
	Specs    int          `json:"specs"` // specs that state something about the change
	Warnings []string     `json:"warnings"`
	Lang     message.Lang `json:"-"`
}

// Item is something that changed, with those who use it.
type Item struct {
	drift.Item
	Users []User `json:"users,omitempty"` // the places to look at first: outside the change before those in it, code before tests
	More  int    `json:"more,omitempty"`  // how many other places there are
	Stale int    `json:"stale,omitempty"` // how many places the change does not touch
	// Moved is set if nothing uses it any more and the change removed uses of it.
	Moved bool `json:"usesRemoved,omitempty"`
}

// User is a place that uses something.
type User struct {
	Repository string `json:"repository,omitempty"` // of another repository of the federation
	Place      string `json:"place"`                // file:line
	Symbol     string `json:"symbol,omitempty"`     // the function around it
	Test       bool   `json:"test,omitempty"`
	Changed    bool   `json:"changed,omitempty"` // the change touches the line
	ByName     bool   `json:"byName,omitempty"`  // it names it; whether that is meant is not known
}

// Site is a function that changed.
type Site struct {
	Name  string `json:"name"`
	Place string `json:"place"`
	Tests int    `json:"tests"` // that reach it; -1 if that is not known
	Users int    `json:"users"` // that call or use it; -1 if that is not known
}

// Files counts the files of a change.
type Files struct {
	Code, Tests, Specs, Manifests, Other int
	Names                                []string `json:"-"`
}

// Of reviews the difference between a revision and the files of a project. Graphs may be nil.
//
// Errors are those of [drift.DetectAll].
func Of(ctx context.Context, p *project.Project, g *graphs.Graphs, opts Options) (*Review, error) {
	r := &reviewer{project: p, now: p.Frozen(), opts: opts, out: &Review{
		Staged: opts.Staged, Lang: message.From(ctx), Index: byNames, Warnings: []string{},
		Breaking: []Item{}, Untrue: []Item{}, Changed: []Item{}, New: []Item{}, Functions: []Site{},
	}}
	return r.out, errors.Join(r.run(ctx, g), r.close())
}

// reviewer makes one review.
type reviewer struct {
	project  *project.Project
	now      *project.Project // the files, or the index of git; frozen
	staged   *project.Project // the index of git; nil if the files are reviewed
	opts     Options
	out      *Review
	changed  []string
	hunks    map[string][]project.Hunk
	old      *project.Project
	graph    *graphs.Graph // nil without one
	others   []foreign     // uses by other repositories
	sites    []site
	inline   []string            // changed files that have tests beside their code
	outside  []string            // file:line of changed code that is in no declaration
	codeText map[string][]string // lines of files that were read; see linesOf
	listed   []string            // source files of the project; see sources
}

func (r *reviewer) run(ctx context.Context, g *graphs.Graphs) (err error) {
	if r.opts.Staged {
		if r.staged, err = r.project.Staged(ctx); err != nil {
			return err
		}
		r.now = r.staged.Frozen()
	}
	if err := r.chooseBase(ctx); err != nil {
		return err
	}
	if err := r.git(ctx); err != nil {
		return err
	}
	var wg sync.WaitGroup
	wg.Go(func() { r.open(ctx, g) })
	report, err := drift.DetectAll(ctx, r.now, drift.Options{Base: r.out.Base, Old: r.old, Changed: r.changed, NoReport: true, Now: r.opts.Now}, r.opts.Paths)
	wg.Wait()
	if err != nil {
		return err
	}
	r.out.Warnings = append(r.out.Warnings, report.Warnings...)
	r.files()
	if err := r.functions(ctx); err != nil {
		return err
	}
	if err := r.items(ctx, report.Items); err != nil {
		return err
	}
	if err := r.tests(ctx); err != nil {
		return err
	}
	r.out.Risk = r.risk()
	return ctx.Err()
}

// git asks git what changed, opens the old side, and has the files listed, which all else needs.
func (r *reviewer) git(ctx context.Context) error {
	var wg sync.WaitGroup
	errs := make([]error, 3)
	wg.Go(func() { r.changed, errs[0] = r.now.Changed(ctx, r.out.Base) })
	wg.Go(func() { r.hunks, errs[1] = r.now.Hunks(ctx, r.out.Base) })
	wg.Go(func() { r.old, errs[2] = r.project.At(ctx, r.out.Base) })
	wg.Go(func() { _, _ = r.now.List(ctx, ".") }) // whoever needs the list gets the error
	wg.Wait()
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	r.out.Commit = r.old.Revision()
	return nil
}

func (r *reviewer) close() error {
	var errs []error
	if r.graph != nil {
		errs = append(errs, r.graph.Close())
	}
	if r.old != nil {
		errs = append(errs, r.old.Close())
	}
	if r.staged != nil {
		errs = append(errs, r.staged.Close())
	}
	return errors.Join(errs...)
}

// mainBranches are what the branch that changes go to is called, the likeliest first.
var mainBranches = []string{"origin/HEAD", "origin/main", "origin/master", "main", "master"}

// chooseBase decides what the change begins at, if the caller did not.
func (r *reviewer) chooseBase(ctx context.Context) error {
	if r.out.Base = r.opts.Base; r.out.Base != "" {
		return nil
	}
	r.out.Base = "HEAD"
	uncommitted, err := r.now.Changed(ctx, "HEAD")
	if err != nil || len(uncommitted) > 0 || r.opts.Staged {
		return err
	}
	for _, branch := range mainBranches {
		if fork := r.project.Fork(ctx, branch); fork != "" {
			r.out.Base = fork
			return nil
		}
	}
	if !r.project.IsRoot(ctx) { // else nothing changed
		r.out.Base = "HEAD~1"
	}
	return nil
}

// files counts the files of the change.
func (r *reviewer) files() {
	f := &r.out.Files
	for _, name := range r.changed {
		if !r.within(name) {
			continue
		}
		f.Names = append(f.Names, name)
		l, known := lang.ByPath(name)
		switch {
		case strings.HasSuffix(name, spec.Suffix) || strings.Contains(name, "/"+spec.LockDir+"/") || strings.Contains(name, "/"+spec.AdoptedDir+"/"):
			f.Specs++
		case known && l.TestPath != nil && l.TestPath(name):
			f.Tests++
		case known:
			f.Code++
		case slices.Contains(manifests, path.Base(name)):
			f.Manifests++
		default:
			f.Other++
		}
	}
}

// manifests are the files that say what a project depends on.
var manifests = []string{
	"go.mod", "go.sum", "package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "pyproject.toml", "requirements.txt", "poetry.lock", "uv.lock",
	"Cargo.toml", "Cargo.lock", "pom.xml", "build.gradle", "build.gradle.kts", "Gemfile", "Gemfile.lock", "composer.json", "composer.lock",
}

// within reports whether a file is one of those that are reviewed.
func (r *reviewer) within(name string) bool {
	return len(r.opts.Paths) == 0 || slices.ContainsFunc(r.opts.Paths, func(p string) bool {
		p = path.Clean(p)
		return p == "." || name == p || strings.HasPrefix(name, p+"/")
	})
}

// inner are the rules about what users of the code do not see.
var inner = []string{"body-changed", "internal-changed"}

// items sorts what changed, and finds who uses it.
func (r *reviewer) items(ctx context.Context, list []drift.Item) error {
	specs := map[string]bool{}
	for _, i := range list {
		for _, s := range append(slices.Clone(i.Statements), i.Related...) {
			file, _, _ := strings.Cut(s.Location, ":")
			specs[file] = true
		}
		item := Item{Item: i}
		behaviour := i.Rule == "claim-changed" || i.Rule == "claim-removed"
		if i.Breaking || behaviour {
			if err := r.use(ctx, &item); err != nil {
				return err
			}
		}
		switch {
		case i.Breaking:
			r.out.Breaking = append(r.out.Breaking, item)
		case behaviour || len(i.Statements) > 0:
			r.out.Untrue = append(r.out.Untrue, item)
		case i.ChangeType == drift.Addition:
			r.out.New = append(r.out.New, item)
		default:
			r.out.Changed = append(r.out.Changed, item)
		}
	}
	r.out.Specs = len(specs)
	slices.SortStableFunc(r.out.Breaking, func(a, b Item) int { return cmp.Compare(b.Stale, a.Stale) })
	return nil
}

// splitPlace returns the file and the line of "file:line".
func splitPlace(place string) (file string, line int) {
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return place, 0
	}
	n := 0
	for _, c := range place[i+1:] {
		if c < '0' || c > '9' {
			return place, 0
		}
		n = 10*n + int(c-'0')
	}
	return place[:i], n
}
