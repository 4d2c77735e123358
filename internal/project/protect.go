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

// Places is a set of protected places that an edit may write to. The zero value is empty.
type Places struct {
	all   bool
	names []string
}

// AllPlaces returns all places, for edits by a person.
func AllPlaces() Places { return Places{all: true} }

// ParsePlaces returns the places with the names. The error is an [*UnknownPlaceError].
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

// UnknownPlaceError is returned for an unknown name of a place.
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

// ProtectedError is returned for an edit of a file that a program runs or takes instructions from.
type ProtectedError struct {
	Path  string // as given
	Place string // its name
	By    string // the program that reads it
}

func (e *ProtectedError) text() message.Text {
	return message.New("%s was not written: %s runs or obeys what is in %s", suggest.Quote(e.Path), e.By, e.Place)
}

func (e *ProtectedError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *ProtectedError) In(lang message.Lang) string { return e.text().In(lang) }

// Hint says who may edit it.
func (e *ProtectedError) Hint() message.Text {
	return message.New("ask the user to make this change, or to start the server with --allow-write %s", e.Place)
}

// protected returns a [*ProtectedError] for a file in a place that is not in may: by its given path, by its real
// path, or because a link in the place leads to it.
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

// linked reports whether a link from a place leads to a file: AGENTS.md -> notes.md, or .claude/commands -> tools.
// The place may be in any folder above the file.
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

// maxLinkEntries bounds the entries of a place that are examined for links.
const maxLinkEntries = 1000

// holdsLinkTo reports whether a link in a folder leads to a file.
func (d *disk) holdsLinkTo(dir, file string) bool {
	names, _, err := d.children(dir, maxLinkEntries)
	return err == nil && slices.ContainsFunc(names, func(name string) bool { return d.leadsTo(path.Join(dir, name), file) })
}

// leadsTo reports whether a path is a link to a file or to a folder that contains it.
func (d *disk) leadsTo(at, file string) bool {
	n, err := follow(d, d.root, at)
	if err != nil && n.path == "" || n.path == at {
		return false
	}
	return n.path == file || strings.HasPrefix(file, n.path+"/") || n.path == "."
}

// configured reports whether git's configuration names the file, or a folder that contains it, as hooks folder or
// included file. If git is not available, it runs no hooks either.
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
			continue // options given on our own command line
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

// isInclude reports whether a configuration key names an included file.
func isInclude(key string) bool {
	key = strings.ToLower(key)
	return strings.HasSuffix(key, ".path") && (strings.HasPrefix(key, "include.") || strings.HasPrefix(key, "includeif."))
}

// absFrom makes a path of git's configuration absolute.
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

// inHooks reports whether a file is in the hooks folder. If that folder contains the work tree, only files named
// like a hook count.
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

// pathBelow returns the elements of a path below a folder, ignoring case; nil if it is not below it.
func pathBelow(dir, name string) []string {
	above, all := elements(filepath.ToSlash(dir)), elements(filepath.ToSlash(name))
	if len(all) <= len(above) || !slices.EqualFunc(above, all[:len(above)], func(a, b string) bool { return fold(a) == fold(b) }) {
		return nil
	}
	return all[len(above):]
}

// sameFile reports whether two absolute paths are the same, ignoring case.
func sameFile(a, b string) bool {
	return slices.EqualFunc(elements(filepath.ToSlash(realPath(a))), elements(filepath.ToSlash(b)), func(a, b string) bool { return fold(a) == fold(b) })
}

// realPath resolves the links of the existing part of a path.
func realPath(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}

// gitHooks returns the names of git's hooks, from githooks(5).
func gitHooks() []string {
	return []string{
		"applypatch-msg", "commit-msg", "fsmonitor-watchman", "p4-changelist", "p4-post-changelist", "p4-pre-submit",
		"p4-prepare-changelist", "post-applypatch", "post-checkout", "post-commit", "post-index-change", "post-merge",
		"post-receive", "post-rewrite", "post-update", "pre-applypatch", "pre-auto-gc", "pre-commit", "pre-merge-commit",
		"pre-push", "pre-rebase", "pre-receive", "prepare-commit-msg", "proc-receive", "push-to-checkout", "reference-transaction",
		"sendemail-validate", "update",
	}
}
