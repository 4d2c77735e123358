// Package adopted keeps what people decided on the links of specs that they wrote themselves: in a lock for each spec, beside the
// locks of pages. The specs are read and never written.
package adopted

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec/handwritten"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// Root is the folder that has the folder of the locks.
const Root = "specs"

// Spec is an adopted spec.
type Spec struct {
	Path string
	// Written is the spec as it is now; nil if its file is gone or has no requirement any more.
	Written *handwritten.Spec
	Lock    *lock.Lock
}

// LockPath returns the path of the lock of a spec.
func LockPath(file string) string { return lock.AdoptedPath(Root, file) }

// SpecOf returns the path of the spec that a lock belongs to; ok is false for another file.
func SpecOf(file string) (spec string, ok bool) { return lock.AdoptedSpec(Root, file) }

// Open reads an adopted spec and its lock. The error is fs.ErrNotExist for a spec that is not adopted, a [*LockError] for a
// lock that cannot be read.
func Open(p *project.Project, file string) (*Spec, error) {
	text, err := p.ReadUpTo(LockPath(file), lock.MaxSize)
	if err != nil {
		return nil, err
	}
	l, err := lock.Parse(text)
	if err == nil && l.Skeleton.FilePath != file {
		err = l.Of(file)
	}
	if err != nil {
		return nil, &LockError{LockPath(file), err}
	}
	s := &Spec{Path: file, Lock: l}
	if text, err = p.ReadUpTo(file, handwritten.MaxSize); err == nil {
		s.Written, _ = handwritten.Parse(file, text) // nil for a text without requirements
	}
	return s, nil
}

// Paths returns the paths of the adopted specs of a project, sorted.
func Paths(ctx context.Context, p *project.Project) ([]string, error) {
	dir := path.Join(Root, lock.AdoptedDir)
	if p.IsWorkTree() && p.ModTime(dir).IsZero() { // listing what is missing looks for what was meant
		return nil, nil
	}
	list, err := p.List(ctx, dir)
	if missing := (*project.MissingError)(nil); errors.As(err, &missing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range list.Files {
		if file, ok := SpecOf(f.Path); ok {
			out = append(out, file)
		}
	}
	slices.Sort(out)
	return out, nil
}

// All reads the adopted specs of a project. Those whose lock cannot be read are errors.
func All(ctx context.Context, p *project.Project) (list []*Spec, failed []error, err error) {
	paths, err := Paths(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range paths {
		s, err := Open(p, file)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		list = append(list, s)
	}
	return list, failed, ctx.Err()
}

// LinkedTo reads the adopted specs of a project that are linked to one of some files. Locks that name none of them are not parsed;
// those that cannot be read are left out.
func LinkedTo(ctx context.Context, p *project.Project, files ...string) ([]*Spec, error) {
	paths, err := Paths(ctx, p)
	if err != nil {
		return nil, err
	}
	var out []*Spec
	for _, of := range paths {
		text, err := p.ReadUpTo(LockPath(of), lock.MaxSize)
		if err != nil || !slices.ContainsFunc(files, func(file string) bool { return lock.MayLink(text, file) }) {
			continue
		}
		s, err := Open(p, of)
		if err == nil && slices.ContainsFunc(s.Accepted(false), func(l *lock.Link) bool { return slices.Contains(files, l.File) }) {
			out = append(out, s)
		}
	}
	return out, ctx.Err()
}

// Save writes the lock of a spec.
func (s *Spec) Save(p *project.Project) error {
	if err := p.WriteFile(LockPath(s.Path), s.Lock.Encode()); err != nil {
		return message.Errorf("write %s: %w", LockPath(s.Path), err)
	}
	return nil
}

// Requirement returns a requirement as it is now; nil if it is gone.
func (s *Spec) Requirement(id string) *handwritten.Requirement {
	if s.Written == nil {
		return nil
	}
	for i := range s.Written.Requirements {
		if r := &s.Written.Requirements[i]; r.ID == id {
			return r
		}
	}
	return nil
}

// Accepted returns the links that were accepted, to code or to tests.
func (s *Spec) Accepted(tests bool) []*lock.Link {
	var out []*lock.Link
	for i := range s.Lock.Links {
		if l := &s.Lock.Links[i]; !l.Rejected && l.Test == tests {
			out = append(out, l)
		}
	}
	return out
}

// Hash returns a hash of what a requirement says.
func Hash(r *handwritten.Requirement) string {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(r.Words()), " ")))
	return hex.EncodeToString(sum[:6])
}

// Restrict keeps the declarations of a skeleton that are named, with those around them: of a type whose method is named, the type
// with that method alone. What is named itself stays whole. Wanted says so of a qualified name in a file.
func Restrict(s code.Skeleton, wanted func(file, name string) bool) code.Skeleton {
	var keep func(list []code.Symbol, owner, ownerFile string) []code.Symbol
	keep = func(list []code.Symbol, owner, ownerFile string) []code.Symbol {
		var out []code.Symbol
		for _, sym := range list {
			if sym.File == "" {
				sym.File = ownerFile
			}
			name := owner + sym.Name
			if wanted(sym.File, name) {
				out = append(out, sym)
				continue
			}
			if members := keep(sym.Members, name+".", sym.File); members != nil {
				sym.Members = members
				out = append(out, sym)
			}
		}
		return out
	}
	s.Exports, s.Internals, s.Variants = keep(s.Exports, "", ""), keep(s.Internals, "", ""), keep(s.Variants, "", "")
	if s.Exports == nil {
		s.Exports = []code.Symbol{}
	}
	return s
}

// LockError is an error of a lock.
type LockError struct {
	Path string
	Err  error
}

func (e *LockError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *LockError) In(lang message.Lang) string {
	return message.New("%s: %v", e.Path, e.Err).In(lang)
}

func (e *LockError) Unwrap() error { return e.Err }

// Hint says what the user can do.
func (e *LockError) Hint() message.Text {
	if hinted, ok := e.Err.(interface{ Hint() message.Text }); ok {
		return hinted.Hint()
	}
	return message.Text{}
}

// IsAbsent reports whether the error of [Open] says that a spec is not adopted.
func IsAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
