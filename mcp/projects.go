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

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// rootsWait is how long a call waits for a client to say where it works: it said that it
// would, and a person may have to be asked.
const rootsWait = 5 * time.Second

const (
	// codexState is what Codex tells of itself with every call to a server that has a
	// capability of this name. Its sandboxCwd is the URI of the folder it works in.
	codexState = "codex/sandbox-state-meta"
	// rootsInput is the name of the question for roots in an answer that asks for input.
	rootsInput = "roots"
)

// projects tells in which project a call of one client works: in the server's own, or,
// with [Options.Roots], where the client does, as far as it says so. Clients say it in
// three ways: they answer roots/list (2025-11-25 and before, and again after
// notifications/roots/list_changed), they hand the list in with a call when an answer
// asks for it (2026-07-28), or they put the folder into every call (Codex).
type projects struct {
	server *Server
	asks   *requests

	mu      sync.Mutex
	offered bool          // the client said in its handshake that it has roots
	settled chan struct{} // closed when the roots are known, or will not be; nil when nobody asked
	roots   []*project.Project
	fault   error                       // why there are none, though the client named some
	opened  map[string]*project.Project // by root, to be closed
}

func newProjects(s *Server, asks *requests) *projects {
	return &projects{server: s, asks: asks, opened: map[string]*project.Project{}}
}

// errNoProject is the answer to a call of which nobody knows what it is about.
var errNoProject = message.Errorf("this client does not say which project it works in: " +
	"give an absolute path once, or register the server for the project with reverse-spec init")

// errAskRoots is that the client has to be asked for its roots, and the call made again.
var errAskRoots = errors.New("the client's roots are needed")

// note takes what a client says of its roots in messages that are no calls.
func (p *projects) note(ctx context.Context, f frame) {
	if !p.server.roots {
		return
	}
	switch f.method {
	case string(mcpgo.MethodInitialize):
		p.mu.Lock()
		p.offered = f.member("capabilities", "roots") != nil
		p.mu.Unlock()
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

// fetch asks for the roots. Where no answer comes, what was known before stays.
func (p *projects) fetch(ctx context.Context, settled chan struct{}) {
	defer close(settled)
	ctx, done := context.WithTimeout(ctx, rootsWait)
	defer done()
	list, err := p.asks.ask(ctx, string(mcpgo.MethodListRoots), nil)
	if err != nil {
		p.server.log.WarnContext(ctx, "the client does not say where it works", "error", err)
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
	p.roots, p.fault = nil, nil
	for _, root := range named.Roots {
		if w, err := p.open(root.URI); err != nil {
			p.fault = errors.Join(p.fault, err)
		} else {
			p.roots = append(p.roots, w)
		}
	}
}

// open opens the folder of a URI, or hands out what it opened before.
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

// folder is the folder that a file URI names; some clients write a bare path.
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

// of returns the project that a call with these paths among its arguments works in. The
// error is errAskRoots when the client must be asked first, which only an answer can do.
func (p *projects) of(ctx context.Context, f frame, paths []string) (*project.Project, error) {
	if !p.server.roots {
		return p.server.project, nil
	}
	p.wait(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if uri, ok := text(f.member("_meta", codexState, "sandboxCwd")); ok {
		return p.open(uri)
	}
	if p.settled == nil && f.member("_meta", mcpgo.MetaKeyClientCapabilities, "roots") != nil {
		list := f.member("inputResponses", rootsInput)
		if list == nil {
			return nil, errAskRoots
		}
		p.settled = make(chan struct{})
		close(p.settled)
		p.take(list)
	}
	return p.choose(paths)
}

// wait waits for the roots where they are being asked for.
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

// choose returns, of several roots, the one that an absolute path lies in, and the first
// where there is none. Without any root it is the server's own project, and where the
// server has none, that of the first absolute path of all.
func (p *projects) choose(paths []string) (*project.Project, error) {
	for _, root := range p.roots {
		if slices.ContainsFunc(paths, func(path string) bool { _, err := root.Rel(path); return err == nil }) {
			return root, nil
		}
	}
	switch {
	case len(p.roots) > 0:
		return p.roots[0], nil
	case p.fault != nil:
		return nil, p.fault
	case p.server.project != nil:
		return p.own(paths)
	case len(paths) == 0:
		return nil, errNoProject
	}
	dir, ok := project.Around(paths[0])
	if !ok { // anything else may be anybody's
		return nil, message.Errorf("%w; %s is in no project: no folder around it has .git or a package manifest", errNoProject, paths[0])
	}
	w, err := p.open(dir)
	if err == nil {
		p.roots = []*project.Project{w}
	}
	return w, err
}

// own returns the server's own project. Where that is only the folder that the server was
// started in, and no project, an absolute path in it is in its own.
func (p *projects) own(paths []string) (*project.Project, error) {
	own := p.server.project
	if len(paths) == 0 {
		return own, nil
	}
	if _, real := project.Around(own.Root()); real {
		return own, nil
	}
	if rel, err := own.Rel(paths[0]); err != nil || rel == "." || own.ModTime(rel).IsZero() {
		return own, nil //nolint:nilerr // the tool says what is wrong
	}
	return p.open(project.For(own.Root(), paths[0]))
}

// close closes what was opened. No call may run any more.
func (p *projects) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	for _, w := range p.opened {
		err = errors.Join(err, w.Close())
	}
	return err
}

// caller is who made a call, and the call as it came.
type caller struct {
	projects *projects
	frame    frame
}

type callerKey struct{}

func withCaller(ctx context.Context, c caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// writablePlaces are the places of files that programs run to which the server of a call
// may write.
func writablePlaces(ctx context.Context) project.Places {
	if c, ok := ctx.Value(callerKey{}).(caller); ok {
		return c.projects.server.places
	}
	return project.Places{}
}

// project returns the project of the call that ctx is the context of.
func openProject(ctx context.Context, t Tool, a Arguments) (*project.Project, error) {
	c, ok := ctx.Value(callerKey{}).(caller)
	if !ok {
		return nil, errNoProject
	}
	var paths []string
	for _, p := range t.Params {
		if path := a.String(p.Name); p.Path && filepath.IsAbs(path) {
			paths = append(paths, path)
		}
	}
	return c.projects.of(ctx, c.frame, paths)
}
