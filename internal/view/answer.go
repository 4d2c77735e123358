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

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
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
type notFoundError struct{ message.Text }

func (e *notFoundError) Error() string { return e.String() }

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
	name := statusName(status).In(s.lang)
	s.write(w, r, status, answer{template: "error.html", title: name, data: struct {
		Status int
		Name   string
		Words  string
	}{status, name, message.Render(s.lang, err)}})
}

// statusOf returns the HTTP status for an error.
func statusOf(err error) int {
	if _, ok := errors.AsType[*notFoundError](err); ok || errors.Is(err, fs.ErrNotExist) {
		return http.StatusNotFound
	}
	if _, ok := errors.AsType[*project.OutsideError](err); ok {
		return http.StatusForbidden
	}
	if _, ok := errors.AsType[*project.BinaryError](err); ok {
		return http.StatusUnsupportedMediaType
	}
	if _, ok := errors.AsType[*project.TooLargeError](err); ok {
		return http.StatusRequestEntityTooLarge
	}
	if errors.Is(err, spec.ErrNotSpec) {
		return http.StatusUnprocessableEntity
	}
	return http.StatusInternalServerError
}

// statusName returns an HTTP status in words.
func statusName(status int) message.Text {
	switch status {
	case http.StatusNotFound:
		return message.New("Not found")
	case http.StatusForbidden:
		return message.New("Forbidden")
	case http.StatusUnsupportedMediaType:
		return message.New("Not a text file")
	case http.StatusRequestEntityTooLarge:
		return message.New("Too large")
	case http.StatusUnprocessableEntity:
		return message.New("Not a spec")
	}
	return message.New("Internal error")
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
		http.Error(w, message.New("The page could not be made: %v", err).In(s.lang), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = body.WriteTo(w) // a browser that went away misses nothing
}

// helpers returns the functions of the templates. Texts are in a language: t is a text of a
// template with its arguments, count a number of things, unit the same without the number,
// bold the same with a number that stands out, and say anything that has texts.
func helpers(lang message.Lang) template.FuncMap {
	count := func(n int, one, other string) string { return message.Count(n, one, other).In(lang) }
	return template.FuncMap{
		"at":      at,
		"place":   placeLink,
		"percent": percent,
		"day":     day,
		"coded":   coded,
		"lang":    func() string { return string(lang) },
		"t":       func(text string, args ...any) string { return message.New(text, args...).In(lang) },
		"count":   count,
		"unit":    func(n int, one, other string) string { return strings.TrimLeft(count(n, one, other), "0123456789 ") },
		"say":     func(v any) string { return message.Render(lang, v) },
		"bold":    func(v any) template.HTML { return bold(message.Render(lang, v)) },
		"health":  func(health string) string { return healthWords(health).In(lang) },
	}
}

// bold returns a text whose first number stands out.
func bold(text string) template.HTML {
	from := strings.IndexAny(text, "0123456789")
	if from < 0 {
		return template.HTML(escaped(text)) //nolint:gosec // it is escaped
	}
	rest := strings.TrimLeft(text[from:], "0123456789")
	number := text[from : len(text)-len(rest)]
	if after, percent := strings.CutPrefix(rest, "%"); percent {
		number, rest = number+"<small>%</small>", after
	}
	return template.HTML(escaped(text[:from]) + "<b>" + number + "</b>" + escaped(rest)) //nolint:gosec // every piece is escaped
}

// healthWords returns the health of a spec in words; one that we do not write is as it is.
func healthWords(health string) message.Text {
	switch health {
	case "active":
		return message.New("active")
	case "unverified":
		return message.New("unverified")
	case "drifted":
		return message.New("drifted")
	case "failing":
		return message.New("failing")
	case "unreadable":
		return message.New("unreadable")
	case "none":
		return message.New("no spec")
	}
	return message.New("%s", health)
}

// at returns the address of a file under a page: at "spec" "specs/a b.spec.md".
func at(page, file string) string {
	segments := strings.Split(file, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return "/" + page + "/" + strings.Join(segments, "/")
}

// placeLink returns the address of a "file:line" in the source view.
func placeLink(place string) string {
	file, line, ok := cutPlace(place)
	if !ok {
		return at("source", place)
	}
	return lineLink(file, line)
}

// lineLink returns the address of a line in the source view.
func lineLink(file string, line int) string {
	return fmt.Sprintf("%s?line=%d#L%[2]d", at("source", file), line)
}

// percent returns a share in whole per cent, rounded down, so that 100 is all.
func percent(part, all int) int {
	if all == 0 {
		return 0
	}
	return part * 100 / all
}

// day returns the date of an RFC 3339 time; other texts are as they are.
func day(text string) string {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.Format(time.DateOnly)
	}
	return text
}

// coded returns a text in which what stands between ` and ` is code.
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

// filesOf returns the set of the project's files: those that git knows or would take.
func filesOf(ctx context.Context, p *project.Project) (map[string]bool, error) {
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
