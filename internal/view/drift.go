package view

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"path"
	"sync"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// badge is the drift of a spec in a word.
type badge struct {
	Path  string
	Class string // of the style: good, bad, warn, none
	Words message.Text
	Why   message.Text // more about it; empty for nothing
	total int
	grave int
}

// weight puts badges in order: those that break users count most, what is not known
// least.
func (b *badge) weight() int {
	if b == nil {
		return -1
	}
	return b.grave<<20 + b.total
}

// driftWatch finds the drift of specs, one or two at a time, and keeps what it found
// until the spec or the code changes.
type driftWatch struct {
	project *project.Project
	turns   chan struct{} // a look at the code takes a whole processor

	mu    sync.Mutex
	found map[string]finding // by path of the spec
}

// finding is the drift that was found of a spec.
type finding struct {
	digest digest // of the spec
	code   digest // of the files that it is of
	report *drift.Report
	err    error
}

// mostLooks is how many specs are compared with their code at a time.
const mostLooks = 2

func newDriftWatch(p *project.Project) *driftWatch {
	return &driftWatch{project: p, turns: make(chan struct{}, mostLooks), found: map[string]finding{}}
}

// known returns what was found of a spec before; nil for nothing, or when the spec is
// another by now. Whether the code is the same is not looked at.
func (w *driftWatch) known(path string, contents digest) *badge {
	w.mu.Lock()
	f, ok := w.found[path]
	w.mu.Unlock()
	if !ok || f.digest != contents {
		return nil
	}
	return f.badge(path)
}

// look compares a spec with the code as it is.
func (w *driftWatch) look(ctx context.Context, path string, text []byte) (finding, error) {
	select {
	case w.turns <- struct{}{}:
	case <-ctx.Done():
		return finding{}, ctx.Err()
	}
	defer func() { <-w.turns }()
	contents := digest(sha256.Sum256(text))
	code := w.codeOf(ctx, text)
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

// codeOf tells one state of the code that a spec is of from another: by the names of
// its files, their sizes and when they were written, or by what is in a single one.
func (w *driftWatch) codeOf(ctx context.Context, text []byte) (d digest) {
	s, err := spec.Parse(spec.WithoutBaseline(text))
	if err != nil || s.Front.SourceTarget == "" {
		return d
	}
	l, err := w.project.List(ctx, s.Front.SourceTarget)
	if err != nil {
		return d
	}
	sum := sha256.New()
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

// add adds what is in a file, which may be missing.
func (w *driftWatch) add(to io.Writer, file string) {
	data, err := w.project.ReadFile(file)
	if err == nil {
		_, _ = to.Write(data) // a hash takes everything
	}
}

// badge returns what was found in a word.
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

// drifted looks for the drift of the spec that a request names.
func (s *Site) drifted(r *http.Request) (string, finding, error) {
	path := r.PathValue("path")
	text, err := s.library.text(r.Context(), path)
	if err != nil {
		return path, finding{}, err
	}
	f, err := s.drift.look(r.Context(), path, text)
	return path, f, err
}

// driftBadge returns the drift of a spec in a word, for the index.
func (s *Site) driftBadge(r *http.Request) (answer, error) {
	path, f, err := s.drifted(r)
	if err != nil {
		return answer{}, err
	}
	return answer{template: "badge.html", fragment: true, data: f.badge(path)}, nil
}

// driftReport returns the page of a spec's drift.
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
	}{Path: path, Report: f.report, Badge: f.badge(path)}
	if f.err == nil {
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
