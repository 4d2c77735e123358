package teamserver

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/view"
)

// maxSites is how many projects' specs are kept in folders for the pages of view.
const maxSites = 64

// specs are the pages of view for the specs of projects.
type specs struct {
	server *Server

	mu    sync.Mutex
	dir   string // of all folders; "" before the first
	sites map[string]*site
}

// site is the specs of one project in one state, in a folder.
type site struct {
	mu      sync.RWMutex // held by requests
	hash    string
	project *project.Project // nil when closed
	handler http.Handler
	used    time.Time
}

func newSpecs(s *Server) *specs { return &specs{server: s, sites: map[string]*site{}} }

// address returns the address of a project's specs.
func (*specs) address(key string) string { return "/view/" + url.PathEscape(key) }

// ServeHTTP answers requests for /view/KEY/...
func (v *specs) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.PathValue("key")
	one, err := v.current(r.Context(), key)
	if err != nil {
		v.server.pages.fail(w, r, err)
		return
	}
	one.mu.RLock()
	defer one.mu.RUnlock()
	if one.project == nil { // replaced since
		http.Redirect(w, r, v.address(key)+"/", http.StatusSeeOther)
		return
	}
	inner := r.Clone(r.Context())
	inner.URL.Path, inner.URL.RawPath = "/"+r.PathValue("rest"), ""
	one.handler.ServeHTTP(w, inner)
}

// current returns the site of a project's specs as they are in the store. While the store is away, those that were shown before are shown.
func (v *specs) current(ctx context.Context, key string) (*site, error) {
	v.mu.Lock()
	known := v.sites[key]
	v.mu.Unlock()
	hash := ""
	if known != nil {
		hash = known.hash
	}
	texts, now, err := v.server.o.Graphs.Documents(ctx, key, hash)
	if err != nil {
		return nil, err
	}
	if texts == nil && known != nil {
		v.mu.Lock()
		known.used = v.server.o.Now()
		v.mu.Unlock()
		return known, nil
	}
	return v.put(key, now, texts)
}

// put writes the specs of a project into a folder, and keeps their site.
func (v *specs) put(key, hash string, texts map[string][]byte) (*site, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if one := v.sites[key]; one != nil && one.hash == hash { // by another request
		return one, nil
	}
	if v.dir == "" {
		dir, err := os.MkdirTemp("", "reverse-spec-specs-")
		if err != nil {
			return nil, message.Errorf("keep the specs of a project: %w", err)
		}
		v.dir = dir
	}
	dir, err := os.MkdirTemp(v.dir, "p")
	if err == nil {
		err = write(dir, texts)
	}
	var p *project.Project
	if err == nil {
		p, err = project.Open(dir)
	}
	if err != nil {
		return nil, errors.Join(message.Errorf("keep the specs of a project: %w", err), os.RemoveAll(dir))
	}
	one := &site{hash: hash, project: p, used: v.server.o.Now()}
	one.handler = view.NewWith(p, view.Options{
		Lang: v.server.o.Lang, Name: key[strings.LastIndexAny(key, "/#")+1:], Base: v.address(key), Specs: true, Guarded: true,
		Home: v.server.o.URL.JoinPath("project").String() + "?" + url.Values{"project": {key}}.Encode(),
	}).Handler()
	v.drop(key)
	v.sites[key] = one
	for len(v.sites) > maxSites {
		v.drop(v.oldest())
	}
	return one, nil
}

// write writes texts below a folder. Their paths come from a store that others write.
func write(dir string, texts map[string][]byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	for path, text := range texts {
		path = filepath.FromSlash(path)
		if !filepath.IsLocal(path) {
			continue
		}
		if err = root.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			err = root.WriteFile(path, text, 0o600)
		}
		if err != nil {
			break
		}
	}
	return errors.Join(err, root.Close())
}

// oldest returns the key of the site that was not used for the longest time.
func (v *specs) oldest() (key string) {
	for candidate, one := range v.sites {
		if key == "" || one.used.Before(v.sites[key].used) {
			key = candidate
		}
	}
	return key
}

// drop closes a site when its requests are done, and removes its folder. The mutex is held.
func (v *specs) drop(key string) {
	one := v.sites[key]
	if one == nil {
		return
	}
	delete(v.sites, key)
	go func() {
		one.mu.Lock()
		defer one.mu.Unlock()
		dir := one.project.Root()
		_ = one.project.Close() // it was only read
		one.project = nil
		_ = os.RemoveAll(dir) // the folder of all is removed at the end
	}()
}

// close removes all folders.
func (v *specs) close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.dir == "" {
		return nil
	}
	var err error
	for _, one := range v.sites {
		err = errors.Join(err, one.project.Close())
	}
	clear(v.sites)
	return errors.Join(err, os.RemoveAll(v.dir))
}
