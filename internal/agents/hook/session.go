package hook

import (
	"cmp"
	"context"
	"errors"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// SessionBudget is the time that specs are compared with their code when a session
// starts.
const SessionBudget = 50 * time.Millisecond

// Session is what [SessionStart] is told.
type Session struct {
	// Graph tells when the project's code graph was built; the zero time for none.
	Graph  func(ctx context.Context) (time.Time, error)
	Budget time.Duration    // 0 for [SessionBudget]
	Now    func() time.Time // nil for [time.Now]
}

// SessionStart says how the project's specs stand, in a line; "" where there are none.
// Specs are looked for in the default folder. The errors are those of listing it.
func SessionStart(ctx context.Context, p *project.Project, o Session) (string, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	until, cancel := context.WithTimeout(ctx, cmp.Or(o.Budget, SessionBudget))
	defer cancel()
	list, err := p.List(ctx, spec.DefaultOutputDir)
	if missing := (*project.MissingError)(nil); errors.As(err, &missing) {
		return "", nil
	}
	if err != nil {
		return "", message.Errorf("list the specs: %w", err)
	}
	specs, unseen := standings(until, p, list)
	if len(specs)+unseen == 0 {
		return "", nil
	}
	built, graphErr := o.Graph(ctx)
	slices.SortStableFunc(specs, func(a, b standing) int { return b.written.Compare(a.written) })
	for i := range specs {
		specs[i].compare(until, p)
	}
	parts := summary(specs, unseen)
	switch {
	case graphErr != nil: // it is told by who asks the graph
	case built.IsZero():
		parts = append(parts, message.New("no code graph yet"))
	default:
		parts = append(parts, message.New("code graph %v old", age(o.Now().Sub(built))))
	}
	all := parts[0]
	for _, p := range parts[1:] {
		all = message.New("%v; %v", all, p)
	}
	return message.Sprintf(ctx, "reverse-spec: %v.", all), nil
}

// standing is how a spec stands.
type standing struct {
	path    string
	failing bool
	written time.Time // when the code was; zero unless that is after the spec
	report  *drift.Report
}

// standings returns those of the specs in a listing, as far as there is time to look: unseen
// is how many more there are.
func standings(ctx context.Context, p *project.Project, list *project.Listing) (specs []standing, unseen int) {
	var mu sync.Mutex // of specs, unseen
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := next.Add(1); i <= int64(len(list.Files)); i = next.Add(1) {
				file := list.Files[i-1].Path
				if !strings.HasSuffix(file, ".spec.md") || file == spec.IndexPath(spec.DefaultOutputDir) {
					continue
				}
				late := ctx.Err() != nil
				s, ok := standing{}, false
				if !late {
					s, ok = standingOf(p, file)
				}
				mu.Lock()
				switch {
				case late:
					unseen++
				case ok:
					specs = append(specs, s)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	slices.SortFunc(specs, func(a, b standing) int { return strings.Compare(a.path, b.path) })
	return specs, unseen
}

// frontOf reads the front matter of a spec. Most are short; one that names many files
// wants a second look.
func frontOf(p *project.Project, file string) (front spec.Front, err error) {
	for _, size := range []int64{4 << 10, 64 << 10} {
		text, err := p.ReadStart(file, size)
		if err != nil {
			return front, err
		}
		front, err = spec.ParseFront(text)
		if !errors.Is(err, spec.ErrNotSpec) || int64(len(text)) < size {
			return front, err
		}
	}
	return front, spec.ErrNotSpec
}

// standingOf reads what a spec says of itself; false for what is no module's spec.
func standingOf(p *project.Project, file string) (standing, bool) {
	front, err := frontOf(p, file)
	if err != nil || front.Type != "" && front.Type != "module-spec" {
		return standing{}, false
	}
	return standing{path: file, failing: front.Health == "failing", written: writtenSince(p, front, p.ModTime(file))}, true
}

// writtenSince returns when the newest file of a spec was written, or its folder, where
// files come and go; zero when all of them are older than the spec: than the time that
// it says, which is in whole seconds, and than its file, which others may have written
// since.
func writtenSince(p *project.Project, front spec.Front, file time.Time) time.Time {
	since, err := time.Parse(time.RFC3339, front.LastUpdated)
	if err != nil || front.SourceTarget == "" {
		return time.Time{}
	}
	var newest time.Time
	for _, at := range append(p.ModTimes(front.RelatedFiles), p.ModTime(front.SourceTarget)) {
		if at.IsZero() { // it is gone
			at = since.Add(time.Minute)
		}
		if at.After(newest) {
			newest = at
		}
	}
	if newest.Before(since.Add(time.Second)) && !newest.After(file) {
		return time.Time{}
	}
	return newest
}

// compare looks for the drift of a spec whose code was written since, if there is time.
func (s *standing) compare(ctx context.Context, p *project.Project) {
	if s.written.IsZero() || ctx.Err() != nil {
		return
	}
	if r, err := detect(ctx, p, drift.Options{Spec: s.path, NoReport: true}); err == nil {
		s.report = r
	}
}

// mostNamed is how many specs of a kind are named.
const mostNamed = 5

// summary says how many specs there are, and names those that need a look.
func summary(specs []standing, unseen int) []message.Text {
	var drifted, failing []any
	unknown := 0
	for _, s := range specs {
		switch {
		case s.report != nil && len(s.report.Items) > 0:
			drifted = append(drifted, message.New("%v (%v)", s.path, changed(s.report.Summary.TotalChanges, s.report.Summary.Breaking)))
		case s.report == nil && !s.written.IsZero():
			unknown++
		}
		if s.failing {
			failing = append(failing, s.path)
		}
	}
	count := message.Count(len(specs)+unseen, "%d spec", "%d specs")
	parts := []message.Text{message.New("%v in %s", count, path.Clean(spec.DefaultOutputDir)+"/")}
	if len(drifted) > 0 {
		parts = append(parts, message.New("drifted: %v", naming(drifted, mostNamed)))
	}
	if len(failing) > 0 {
		parts = append(parts, message.New("contract tests failing: %v", naming(failing, mostNamed)))
	}
	if unknown > 0 {
		parts = append(parts, message.New("%d older than their code and not compared", unknown))
	}
	if unseen > 0 {
		parts = append(parts, message.New("%d not read, because time ran out", unseen))
	}
	return parts
}

// changed says how much changed.
func changed(total, breaking int) message.Text {
	changes := message.Count(total, "%d change", "%d changes")
	if breaking == 0 {
		return changes
	}
	return message.New("%v, %d breaking", changes, breaking)
}

// naming lists the first names, texts or strings, and counts the others.
func naming[T any](names []T, most int) message.Text {
	var list message.Text
	for i, n := range names[:min(most, len(names))] {
		if i == 0 {
			list = message.New("%v", n)
			continue
		}
		list = message.New("%v, %v", list, n)
	}
	if more := len(names) - most; more > 0 {
		return message.New("%v and %d more", list, more)
	}
	return list
}
