package spec

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// LockPath returns the path of the lock of a page: specs/.lock/src/auth.jsonl for the spec of
// src/auth in specs/src/auth.spec.md. For a page that is not where [PathFor] puts the spec of the
// target, it is in a folder .lock next to the page.
func LockPath(page, target string) string {
	root := path.Dir(page)
	if own := PathFor(".", target); target != "" && strings.HasSuffix("/"+page, "/"+own) {
		root = path.Clean(strings.TrimSuffix(page, own))
	}
	return lock.PathFor(root, page)
}

// LockDir is the name of the folder of locks.
const LockDir = lock.Dir

// AdoptedDir is the name of the folder of the locks of specs that people wrote.
const AdoptedDir = lock.AdoptedDir

// OrphanedLock reports whether a file is the lock of a page that does not exist.
func OrphanedLock(p *project.Project, file string) bool {
	page, ok := lock.Page(file)
	if !ok {
		return false
	}
	if _, err := p.ReadStart(page, 1); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	text, err := p.ReadUpTo(file, lock.MaxSize)
	if err != nil {
		return false
	}
	_, err = lock.HashOf(text)
	return err == nil
}

// ErrStale is returned for a lock that was written with another version of its page: a run was
// killed between writing the two, or a merge took them from different branches.
var ErrStale = message.Errorf("it was written from other code than the spec")

// ReadLock reads the lock of a page, unless the page has a baseline of its own, as earlier
// versions wrote it. The errors name the lock: fs.ErrNotExist if it is missing, [ErrStale],
// [lock.ErrForeign], a [*lock.NewerError] or a [*lock.DamagedError]. The spec then has no baseline.
func (s *Spec) ReadLock(p *project.Project, page string) error {
	if s.Baseline != nil {
		return nil
	}
	file := LockPath(page, s.Front.SourceTarget)
	text, err := p.ReadUpTo(file, lock.MaxSize)
	if err != nil {
		return err
	}
	l, err := lock.Parse(text)
	switch {
	case err != nil:
	case s.Front.SkeletonHash != l.Skeleton.Hash:
		err = ErrStale
	default:
		err = l.Of(s.Front.SourceTarget)
	}
	if err != nil {
		return &LockError{Path: file, Err: err}
	}
	l.Skeleton.AnalyzedAt = s.Front.LastUpdated
	s.Baseline, s.Claims, s.Unnoticed = &l.Skeleton, sayableOf(l.Claims), l.Unnoticed
	for i := range s.ContractTests {
		t := &s.ContractTests[i]
		t.Runs = nil
		for _, r := range l.Tests {
			if r.Contract == t.ID {
				t.Runs = append(t.Runs, r)
			}
		}
	}
	return nil
}

// RecordedTests are the tests of a file that a contract test runs.
type RecordedTests = lock.Tests

// sayableOf removes the claims that this version cannot put into words.
func sayableOf(list []RecordedClaim) []RecordedClaim {
	return slices.DeleteFunc(list, func(c RecordedClaim) bool { return !sayable(&c.Claim) })
}

// LockError is an error of a lock.
type LockError struct {
	Path string
	Err  error
}

func (e *LockError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *LockError) In(lang message.Lang) string {
	if errors.Is(e.Err, lock.ErrForeign) {
		return message.New("%s exists and is not a lock of reverse-spec; it was not changed", e.Path).In(lang)
	}
	return message.New("%s: %v", e.Path, e.Err).In(lang)
}

func (e *LockError) Unwrap() error { return e.Err }

// Hint says what the user can do.
func (e *LockError) Hint() message.Text {
	if errors.Is(e.Err, lock.ErrForeign) {
		return (&ForeignError{e.Path}).Hint()
	}
	if hinted, ok := e.Err.(interface{ Hint() message.Text }); ok {
		return hinted.Hint()
	}
	return message.Text{}
}

// mayReplaceLock returns an error if generating a spec would overwrite a file that is not a lock
// of this program, or one in a format that it does not know.
func mayReplaceLock(p *project.Project, file string) error {
	text, err := p.ReadUpTo(file, lock.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		_, err = lock.HashOf(text)
	}
	if _, damaged := errors.AsType[*lock.DamagedError](err); err == nil || damaged {
		return nil
	}
	return &LockError{Path: file, Err: err}
}

// Lock returns the lock of the spec, which has a baseline.
func (s *Spec) Lock() []byte {
	l := &lock.Lock{Generator: s.Front.GeneratedBy, SpecID: s.Front.SpecID, Skeleton: *s.Baseline, Claims: s.Claims, Unnoticed: s.Unnoticed}
	for _, t := range s.ContractTests {
		for _, r := range t.Runs {
			r.Contract = t.ID
			l.Tests = append(l.Tests, r)
		}
	}
	slices.SortFunc(l.Tests, func(a, b lock.Tests) int { return strings.Compare(a.Contract+" "+a.File, b.Contract+" "+b.File) })
	return l.Encode()
}

// write writes the lock, and then the page: a run that is killed in between leaves a page that
// does not agree with the lock, which [Spec.ReadLock] finds.
func (s *Spec) write(p *project.Project, page string) error {
	file := LockPath(page, s.Front.SourceTarget)
	if err := p.WriteFile(file, s.Lock()); err != nil {
		return message.Errorf("write %s: %w", file, err)
	}
	if err := p.WriteFile(page, s.Render()); err != nil {
		return message.Errorf("write %s: %w", page, err)
	}
	return nil
}

// baselineOf returns the part of a skeleton that drift needs.
func baselineOf(merged code.Skeleton) *code.Skeleton {
	merged.Calls = nil
	return &merged
}

// LockAgrees reports whether the lock of a page can be read and was written with it.
func LockAgrees(p *project.Project, page string, front Front) bool {
	text, err := p.ReadUpTo(LockPath(page, front.SourceTarget), lock.MaxSize)
	if err != nil {
		return false
	}
	hash, err := lock.HashOf(text)
	return err == nil && hash == front.SkeletonHash
}
