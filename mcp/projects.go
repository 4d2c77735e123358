package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// rootsTimeout is how long a call waits for the client's roots: the client declared that
// it has some, and it may have to ask a person.
const rootsTimeout = 5 * time.Second

const (
	// codexState is the member of _meta that Codex sends with every call to a server that has
	// a capability of this name. Its sandboxCwd is the URI of the working folder.
	codexState = "codex/sandbox-state-meta"
	// rootsInput is the name of the request for roots in a result that asks for input.
	rootsInput = "roots"
)

// projects finds the project of each call of one client: the server's own, or,
// with [Options.Roots], the one in which the client works, where that is known. Clients
// name it in one of three ways: they answer roots/list (2025-11-25 and before, and again after
// notifications/roots/list_changed), they send the list with a call after a result
// asked for it (2026-07-28), or they put the folder into every call (Codex).
type projects struct {
	server *Server
	peer   *peer

	mu      sync.Mutex
	offered bool          // the client declared roots in its handshake
	settled chan struct{} // closed when the roots are known or not available; nil when nobody asked
	roots   []*project.Project
	err     error                       // why there are none, though the client named some
	opened  map[string]*project.Project // by root, to be closed
}

func newProjects(s *Server, p *peer) *projects {
	return &projects{server: s, peer: p, opened: map[string]*project.Project{}}
}

// errNoProject is the error of a call without a project.
var errNoProject = message.Errorf("this client does not say which project it works in: " +
	"give an absolute path once, or register the server for the project with reverse-spec init")

// errAskRoots means that the client must be asked for its roots, and make the call again.
var errAskRoots = errors.New("the client's roots are needed")

// offer notes whether the client declared in its handshake that it has roots.
func (p *projects) offer(roots bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.offered = roots
}

// note handles a notification: some mean that the roots are to be asked for.
func (p *projects) note(ctx context.Context, method string) {
	if !p.server.roots {
		return
	}
	switch method {
	case "notifications/initialized", mcpgo.MethodNotificationRootsListChanged:
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.offered {
			settled := make(chan struct{})
			p.settled = settled
			go p.fetch(ctx, settled)
		}
	}
}

// fetch asks for the roots. Without a response the roots stay as they were.
func (p *projects) fetch(ctx context.Context, settled chan struct{}) {
	defer close(settled)
	ctx, done := context.WithTimeout(ctx, rootsTimeout)
	defer done()
	list, err := p.peer.ask(ctx, jsonrpc.Call{Method: string(mcpgo.MethodListRoots)})
	if err != nil {
		p.server.log.WarnContext(ctx, "the client does not name its roots", "error", err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.settled == settled { // not asked again since
		p.take(list)
	}
}

// take opens the folders of a list of roots.
func (p *projects) take(list json.RawMessage) {
	var named mcpgo.ListRootsResult
	if err := json.Unmarshal(list, &named); err != nil {
		p.server.log.Warn("the client's roots cannot be read", "error", err)
		return
	}
	p.roots, p.err = nil, nil
	for _, root := range named.Roots {
		if w, err := p.open(root.URI); err != nil {
			p.err = errors.Join(p.err, err)
		} else {
			p.roots = append(p.roots, w)
		}
	}
}

// open opens the folder of a URI, or returns the project that it opened before.
func (p *projects) open(uri string) (*project.Project, error) {
	dir, ok := folder(uri)
	if !ok {
		return nil, message.Errorf("the client's root is not a folder of this machine: %s", uri)
	}
	if p.opened[dir] == nil {
		w, err := project.Open(dir)
		if err != nil {
			return nil, err
		}
		p.opened[dir] = w
	}
	return p.opened[dir], nil
}

// folder returns the folder of a file URI, or of a bare path, which some clients send.
func folder(uri string) (dir string, ok bool) {
	if filepath.IsAbs(uri) {
		return filepath.Clean(uri), true
	}
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	dir = u.Path
	if runtime.GOOS == "windows" { // file:///C:/work
		dir = strings.TrimPrefix(dir, "/")
	}
	dir = filepath.FromSlash(dir)
	return filepath.Clean(dir), filepath.IsAbs(dir)
}

// of returns the project of a call with these absolute paths among its arguments. The
// error is errAskRoots when the client must be asked first, which needs a result.
func (p *projects) of(ctx context.Context, c *toolCall, paths []string) (*project.Project, error) {
	if !p.server.roots {
		return p.server.project, nil
	}
	p.wait(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.meta.folder != "" {
		return p.open(c.meta.folder)
	}
	if p.settled == nil && c.meta.hasRoots() {
		list := c.inputs[rootsInput]
		if list == nil || string(list) == "null" {
			return nil, errAskRoots
		}
		p.settled = make(chan struct{})
		close(p.settled)
		p.take(list)
	}
	return p.choose(paths)
}

// wait waits for the roots if they have been asked for.
func (p *projects) wait(ctx context.Context) {
	p.mu.Lock()
	settled := p.settled
	p.mu.Unlock()
	if settled == nil {
		return
	}
	select {
	case <-settled:
	case <-ctx.Done():
	}
}

// choose returns the root that contains one of the paths, else the first root. Without
// roots it is the server's own project, and where the server has none, the project around
// the first path.
func (p *projects) choose(paths []string) (*project.Project, error) {
	for _, root := range p.roots {
		if slices.ContainsFunc(paths, func(path string) bool { _, err := root.Rel(path); return err == nil }) {
			return root, nil
		}
	}
	switch {
	case len(p.roots) > 0:
		return p.roots[0], nil
	case p.err != nil:
		return nil, p.err
	case p.server.project != nil:
		return p.own(paths)
	case len(paths) == 0:
		return nil, errNoProject
	}
	dir, ok := project.Around(paths[0])
	if !ok { // any other folder may be anybody's
		return nil, message.Errorf("%w; %s is in no project: no folder around it has .git or a package manifest", errNoProject, paths[0])
	}
	w, err := p.open(dir)
	if err == nil {
		p.roots = []*project.Project{w}
	}
	return w, err
}

// own returns the server's own project. Where that is not a project but only the folder in
// which the server was started, an absolute path below it belongs to its own project.
func (p *projects) own(paths []string) (*project.Project, error) {
	own := p.server.project
	if len(paths) == 0 {
		return own, nil
	}
	if _, real := project.Around(own.Root()); real {
		return own, nil
	}
	if rel, err := own.Rel(paths[0]); err != nil || rel == "." || own.ModTime(rel).IsZero() {
		return own, nil //nolint:nilerr // the tool reports the path
	}
	return p.open(project.For(own.Root(), paths[0]))
}

// close closes the projects that were opened. No call may run any more.
func (p *projects) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	for _, w := range p.opened {
		err = errors.Join(err, w.Close())
	}
	return err
}

type projectsKey struct{}

// withProjects returns the context of a call of the client.
func withProjects(ctx context.Context, p *projects) context.Context {
	return context.WithValue(ctx, projectsKey{}, p)
}

// writablePlaces are the places of files that programs run to which the server of a call
// may write.
func writablePlaces(ctx context.Context) project.Places {
	if p, ok := ctx.Value(projectsKey{}).(*projects); ok {
		return p.server.places
	}
	return project.Places{}
}

// absolutePaths are the absolute paths among the arguments of a call.
func (t Tool) absolutePaths(a Arguments) (paths []string) {
	for _, p := range t.Params {
		if path := a.String(p.Name); p.Path && filepath.IsAbs(path) {
			paths = append(paths, path)
		}
	}
	return paths
}
