package view

import (
	"bytes"
	"cmp"
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

// answer is the result of a handler and its template. A fragment is sent as it is, other
// answers within the frame of a page.
type answer struct {
	template string
	title    string
	fragment bool
	data     any
}

// frame is the data of a page's frame.
type frame struct {
	Project string
	Title   string
	Section string // the page's entry in the navigation
	Body    template.HTML
}

// notFoundError reports that something does not exist, in words for people.
type notFoundError struct{ message.Text }

func (e *notFoundError) Error() string { return e.String() }

// page returns the handler for a function that collects a page's data.
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

// fail sends an error page, or nothing if the browser has disconnected.
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

// statusName describes an HTTP status.
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

// write sends an answer. It is rendered completely first, so that an error in a template does
// not send half a page.
func (s *Site) write(w http.ResponseWriter, r *http.Request, status int, a answer) {
	var body bytes.Buffer
	err := s.pages.ExecuteTemplate(&body, a.template, a.data)
	if err == nil && !a.fragment {
		section, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		inner := template.HTML(body.String()) // html/template made it
		body = bytes.Buffer{}
		err = s.pages.ExecuteTemplate(&body, "frame.html", frame{
			Project: cmp.Or(s.options.Name, filepath.Base(s.project.Root())), Title: a.title, Section: section, Body: inner,
		})
	}
	if err != nil {
		http.Error(w, message.New("The page could not be made: %v", err).In(s.lang), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(s.based(body.Bytes())) // the browser may have disconnected
}

// based returns a page whose addresses begin with the base of the site. In texts quotes are escaped, so that what is replaced is an attribute.
func (s *Site) based(page []byte) []byte {
	if s.options.Base == "" {
		return page
	}
	for _, attribute := range []string{` href="/`, ` src="/`, ` action="/`, ` data-badge="/`, ` data-fragment="/`} {
		page = bytes.ReplaceAll(page, []byte(attribute), []byte(strings.TrimSuffix(attribute, "/")+s.options.Base+"/"))
	}
	return page
}

// helpers returns the template functions for a language: t formats a text with arguments,
// count a number with its noun, unit the noun alone, bold a count with a bold number, and say
// anything that has localised texts.
func helpers(lang message.Lang) template.FuncMap {
	count := func(n int, one, other string) string { return message.Count(n, one, other).In(lang) }
	return template.FuncMap{
		"at":      at,
		"place":   placeLink,
		"percent": percent,
		"within":  within,
		"path":    breakable,
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

// bold returns a text with its first number in bold.
func bold(text string) template.HTML {
	from := strings.IndexAny(text, "0123456789")
	if from < 0 {
		return template.HTML(escaped(text)) // it is escaped
	}
	rest := strings.TrimLeft(text[from:], "0123456789")
	number := text[from : len(text)-len(rest)]
	if after, percent := strings.CutPrefix(rest, "%"); percent {
		number, rest = number+"<small>%</small>", after
	}
	return template.HTML(escaped(text[:from]) + "<b>" + number + "</b>" + escaped(rest)) // every piece is escaped
}

// healthWords describes the health of a spec; unknown values are returned unchanged.
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

// at returns the address of a file's page: at "spec" "specs/a b.spec.md".
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

// percent returns a percentage, rounded down, so that only all is 100.
func percent(part, all int) int {
	if all == 0 {
		return 0
	}
	return part * 100 / all
}

// day returns the date of an RFC 3339 time, or text unchanged if it is none.
func day(text string) string {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.Format(time.DateOnly)
	}
	return text
}

// coded renders text between backticks as code.
func coded(text string) template.HTML {
	var b strings.Builder
	for {
		before, rest, _ := strings.Cut(text, "`")
		code, after, ok := strings.Cut(rest, "`")
		if !ok {
			b.WriteString(escaped(text))
			return template.HTML(b.String()) // every piece is escaped
		}
		b.WriteString(escaped(before) + "<code>" + escaped(code) + "</code>")
		text = after
	}
}

// filesOf returns the set of the project's files, tracked by git or not ignored.
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
