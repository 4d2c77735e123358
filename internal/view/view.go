// Package view is a web server that shows a project's specs in a browser: an index with
// coverage, health and drift, each spec with links and diagrams, the sources that it cites,
// changes since it was written, and the module graph. [New] returns the [Site] of a project.
//
// Pages are rendered on the server from the current files and work offline. Texts of specs and
// file names are untrusted: HTML in them is shown as text, and a strict content security
// policy keeps the browser from loading or running anything else. The site is read-only.
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

// patience is the time for pending requests at shutdown, and for a browser to send a request.
const patience = 5 * time.Second

// Site is the web site of one project. It is safe for concurrent use and caches what it read
// until files change.
type Site struct {
	project *project.Project
	options Options
	lang    message.Lang
	pages   *template.Template
	library *library
	drift   *driftWatch
	modules *moduleReader
	past    *project.Past // of all specs, read at once for an export; nil to read that of a page on request
}

// Options configure a site.
type Options struct {
	Lang message.Lang // "" for English
	// Name is the project's name on the pages; "" for that of its folder.
	Name string
	// Base begins the path of all addresses, as in "/view/shop"; the handler expects paths without it.
	Base string
	// Home is the address of a page above the site, which links to it; "" for none.
	Home string
	// Specs says that the folder has the specs and their histories alone, see [Histories]: there are no sources, modules or drift to show.
	Specs bool
	// Static says that pages are written to files: all that the server would do for a page on request is on it, or done by its script.
	Static bool
	// Guarded says that the caller checks hosts and adds security headers.
	Guarded bool
}

// New returns the site of a project in a language. The project must stay open while the site
// is used.
func New(p *project.Project, lang message.Lang) *Site { return NewWith(p, Options{Lang: lang}) }

// NewWith is New with options.
func NewWith(p *project.Project, o Options) *Site {
	lang := cmp.Or(o.Lang, message.English)
	functions := helpers(lang)
	functions["home"] = func() string { return o.Home }
	functions["specs"] = func() bool { return o.Specs }
	functions["static"] = func() bool { return o.Static }
	return &Site{
		project: p,
		options: o,
		lang:    lang,
		pages:   template.Must(template.New("").Funcs(functions).ParseFS(pages, "pages/*.html")),
		library: newLibrary(p),
		drift:   newDriftWatch(p),
		modules: &moduleReader{project: p},
	}
}

// Handler returns the HTTP handler. It rejects requests with the host name of another machine.
func (s *Site) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page(s.index))
	mux.HandleFunc("GET /spec/{path...}", s.page(s.spec))
	mux.HandleFunc("GET /history/{path...}", s.page(s.history))
	if !s.options.Specs {
		mux.HandleFunc("GET /source/{path...}", s.page(s.source))
		mux.HandleFunc("GET /drift/{path...}", s.page(s.driftReport))
		mux.HandleFunc("GET /badge/{path...}", s.page(s.driftBadge))
		mux.HandleFunc("GET /modules", s.page(s.modulesPage))
		mux.HandleFunc("GET /modules/picture", s.page(s.modulesPicture))
	}
	mux.HandleFunc("GET /search", s.page(s.search))
	mux.HandleFunc("GET /search/index.js", s.sendIndex)
	mux.HandleFunc("GET /raw/{path...}", s.raw)
	mux.HandleFunc("GET /assets/{name}", s.asset)
	mux.HandleFunc("GET /", s.page(func(r *http.Request) (answer, error) {
		return answer{}, &notFoundError{message.New("There is no page %s.", r.URL.Path)}
	}))
	if s.options.Guarded {
		return s.localized(mux)
	}
	return s.localized(guard(mux))
}

// localized adds the site's language to the context of requests.
func (s *Site) localized(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(message.With(r.Context(), message.Choice{Lang: s.lang})))
	})
}

// Listen opens a port on the loopback interface; 0 selects a free port.
func Listen(ctx context.Context, port int) (net.Listener, error) {
	var c net.ListenConfig
	l, err := c.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, message.Errorf("listen on port %d: %w", port, err)
	}
	return l, nil
}

// Serve serves requests until ctx ends, which is not an error. It closes the listener.
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
		return server.Close() // a long request is still pending; it was cancelled
	}
	return nil
}

// raw sends the text of a spec as it is in the file.
func (s *Site) raw(w http.ResponseWriter, r *http.Request) {
	text, err := s.library.text(r.Context(), r.PathValue("path"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(text) // the browser may have disconnected
}

// Asset returns a file that pages name: style.css, icon.svg, view.js.
func Asset(name string) ([]byte, error) { return assets.ReadFile(path.Join("assets", name)) }

// asset sends one of the embedded files.
func (s *Site) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, err := Asset(name)
	if err != nil {
		s.fail(w, r, &notFoundError{message.New("There is no asset %s.", name)})
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}
