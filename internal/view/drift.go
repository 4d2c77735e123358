package view

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"path"
	"regexp"
	"sync"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// badge is a short form of a spec's drift.
type badge struct {
	Path  string
	Class string // style: good, bad, warn, none
	Words message.Text
	Why   message.Text // details; empty for none
	total int
	grave int
}

// weight orders badges, breaking changes first and unknown last.
func (b *badge) weight() int {
	if b == nil {
		return -1
	}
	return b.grave<<20 + b.total
}

// driftWatch computes the drift of specs, at most mostLooks at a time, and caches results
// until the spec or the code changes.
type driftWatch struct {
	project *project.Project
	turns   chan struct{} // semaphore; a comparison keeps a processor busy

	mu    sync.Mutex
	found map[string]finding // by path of the spec
}

// finding is the computed drift of a spec.
type finding struct {
	digest digest // of the spec
	code   digest // of the spec's source files
	report *drift.Report
	err    error
}

// mostLooks limits concurrent comparisons.
const mostLooks = 2

func newDriftWatch(p *project.Project) *driftWatch {
	return &driftWatch{project: p, turns: make(chan struct{}, mostLooks), found: map[string]finding{}}
}

// known returns the cached result for a spec, or nil if there is none or the spec has changed.
// It does not check the code for changes.
func (w *driftWatch) known(path string, contents digest) *badge {
	w.mu.Lock()
	f, ok := w.found[path]
	w.mu.Unlock()
	if !ok || f.digest != contents {
		return nil
	}
	return f.badge(path)
}

// look compares a spec with the current code.
func (w *driftWatch) look(ctx context.Context, path string, text []byte) (finding, error) {
	select {
	case w.turns <- struct{}{}:
	case <-ctx.Done():
		return finding{}, ctx.Err()
	}
	defer func() { <-w.turns }()
	contents := digest(sha256.Sum256(text))
	code := w.codeOf(ctx, path, text)
	w.mu.Lock()
	f, ok := w.found[path]
	w.mu.Unlock()
	if ok && f.digest == contents && f.code == code {
		return f, nil
	}
	report, err := drift.Detect(ctx, w.project, drift.Options{Spec: path, NoReport: true})
	if ctx.Err() != nil {
		return finding{}, ctx.Err()
	}
	f = finding{digest: contents, code: code, report: report, err: err}
	w.mu.Lock()
	w.found[path] = f
	w.mu.Unlock()
	return f, nil
}

// codeOf returns a digest of the spec's lock and source files: of their names, sizes and modification
// times, or of the contents of a single file.
func (w *driftWatch) codeOf(ctx context.Context, file string, text []byte) (d digest) {
	s, err := spec.Parse(spec.WithoutBaseline(text))
	if err != nil || s.Front.SourceTarget == "" {
		return d
	}
	l, err := w.project.List(ctx, s.Front.SourceTarget)
	if err != nil {
		return d
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%d\n", w.project.ModTime(spec.LockPath(file, s.Front.SourceTarget)).UnixNano())
	for _, f := range l.Files {
		if s.Front.Scope == "folder" && path.Dir(f.Path) != l.Target {
			continue
		}
		fmt.Fprintf(sum, "%q %d %d %x\n", f.Path, f.Size, f.ModTime.UnixNano(), f.Stamp())
		if l.File {
			w.add(sum, f.Path)
		}
	}
	sum.Sum(d[:0])
	return d
}

// add adds the contents of a file, which may be missing.
func (w *driftWatch) add(to io.Writer, file string) {
	data, err := w.project.ReadFile(file)
	if err == nil {
		_, _ = to.Write(data) // a hash never fails
	}
}

// badge returns the short form of the finding.
func (f *finding) badge(path string) *badge {
	if f.err != nil {
		return &badge{Path: path, Class: "none", Words: message.New("unknown"), Why: message.New("%v", f.err)}
	}
	s := f.report.Summary
	b := &badge{Path: path, Class: "good", Words: message.New("in sync"), total: s.TotalChanges, grave: s.Breaking}
	switch {
	case s.Breaking > 0:
		b.Class, b.Words = "bad", message.New("%d breaking", s.Breaking)
		b.Why = message.New("%v in all", message.Count(s.TotalChanges, "%d change", "%d changes"))
	case s.TotalChanges > 0:
		b.Class, b.Words = "warn", message.Count(s.TotalChanges, "%d change", "%d changes")
	}
	return b
}

// drifted computes the drift of the spec in a request.
func (s *Site) drifted(r *http.Request) (string, finding, error) {
	path := r.PathValue("path")
	text, err := s.library.text(r.Context(), path)
	if err != nil {
		return path, finding{}, err
	}
	f, err := s.drift.look(r.Context(), path, text)
	return path, f, err
}

// driftBadge returns the badge of a spec, for the index.
func (s *Site) driftBadge(r *http.Request) (answer, error) {
	path, f, err := s.drifted(r)
	if err != nil {
		return answer{}, err
	}
	return answer{template: "badge.html", fragment: true, data: f.badge(path)}, nil
}

// driftReport returns the drift page of a spec.
func (s *Site) driftReport(r *http.Request) (answer, error) {
	path, f, err := s.drifted(r)
	if err != nil {
		return answer{}, err
	}
	page := struct {
		Path   string
		Report *drift.Report
		Badge  *badge
		Counts []message.Text
		Items  []driftItem
	}{Path: path, Report: f.report, Badge: f.badge(path)}
	if f.err == nil {
		for i := range f.report.Items {
			page.Items = append(page.Items, driftItem{&f.report.Items[i], sides(f.report.Items[i].Bodies)})
		}
		sum := f.report.Summary
		page.Counts = []message.Text{
			message.New("%d breaking", sum.Breaking),
			message.New("%d HIGH", sum.High),
			message.New("%d MEDIUM", sum.Medium),
			message.New("%d LOW", sum.Low),
			message.New("%d noise", f.report.FilteredNoise),
		}
	}
	return answer{template: "drift.html", title: message.Sprintf(r.Context(), "Drift of %s", path), data: page}, nil
}

// driftItem is a change, and the code of both sides where a body changed.
type driftItem struct {
	*drift.Item
	Sides []sideRow
}

// Values reports whether the old and the new value are shown: not beside the code, and not the hashes of bodies that are unknown.
func (i driftItem) Values() bool {
	return i.Sides == nil && (i.OldValue != "" || i.NewValue != "") && !bodyHash.MatchString(i.OldValue+i.NewValue)
}

// bodyHash matches the hashes of two bodies.
var bodyHash = regexp.MustCompile(`^[0-9a-f]{8,64}$`)

// sideRow is a row of two texts side by side; a number of 0 is a side without a line.
type sideRow struct {
	Old, New int // numbers of lines
	Was, Is  string
	Changed  bool
	Gap      bool   // lines that are the same on both sides are left out
	At       string // address of the new line; "" for none
}

// sideContext is the number of lines that are shown around what changed.
const sideContext = 4

// sides aligns two bodies by the lines at their beginning and end that they have in common.
func sides(bodies *[2]drift.Body) []sideRow {
	if bodies == nil {
		return nil
	}
	a, b := &bodies[0], &bodies[1]
	first, last := a.Same[0], a.Same[1]
	var out []sideRow
	same := func(from, to, back int) { // lines of a; those of b are as far from the end of the common part
		for i := from; i < to; i++ {
			j := i - back
			out = append(out, sideRow{Old: a.First + i, New: b.First + j, Was: a.Lines[i], Is: b.Lines[j], At: lineLink(b.File, b.First+j)})
		}
	}
	from := max(0, first-sideContext)
	if from > 0 { // the head of the function says which it is
		same(0, 1, 0)
		out = append(out, sideRow{Gap: true})
	}
	same(from, first, 0)
	for i := range max(len(a.Lines), len(b.Lines)) - first - last {
		var row sideRow
		if k := first + i; k < len(a.Lines)-last {
			row.Old, row.Was = a.First+k, a.Lines[k]
		}
		if k := first + i; k < len(b.Lines)-last {
			row.New, row.Is, row.At = b.First+k, b.Lines[k], lineLink(b.File, b.First+k)
		}
		row.Changed = row.Old == 0 || row.New == 0 || row.Was != row.Is
		out = append(out, row)
	}
	same(len(a.Lines)-last, min(len(a.Lines), len(a.Lines)-last+sideContext), len(a.Lines)-len(b.Lines))
	if last > sideContext {
		out = append(out, sideRow{Gap: true})
	}
	return out
}
