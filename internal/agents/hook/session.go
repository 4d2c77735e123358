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
	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// SessionBudget is the default time limit for comparing specs with code.
const SessionBudget = 75 * time.Millisecond

// Session has the options of [SessionStart].
type Session struct {
	// Graph returns the time when the project's code graph was built; the zero time if there is
	// none.
	Graph  func(ctx context.Context) (time.Time, error)
	Budget time.Duration    // 0 for [SessionBudget]
	Now    func() time.Time // nil for [time.Now]
}

// SessionStart describes the state of the project's specs in a line; "" if there are none.
// Specs are expected in the default folder. The errors are those of listing it.
func SessionStart(ctx context.Context, p *project.Project, o Session) (string, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	ctx = source.Remembering(ctx) // specs of one folder read the same files
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
	reading := drift.Options{NoReport: true, Brief: true}.Sharing(p)
	for i := range specs {
		specs[i].compare(until, p, reading)
	}
	parts := summary(specs, unseen)
	switch {
	case graphErr != nil: // commands that use the graph report it
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

// standing is the state of a spec.
type standing struct {
	path    string
	failing bool
	adopted bool      // a person wrote it
	written time.Time // when the code was written; zero unless that is after the spec
	report  *drift.Report
}

// standings returns the states of the listed specs, as time permits; unseen is the number of
// the others.
func standings(ctx context.Context, p *project.Project, list *project.Listing) (specs []standing, unseen int) {
	var mu sync.Mutex // guards specs and unseen
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := next.Add(1); i <= int64(len(list.Files)); i = next.Add(1) {
				file := list.Files[i-1].Path
				written, isAdopted := adopted.SpecOf(file)
				if !isAdopted && (!strings.HasSuffix(file, ".spec.md") || file == spec.IndexPath(spec.DefaultOutputDir)) {
					continue
				}
				late := ctx.Err() != nil
				s, ok := standing{}, false
				switch {
				case late:
				case isAdopted:
					s, ok = standingOfAdopted(p, written)
				default:
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

// frontOf reads the front matter of a spec. Usually a small prefix suffices; one that lists
// many files needs a second read.
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

// standingOf reads the state recorded in a spec; ok is false if the file is not a module's
// spec.
func standingOf(p *project.Project, file string) (standing, bool) {
	front, err := frontOf(p, file)
	if err != nil || front.Type != "" && front.Type != "module-spec" {
		return standing{}, false
	}
	return standing{path: file, failing: front.Health == "failing", written: writtenSince(p, front, p.ModTime(file))}, true
}

// standingOfAdopted returns the state of an adopted spec; ok is false if its lock cannot be read.
func standingOfAdopted(p *project.Project, file string) (standing, bool) {
	a, err := adopted.Open(p, file)
	if err != nil {
		return standing{}, false
	}
	var files []string
	for _, l := range a.Accepted(false) {
		files = append(files, l.File)
	}
	slices.Sort(files)
	s := standing{path: file, adopted: true}
	since := p.ModTime(adopted.LockPath(file))
	for _, at := range p.ModTimes(slices.Compact(files)) {
		if at.IsZero() { // the file is missing
			at = since.Add(time.Minute)
		}
		if at.After(since) && at.After(s.written) {
			s.written = at
		}
	}
	return s, true
}

// writtenSince returns the modification time of the newest source file of a spec, or of its
// folder, where files are added and removed. It is zero if all are older than the spec, both
// its recorded time, which is in whole seconds, and its file, which may have been rewritten.
func writtenSince(p *project.Project, front spec.Front, file time.Time) time.Time {
	since, err := time.Parse(time.RFC3339, front.LastUpdated)
	if err != nil || front.SourceTarget == "" {
		return time.Time{}
	}
	var newest time.Time
	for _, at := range append(p.ModTimes(front.RelatedFiles), p.ModTime(front.SourceTarget)) {
		if at.IsZero() { // the file is missing
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

// compare compares the spec with its code if that is newer, as time permits.
func (s *standing) compare(ctx context.Context, p *project.Project, reading drift.Options) {
	if s.written.IsZero() || ctx.Err() != nil {
		return
	}
	reading.Spec = s.path
	if r, err := detect(ctx, p, reading); err == nil {
		s.report = r
	}
}

// mostNamed limits the specs listed per state.
const mostNamed = 5

// summary counts the specs and lists those that need attention.
func summary(specs []standing, unseen int) []message.Text {
	var drifted, failing []any
	unknown, own := 0, 0
	for _, s := range specs {
		if !s.adopted {
			own++
		}
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
	var parts []message.Text
	if own+unseen > 0 {
		count := message.Count(own+unseen, "%d spec", "%d specs")
		parts = append(parts, message.New("%v in %s", count, path.Clean(spec.DefaultOutputDir)+"/"))
	}
	if kept := len(specs) - own; kept > 0 {
		parts = append(parts, message.Count(kept, "%d adopted spec", "%d adopted specs"))
	}
	if len(drifted) > 0 {
		parts = append(parts, message.New("drifted: %v", naming(drifted, mostNamed)))
	}
	if len(failing) > 0 {
		parts = append(parts, message.New("contract tests failing: %v", naming(failing, mostNamed)))
	}
	if unknown > 0 {
		parts = append(parts, message.New("%d with newer code, not compared in time", unknown))
	}
	if unseen > 0 {
		parts = append(parts, message.New("%d not read, because time ran out", unseen))
	}
	return parts
}

// changed describes the number of changes.
func changed(total, breaking int) message.Text {
	changes := message.Count(total, "%d change", "%d changes")
	if breaking == 0 {
		return changes
	}
	return message.New("%v, %d breaking", changes, breaking)
}

// naming lists the first names and counts the others.
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
