package view

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"html"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// exportMark is a file in folders that Export wrote, which it may replace.
const exportMark = ".reverse-spec-site"

// Exported counts what Export wrote.
type Exported struct {
	Specs int `json:"specs"`
	Pages int `json:"pages"`
}

// Export writes the site of a project as static pages into a folder. They open from disk, and from any web server at any address. The
// folder must be missing, empty, or written by Export before.
func Export(ctx context.Context, p *project.Project, lang message.Lang, folder string) (Exported, error) {
	p, ctx = p.Frozen(), source.Remembering(ctx) // all pages are of one state of the files
	s := NewWith(p, Options{Lang: lang, Guarded: true, Static: true})
	if err := clearFolder(folder); err != nil {
		return Exported{}, err
	}
	specs, err := spec.Paths(ctx, p)
	if err != nil {
		return Exported{}, message.Errorf("list the specs: %w", err)
	}
	if err := s.compareAll(ctx, specs); err != nil { // the index has the drift of all
		return Exported{}, err
	}
	if past, err := p.Past(ctx); err == nil { // else the pages say why there is none
		defer past.Close() //nolint:errcheck // it was only read
		if past.Learn(ctx, spec.Suffix) == nil {
			s.past = past
		}
	}
	x := &exporter{ctx: ctx, handler: s.Handler(), folder: folder, files: map[string]string{}}
	if err := x.fetchAll("/", "/search", "/modules", "/assets/icon.svg"); err != nil {
		return Exported{}, err
	}
	index, err := s.searchIndex(ctx, func(address string) string { return x.link("search.html", address) })
	if err != nil {
		return Exported{}, err
	}
	if err := x.write("search/index.js", index); err != nil {
		return Exported{}, err
	}
	pages, err := x.relinkAll()
	return Exported{Specs: len(specs), Pages: pages}, err
}

// compareAll looks for the drift of specs, several at a time.
func (s *Site) compareAll(ctx context.Context, specs []string) error {
	var wg sync.WaitGroup
	var mu sync.Mutex // guards next and done
	next, done := 0, 0
	quiet := progress.With(ctx, func(progress.Event) {})
	for range min(mostLooks, len(specs)) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(specs) || ctx.Err() != nil {
					return
				}
				if text, err := s.library.text(ctx, specs[i]); err == nil { // the page of another one says what is wrong
					_, _ = s.drift.look(quiet, specs[i], text) // it fails if ctx ends
				}
				mu.Lock()
				done++
				progress.Report(ctx, progress.Event{Stage: "compare", Item: specs[i], Done: done, Total: len(specs)})
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// clearFolder makes a folder, and removes what Export wrote into it before.
func clearFolder(folder string) error {
	list, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if len(list) > 0 {
		if _, err := os.Lstat(filepath.Join(folder, exportMark)); err != nil {
			return message.Errorf("%s has files that are not of an export; name another folder", folder)
		}
	}
	for _, e := range list {
		if e.Name() == ".git" { // it is published from there
			continue
		}
		if err := os.RemoveAll(filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, ".nojekyll"), nil, 0o644); err != nil { // GitHub Pages takes the files as they are
		return err
	}
	return os.WriteFile(filepath.Join(folder, exportMark), []byte("Written by reverse-spec view --export, which replaces everything here.\n"), 0o644)
}

// exporter fetches pages of a handler and writes them.
type exporter struct {
	ctx     context.Context //nolint:containedctx // it lives for one call of Export
	handler http.Handler
	folder  string
	files   map[string]string // address without a fragment -> file; "" if there is no such page
}

// links matches the addresses of the site in the attributes of its pages.
var links = regexp.MustCompile(` (href|src|action)="(/[^"]*)"`)

// fetchAll writes pages, and those that they link to.
func (x *exporter) fetchAll(addresses ...string) error {
	for len(addresses) > 0 {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		address := key(addresses[0])
		addresses = addresses[1:]
		if _, known := x.files[address]; known {
			continue
		}
		body, found, err := x.fetch(address)
		if err != nil {
			return err
		}
		x.files[address] = ""
		if !found {
			continue
		}
		name := fileOf(address)
		x.files[address] = name
		if err := x.write(name, body); err != nil {
			return err
		}
		if path.Ext(name) != ".html" {
			continue
		}
		for _, m := range links.FindAllSubmatch(body, -1) {
			addresses = append(addresses, html.UnescapeString(string(m[2])))
		}
	}
	return nil
}

// fetch asks the handler for a page.
func (x *exporter) fetch(address string) (body []byte, found bool, err error) {
	r, err := http.NewRequestWithContext(x.ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, false, nil //nolint:nilerr // a link that is none
	}
	r.Host = "localhost"
	w := &recorder{header: http.Header{}, status: http.StatusOK}
	x.handler.ServeHTTP(w, r)
	if err := x.ctx.Err(); err != nil {
		return nil, false, err
	}
	return w.body.Bytes(), w.status == http.StatusOK, nil
}

// recorder keeps an answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header         { return w.header }
func (w *recorder) WriteHeader(status int)      { w.status = status }
func (w *recorder) Write(p []byte) (int, error) { return w.body.Write(p) }

// key returns the address of the page that a link leads to: without its fragment, the first part, and the line, since all lines are on a
// page.
func key(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return link
	}
	u.Fragment = ""
	q := u.Query()
	q.Del("line")
	if q.Get("part") == "1" {
		q.Del("part")
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// fileOf returns the file of a page.
func fileOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "page.html"
	}
	name := strings.TrimPrefix(path.Clean(u.Path), "/")
	switch section, _, _ := strings.Cut(name, "/"); {
	case name == "":
		name = "index"
	case section == "raw":
		return name + ".txt"
	case section == "assets", name == "search/index.js":
		return name
	}
	if u.RawQuery != "" {
		hash := fnv.New32a()
		_, _ = hash.Write([]byte(u.RawQuery)) // it never fails
		name += fmt.Sprintf("-%08x", hash.Sum32())
	}
	return name + ".html"
}

// write writes a file of the export.
func (x *exporter) write(name string, data []byte) error {
	to := filepath.Join(x.folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}

// relinkAll makes the links of all pages lead to the files. It returns the number of pages.
func (x *exporter) relinkAll() (pages int, err error) {
	for _, name := range x.files {
		if path.Ext(name) != ".html" {
			continue
		}
		pages++
		file := filepath.Join(x.folder, filepath.FromSlash(name))
		body, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		body = links.ReplaceAllFunc(body, func(m []byte) []byte {
			part := links.FindSubmatch(m)
			to := x.link(name, html.UnescapeString(string(part[2])))
			if to == "" {
				return nil // there is no such page
			}
			return fmt.Appendf(nil, ` %s="%s"`, part[1], html.EscapeString(to))
		})
		if err := os.WriteFile(file, body, 0o644); err != nil {
			return 0, err
		}
	}
	return pages, nil
}

// link returns the link from the page in a file to another page; "" if there is none.
func (x *exporter) link(from, address string) string {
	name := x.files[key(address)]
	if name == "" {
		if address != "/search/index.js" {
			return ""
		}
		name = "search/index.js"
	}
	segments := strings.Split(name, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	to := strings.Repeat("../", strings.Count(from, "/")) + strings.Join(segments, "/")
	if u, err := url.Parse(address); err == nil && u.Fragment != "" {
		to += "#" + u.EscapedFragment()
	}
	return to
}
