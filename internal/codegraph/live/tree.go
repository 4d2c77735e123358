package live

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// tree is a watched work tree: it knows what has changed since it was last asked. It watches every folder in which a
// listing has files or may get some, and the repository's own folder; files outside both are looked at when it is
// asked.
//
// Whatever it cannot follow file by file means that everything is to be listed again (changes.all); whatever may
// change which folders are to be watched means that it is of no use any more (broken), and a new one is made.
type tree struct {
	project *project.Project
	watcher *fsnotify.Watcher
	beat    *beat
	git     map[string]bool // the repository's folders, absolute
	outside map[string]outsideFile
	told    chan struct{} // receives a value when something is pending
	done    chan struct{} // closed when the loop has ended

	mu       sync.Mutex
	folders  map[string]bool // watched, relative to the root
	odd      bool            // some of them are ignored, but have tracked files
	unlisted map[string]bool // files that are known not to be listed
	rules    int             // number of changes of what git tracks
	pending  changes
	taken    bool // some changes are being indexed
	broken   error
	locked   time.Time // since when git holds the lock of its index; zero if it does not
	last     time.Time // when the last event came
	texts    *texts
}

// changes are what has changed in a tree.
type changes struct {
	all   bool // everything is to be listed again
	paths map[string]bool
}

func (c *changes) empty() bool { return !c.all && len(c.paths) == 0 }

// maxPaths is the number of paths above which everything is listed again.
const maxPaths = 5000

func (c *changes) add(more changes) {
	c.all = c.all || more.all || len(c.paths)+len(more.paths) > maxPaths
	if c.all {
		c.paths = nil
		return
	}
	if c.paths == nil && len(more.paths) > 0 {
		c.paths = map[string]bool{}
	}
	for p := range more.paths {
		c.paths[p] = true
	}
}

// outsideFile is the state of a file outside the tree.
type outsideFile struct {
	exists  bool
	size    int64
	changed time.Time
	entry   os.FileInfo
}

func lookOutside(name string) outsideFile {
	info, err := os.Stat(name)
	if err != nil {
		return outsideFile{}
	}
	return outsideFile{true, info.Size(), info.ModTime(), info}
}

func (f outsideFile) same(as outsideFile) bool {
	return f.exists == as.exists && f.size == as.size && f.changed.Equal(as.changed) && (!f.exists || os.SameFile(f.entry, as.entry))
}

// errMoved is why a tree is broken whose rules or folders changed.
var errMoved = errors.New("the rules for files have changed")

// watch watches the tree of a project. Everything is pending at first. The error says why there can be no events.
func watch(ctx context.Context, p *project.Project, t *texts) (w *tree, err error) {
	if err := hasEvents(p.Root()); err != nil {
		return nil, err
	}
	around, err := p.Surroundings(ctx)
	if err != nil {
		return nil, err
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, limited(err)
	}
	w = &tree{
		project: p, watcher: watcher, git: map[string]bool{}, outside: map[string]outsideFile{}, told: make(chan struct{}, 1), done: make(chan struct{}),
		folders: map[string]bool{}, unlisted: map[string]bool{}, pending: changes{all: true}, texts: t,
	}
	defer func() {
		if err != nil {
			_ = watcher.Close()
		}
	}()
	if w.beat, err = newBeat(watcher); err != nil {
		return nil, limited(err)
	}
	for _, name := range around.Files {
		w.outside[name] = lookOutside(name)
	}
	for _, dir := range around.Git {
		if err := watcher.Add(dir); err != nil {
			return nil, limited(err)
		}
		w.git[dir] = true
	}
	go w.loop(context.WithoutCancel(ctx))
	if err := w.addFolders(ctx, "."); err != nil {
		return nil, errors.Join(err, w.close())
	}
	within, cancel := context.WithTimeout(ctx, firstBeat)
	defer cancel()
	if err := w.catchUp(within); err != nil {
		return nil, errors.Join(errSilent, w.close())
	}
	return w, nil
}

// firstBeat is how long the first event may take.
const firstBeat = 10 * time.Second

// errSilent says that no event came where there must be one.
var errSilent = message.Errorf("the system reports no changes of files")

// limited says which limit of the system an error means.
func limited(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return message.Errorf("the system watches no more folders for this user: raise fs.inotify.max_user_watches")
	case errors.Is(err, syscall.EMFILE):
		return message.Errorf("the system has no more watchers for this user: raise fs.inotify.max_user_instances")
	}
	return err
}

// close ends the watch.
func (t *tree) close() error {
	err := errors.Join(t.watcher.Close(), t.beat.close())
	<-t.done
	return err
}

// addFolders watches a folder and those below it.
func (t *tree) addFolders(ctx context.Context, from string) error {
	return t.project.Folders(ctx, from, t.addFolder)
}

// addFolder watches one folder. One that is gone already is no error.
func (t *tree) addFolder(rel string) error {
	t.mu.Lock()
	known := t.folders[rel]
	t.mu.Unlock()
	if known {
		return nil
	}
	err := t.watcher.Add(t.abs(rel))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	if err != nil {
		return limited(err)
	}
	t.mu.Lock()
	t.folders[rel] = true
	t.mu.Unlock()
	return nil
}

func (t *tree) abs(rel string) string {
	return filepath.Join(t.project.Root(), filepath.FromSlash(rel))
}

// cover watches the folders of listed files that are not watched yet: tracked files in ignored folders. It reports
// whether there were some, in which files may have changed since they were listed. If it cannot, the tree is broken.
func (t *tree) cover(l *project.Listing) (more bool) {
	last := ""
	for i := range l.Files {
		for dir := path.Dir(l.Files[i].Path); dir != "." && dir != last; dir = path.Dir(dir) {
			last = dir
			t.mu.Lock()
			known := t.folders[dir]
			t.mu.Unlock()
			if known {
				break
			}
			if err := t.addFolder(dir); err != nil {
				t.fail(err)
				return false
			}
			more = true
		}
	}
	if more {
		t.mu.Lock()
		t.odd = true
		t.mu.Unlock()
	}
	return more
}

// loop handles events until the watcher is closed.
func (t *tree) loop(ctx context.Context) {
	defer close(t.done)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events, errs := t.watcher.Events, t.watcher.Errors
	for events != nil {
		select {
		case e, ok := <-events:
			if !ok {
				events = nil
				break
			}
			if t.beat.is(e) {
				t.beat.felt()
				break
			}
			t.handle(ctx, e)
		case err, ok := <-errs:
			if !ok {
				errs = nil
				break
			}
			t.fail(err) // an overflow, among others: folders may have been missed
		}
	}
	t.beat.stop()
}

// fail breaks the tree. Who waits is released: what they wait for may have been lost.
func (t *tree) fail(err error) {
	t.mu.Lock()
	t.last = time.Now()
	if t.broken == nil {
		t.broken = err
	}
	t.note(changes{all: true})
	t.mu.Unlock()
	t.beat.stop()
}

// note adds pending changes. The caller holds the lock.
func (t *tree) note(c changes) {
	t.pending.add(c)
	if c.all {
		t.texts.drop()
	}
	for p := range c.paths {
		t.texts.dropFile(p)
	}
	select {
	case t.told <- struct{}{}:
	default:
	}
}

// handle notes what an event means.
func (t *tree) handle(ctx context.Context, e fsnotify.Event) {
	dir, base := filepath.Split(e.Name)
	dir = strings.TrimSuffix(dir, string(filepath.Separator))
	if t.git[dir] {
		t.handleGit(e, base)
		return
	}
	rel, err := filepath.Rel(t.project.Root(), e.Name)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return
	case rel == "." || project.IsIgnoreConfig(base):
		if rel != "." || e.Has(fsnotify.Remove|fsnotify.Rename) {
			t.fail(errMoved)
		}
		return
	}
	t.handleFile(ctx, e, filepath.ToSlash(rel))
}

// handleGit handles an event of a file in the repository's own folder.
func (t *tree) handleGit(e fsnotify.Event, base string) {
	if base != "index" && project.IsGitState(base) && !e.Has(fsnotify.Chmod) {
		t.fail(errMoved)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case project.IsGitLock(base):
		t.locked = time.Time{}
		if e.Has(fsnotify.Create | fsnotify.Write) {
			t.locked = time.Now()
		}
		t.last = time.Now()
	case base == "index":
		t.last = time.Now()
		clear(t.unlisted)
		t.rules++
		t.note(changes{all: true})
	}
}

// handleFile handles an event of a file or folder of the tree.
func (t *tree) handleFile(ctx context.Context, e fsnotify.Event, rel string) {
	t.mu.Lock()
	t.last = time.Now()
	wasFolder, skip := t.folders[rel], t.unlisted[rel]
	t.texts.dropFile(rel)
	t.mu.Unlock()
	switch {
	case wasFolder && e.Has(fsnotify.Remove|fsnotify.Rename|fsnotify.Create):
		t.forget(rel)
	case wasFolder: // its permissions
		t.mark(changes{all: true})
		return
	case e.Has(fsnotify.Create):
	case skip || !e.Has(fsnotify.Remove|fsnotify.Rename) && !index.Matters(rel):
		return // what it holds matters to no answer but its text
	}
	if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
		t.handleFolder(ctx, rel)
		return
	}
	switch {
	case wasFolder:
		t.mark(changes{all: true})
	case !skip:
		t.mark(changes{paths: map[string]bool{rel: true}})
	}
}

func (t *tree) mark(c changes) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.note(c)
}

// handleFolder watches a new folder.
func (t *tree) handleFolder(ctx context.Context, rel string) {
	t.mu.Lock()
	before, odd := len(t.folders), t.odd
	t.mu.Unlock()
	if err := t.addFolders(ctx, rel); err != nil {
		t.fail(err)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if odd || len(t.folders) != before { // else it is ignored
		t.note(changes{all: true})
	}
}

// forget stops watching a folder that is gone or another one now, and those below it.
func (t *tree) forget(rel string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for dir := range t.folders {
		if dir == rel || strings.HasPrefix(dir, rel+"/") {
			_ = t.watcher.Remove(t.abs(dir)) // the system may have done so
			delete(t.folders, dir)
		}
	}
	t.note(changes{all: true})
}

// catchUp waits until every event is handled of what happened before the call. The error is that of a broken tree, or
// of the context.
func (t *tree) catchUp(ctx context.Context) error {
	if err := t.beat.wait(ctx); err != nil {
		return err
	}
	for name, was := range t.outside {
		if !lookOutside(name).same(was) {
			t.fail(errMoved)
			break
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.broken
}

// take returns what is pending, which goes on to be so until it is given back.
func (t *tree) take() changes {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.pending
	t.pending, t.taken = changes{}, true
	return c
}

// giveBack ends what take began. What could not be indexed is pending again.
func (t *tree) giveBack(again changes) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.taken = false
	t.pending.add(again) // without a sign: what failed is tried again by the next question, or after a while
}

// isPending reports whether something is, or was taken and is not indexed yet.
func (t *tree) isPending() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.taken || !t.pending.empty()
}

// rulesNow returns the number of changes so far of what git tracks.
func (t *tree) rulesNow() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rules
}

// skip notes files that are not listed by the rules as they were, so that what happens to them is of no interest.
func (t *tree) skip(names []string, rules int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rules != rules {
		return
	}
	if len(t.unlisted) > maxPaths {
		clear(t.unlisted)
	}
	for _, name := range names {
		t.unlisted[name] = true
	}
}

// quiet returns how long nothing has happened, and whether git is changing the tree.
func (t *tree) quiet() (still time.Duration, busy bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.last), !t.locked.IsZero() && time.Since(t.locked) < lockPatience
}

// lockPatience is how long the lock of git's index counts: a git that was killed leaves it.
const lockPatience = 10 * time.Second

// list returns the listing of the files as they are now, after what was taken from the tree, given the one before; nil
// for none. It sets taken.all if everything is listed.
func (t *tree) list(ctx context.Context, was *project.Listing, taken *changes) (*project.Listing, error) {
	if was != nil && !taken.all {
		rules := t.rulesNow()
		l, ignored, err := t.project.Relist(ctx, was, slices.Collect(maps.Keys(taken.paths)))
		if err != nil {
			return nil, err
		}
		if l != nil {
			t.skip(ignored, rules)
			return l, nil
		}
	}
	taken.add(changes{all: true})
	for {
		l, err := t.project.List(ctx, ".")
		if err != nil {
			return nil, err
		}
		if !t.cover(l) {
			return l, nil
		}
	}
}

// maxUnrest is how long the background waits at most for files to be unchanged.
const maxUnrest = 5 * time.Second

// rest waits until nothing has happened in a tree for a moment, and git is not changing it: a change of branches is one
// change. It is false if the tree or the context has ended.
func rest(ctx context.Context, t *tree, still time.Duration) bool {
	for begin := time.Now(); time.Since(begin) < maxUnrest; {
		quiet, busy := t.quiet()
		wait := still - quiet
		if busy {
			wait = still
		}
		if wait <= 0 {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-t.done:
			return false
		case <-time.After(wait):
		}
	}
	return true
}
