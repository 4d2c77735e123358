package project

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Places are the places of files that programs run which an edit may write to. The
// zero value is none of them.
type Places struct {
	all   bool
	names []string
}

// AllPlaces are all of them: for who edits by hand.
func AllPlaces() Places { return Places{all: true} }

// ParsePlaces returns the places with these names. The error is an
// [*UnknownPlaceError].
func ParsePlaces(names []string) (Places, error) {
	known := PlaceNames()
	p := Places{}
	for _, name := range names {
		name = strings.TrimRight(filepath.ToSlash(name), "/")
		if !slices.Contains(known, name) {
			return Places{}, &UnknownPlaceError{Name: name}
		}
		p.names = append(p.names, name)
	}
	return p, nil
}

// PlaceNames returns the names of all places, sorted.
func PlaceNames() []string {
	names := []string{hooksPlace}
	for _, p := range places() {
		names = append(names, p.name)
	}
	slices.Sort(names)
	return names
}

// UnknownPlaceError is returned for the name of a place that is not in the table.
type UnknownPlaceError struct{ Name string }

func (e *UnknownPlaceError) text() message.Text {
	return message.New("%s is not the name of a place of files that programs run", suggest.Quote(e.Name))
}

func (e *UnknownPlaceError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *UnknownPlaceError) In(lang message.Lang) string { return e.text().In(lang) }

// Hint lists the names.
func (e *UnknownPlaceError) Hint() message.Text {
	return message.New("the names are %s", strings.Join(PlaceNames(), ", "))
}

// ProtectedError is returned for an edit of a file that a program runs, or obeys.
type ProtectedError struct {
	Path  string // as given
	Place string // its name
	By    string // who reads it
}

func (e *ProtectedError) text() message.Text {
	return message.New("%s was not written: %s runs or obeys what is in %s", suggest.Quote(e.Path), e.By, e.Place)
}

func (e *ProtectedError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *ProtectedError) In(lang message.Lang) string { return e.text().In(lang) }

// Hint says who can do it.
func (e *ProtectedError) Hint() message.Text {
	return message.New("ask the user to make this change, or to start the server with --allow-write %s", e.Place)
}

// protected returns a [*ProtectedError] for a file in a place that may not be written:
// by its path as given, by its real path, or because a link leads from the place to it.
func (d *disk) protected(ctx context.Context, name, rel string, n node, may Places) error {
	if may.all {
		return nil
	}
	given, real := elements(rel), elements(n.path)
	for _, p := range places() {
		if slices.Contains(may.names, p.name) {
			continue
		}
		if at := elements(p.name); within(given, at) || within(real, at) || d.linked(n.path, p.name) {
			return &ProtectedError{Path: name, Place: p.name, By: p.by}
		}
	}
	if !slices.Contains(may.names, hooksPlace) && d.configured(ctx, n.path) {
		return &ProtectedError{Path: name, Place: hooksPlace, By: "git"}
	}
	return nil
}

// linked reports whether a link leads from a place to a file: AGENTS.md -> notes.md, or
// .claude/commands -> tools. The place may be in any folder that the file is in.
func (d *disk) linked(file, place string) bool {
	if strings.Contains(place, "*") {
		return false
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		at := path.Join(dir, place)
		if d.leadsTo(at, file) {
			return true
		}
		if n, err := follow(d, d.root, at); err == nil && n.kind == folder && d.holdsLinkTo(n.path, file) {
			return true
		}
		if dir == "." {
			return false
		}
	}
}

// mostChildren bounds how many entries of a place are looked at for links.
const mostChildren = 1000

// holdsLinkTo reports whether a link in a folder leads to a file.
func (d *disk) holdsLinkTo(dir, file string) bool {
	names, _, err := d.children(dir, mostChildren)
	return err == nil && slices.ContainsFunc(names, func(name string) bool { return d.leadsTo(path.Join(dir, name), file) })
}

// leadsTo reports whether a path leads by a link to a file, or to a folder that it is in.
func (d *disk) leadsTo(at, file string) bool {
	n, err := follow(d, d.root, at)
	if err != nil && n.path == "" || n.path == at {
		return false
	}
	return n.path == file || strings.HasPrefix(file, n.path+"/") || n.path == "."
}

// configured reports whether git's configuration names the file, or a folder that it is
// in: as the folder of hooks, or as a file to include. Where git cannot be asked it
// runs no hooks either.
func (d *disk) configured(ctx context.Context, file string) bool {
	dir := d.abs(path.Dir(file))
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
		dir = filepath.Dir(dir)
	}
	top := repository(dir)
	if top == "" {
		return false
	}
	out, _, err := gitOutput(ctx, top, "config", "--list", "--show-origin", "-z")
	if err != nil {
		return false
	}
	abs := d.abs(file)
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		origin, onDisk := strings.CutPrefix(fields[i], "file:")
		if !onDisk {
			continue // the command line is ours
		}
		if sameFile(absFrom(top, origin), abs) {
			return true
		}
		key, value, _ := strings.Cut(fields[i+1], "\n")
		switch {
		case strings.EqualFold(key, "core.hooksPath") && inHooks(absFrom(top, value), top, abs),
			isInclude(key) && sameFile(absFrom(filepath.Dir(absFrom(top, origin)), value), abs):
			return true
		}
	}
	return false
}

// isInclude reports whether a key of git's configuration names a file that it includes.
func isInclude(key string) bool {
	key = strings.ToLower(key)
	return strings.HasSuffix(key, ".path") && (strings.HasPrefix(key, "include.") || strings.HasPrefix(key, "includeif."))
}

// absFrom returns a path of git's configuration as an absolute one.
func absFrom(dir, name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// inHooks reports whether a file is in the folder of hooks. Where that is the work tree
// or around it, those count that have the name of a hook.
func inHooks(hooks, top, file string) bool {
	hooks = realPath(hooks)
	below := pathBelow(hooks, file)
	if below == nil {
		return false
	}
	if pathBelow(hooks, top) == nil && hooks != top {
		return true
	}
	return len(below) == 1 && slices.ContainsFunc(gitHooks(), func(h string) bool { return sameName(below[0], h) })
}

// pathBelow returns the elements of a path below a folder, in any case; nil for one that
// is not below it.
func pathBelow(dir, name string) []string {
	above, all := elements(filepath.ToSlash(dir)), elements(filepath.ToSlash(name))
	if len(all) <= len(above) || !slices.EqualFunc(above, all[:len(above)], func(a, b string) bool { return fold(a) == fold(b) }) {
		return nil
	}
	return all[len(above):]
}

// sameFile reports whether two absolute paths are those of one file, in any case.
func sameFile(a, b string) bool {
	return slices.EqualFunc(elements(filepath.ToSlash(realPath(a))), elements(filepath.ToSlash(b)), func(a, b string) bool { return fold(a) == fold(b) })
}

// realPath follows the links of a path as far as it exists.
func realPath(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}

// gitHooks are the names of git's hooks, as in githooks(5).
func gitHooks() []string {
	return []string{
		"applypatch-msg", "commit-msg", "fsmonitor-watchman", "p4-changelist", "p4-post-changelist", "p4-pre-submit",
		"p4-prepare-changelist", "post-applypatch", "post-checkout", "post-commit", "post-index-change", "post-merge",
		"post-receive", "post-rewrite", "post-update", "pre-applypatch", "pre-auto-gc", "pre-commit", "pre-merge-commit",
		"pre-push", "pre-rebase", "pre-receive", "prepare-commit-msg", "proc-receive", "push-to-checkout", "reference-transaction",
		"sendemail-validate", "update",
	}
}
