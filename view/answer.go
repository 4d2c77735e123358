package view

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/counted"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// answer is what a handler found, and the template that shows it. A fragment stands
// for itself, others stand in the frame of a page.
type answer struct {
	template string
	title    string
	fragment bool
	data     any
}

// frame is what the frame of a page shows.
type frame struct {
	Project string
	Title   string
	Section string // which entry of the navigation is this page's
	Body    template.HTML
}

// notFoundError says that there is nothing, in words for people.
type notFoundError struct{ words string }

func (e *notFoundError) Error() string { return e.words }

// page makes a handler of a function that finds what a page shows.
func (s *Site) page(find func(r *http.Request) (answer, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, err := find(r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		s.write(w, r, http.StatusOK, a)
	}
}

// fail answers with a page that says what is wrong. A browser that went away gets
// nothing.
func (s *Site) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return
	}
	status := statusOf(err)
	s.write(w, r, status, answer{template: "error.html", title: http.StatusText(status), data: struct {
		Status int
		Name   string
		Words  string
	}{status, http.StatusText(status), err.Error()}})
}

// statusOf is the HTTP status for an error.
func statusOf(err error) int {
	if _, ok := errors.AsType[*notFoundError](err); ok || errors.Is(err, fs.ErrNotExist) {
		return http.StatusNotFound
	}
	if _, ok := errors.AsType[*workspace.OutsideError](err); ok {
		return http.StatusForbidden
	}
	if _, ok := errors.AsType[*workspace.BinaryError](err); ok {
		return http.StatusUnsupportedMediaType
	}
	if _, ok := errors.AsType[*workspace.TooLargeError](err); ok {
		return http.StatusRequestEntityTooLarge
	}
	if errors.Is(err, spec.ErrNotSpec) {
		return http.StatusUnprocessableEntity
	}
	return http.StatusInternalServerError
}

// write writes an answer. It is made whole first, so that a fault in a template is a
// fault of the answer and not half a page.
func (s *Site) write(w http.ResponseWriter, r *http.Request, status int, a answer) {
	var body bytes.Buffer
	err := s.pages.ExecuteTemplate(&body, a.template, a.data)
	if err == nil && !a.fragment {
		section, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		inner := template.HTML(body.String()) //nolint:gosec // html/template made it
		body = bytes.Buffer{}
		err = s.pages.ExecuteTemplate(&body, "frame.html", frame{
			Project: filepath.Base(s.project.Root()), Title: a.title, Section: section, Body: inner,
		})
	}
	if err != nil {
		http.Error(w, "The page could not be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = body.WriteTo(w) // a browser that went away misses nothing
}

// helpers are the functions of the templates.
func helpers() template.FuncMap {
	return template.FuncMap{
		"at":      at,
		"place":   placeLink,
		"plural":  counted.Of,
		"percent": percent,
		"day":     day,
		"coded":   coded,
	}
}

// at is the address of a file under a page: at "spec" "specs/a b.spec.md".
func at(page, file string) string {
	segments := strings.Split(file, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return "/" + page + "/" + strings.Join(segments, "/")
}

// placeLink is the address of a "file:line" in the source view.
func placeLink(place string) string {
	file, line, ok := cutPlace(place)
	if !ok {
		return at("source", place)
	}
	return lineLink(file, line)
}

// lineLink is the address of a line in the source view.
func lineLink(file string, line int) string {
	return fmt.Sprintf("%s?line=%d#L%[2]d", at("source", file), line)
}

// percent is a share in whole per cent, rounded down, so that 100 is all.
func percent(part, all int) int {
	if all == 0 {
		return 0
	}
	return part * 100 / all
}

// day is the date of an RFC 3339 time; other texts are as they are.
func day(text string) string {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.Format(time.DateOnly)
	}
	return text
}

// coded is a text in which what stands between ` and ` is code.
func coded(text string) template.HTML {
	var b strings.Builder
	for {
		before, rest, _ := strings.Cut(text, "`")
		code, after, ok := strings.Cut(rest, "`")
		if !ok {
			b.WriteString(escaped(text))
			return template.HTML(b.String()) //nolint:gosec // every piece is escaped
		}
		b.WriteString(escaped(before) + "<code>" + escaped(code) + "</code>")
		text = after
	}
}

// filesOf is the set of the project's files: those that git knows or would take.
func filesOf(ctx context.Context, p *workspace.Project) (map[string]bool, error) {
	l, err := p.List(ctx, ".")
	if err != nil {
		return nil, err
	}
	files := make(map[string]bool, len(l.Files))
	for _, f := range l.Files {
		files[f.Path] = true
	}
	return files, nil
}
