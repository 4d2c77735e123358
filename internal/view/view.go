// Package view shows the specs of a project in a browser: an index with their
// coverage, health and drift, each spec with its links drawn, the sources that it
// names, what the code did since, and the modules with what they depend on.
//
// Everything is made on the server, from the files as they are at the request, and
// works without a network. Texts of specs and names of files are untrusted: what
// is HTML in them is shown as text, and a strict policy keeps the browser from
// running or fetching anything that is not ours. Nothing is written.
package view

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"html/template"
	"net"
	"net/http"
	"path"
	"strconv"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

//go:embed pages
var pages embed.FS

//go:embed assets
var assets embed.FS

// patience is how long requests that are being answered may take when the site is
// to stop, and how long a browser may take to send one.
const patience = 5 * time.Second

// Site is the pages of one project. It is safe for concurrent use, and keeps what
// it read until the files change.
type Site struct {
	project *project.Project
	lang    message.Lang
	pages   *template.Template
	library *library
	drift   *driftWatch
	modules *moduleReader
}

// New returns the site of a project, which stays open as long as the site is used, in a
// language.
func New(p *project.Project, lang message.Lang) *Site {
	lang = cmp.Or(lang, message.English)
	return &Site{
		project: p,
		lang:    lang,
		pages:   template.Must(template.New("").Funcs(helpers(lang)).ParseFS(pages, "pages/*.html")),
		library: newLibrary(p),
		drift:   newDriftWatch(p),
		modules: &moduleReader{project: p},
	}
}

// Handler answers the requests of browsers on this machine; those that name another
// host it refuses.
func (s *Site) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page(s.index))
	mux.HandleFunc("GET /spec/{path...}", s.page(s.spec))
	mux.HandleFunc("GET /source/{path...}", s.page(s.source))
	mux.HandleFunc("GET /drift/{path...}", s.page(s.driftReport))
	mux.HandleFunc("GET /badge/{path...}", s.page(s.driftBadge))
	mux.HandleFunc("GET /modules", s.page(s.modulesPage))
	mux.HandleFunc("GET /modules/picture", s.page(s.modulesPicture))
	mux.HandleFunc("GET /raw/{path...}", s.raw)
	mux.HandleFunc("GET /assets/{name}", s.asset)
	mux.HandleFunc("GET /", s.page(func(r *http.Request) (answer, error) {
		return answer{}, &notFoundError{message.New("There is no page %s.", r.URL.Path)}
	}))
	return s.localized(guard(mux))
}

// localized answers requests in the language of the site.
func (s *Site) localized(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(message.With(r.Context(), message.Choice{Lang: s.lang})))
	})
}

// Listen opens a port of this machine for the site, which no other machine reaches;
// 0 is any that is free.
func Listen(ctx context.Context, port int) (net.Listener, error) {
	var c net.ListenConfig
	l, err := c.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, message.Errorf("listen on port %d: %w", port, err)
	}
	return l, nil
}

// Serve answers requests until the context ends, which is no error. It closes the
// listener.
func (s *Site) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: patience,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		stopped <- server.Shutdown(last)
	})
	err := server.Serve(l)
	if stop() || !errors.Is(err, http.ErrServerClosed) {
		return message.Errorf("serve: %w", err)
	}
	if err := <-stopped; err != nil {
		return server.Close() // somebody still waits for something long; it has been cancelled
	}
	return nil
}

// raw answers with the text of a spec as it is in the file.
func (s *Site) raw(w http.ResponseWriter, r *http.Request) {
	text, err := s.library.text(r.Context(), r.PathValue("path"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(text) // a browser that went away misses nothing
}

// asset answers with one of our own files.
func (s *Site) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, err := assets.ReadFile(path.Join("assets", name))
	if err != nil {
		s.fail(w, r, &notFoundError{message.New("There is no asset %s.", name)})
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}
