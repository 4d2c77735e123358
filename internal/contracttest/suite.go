package contracttest

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
	"github.com/reverse-spec/reverse-spec/spec"
)

// suite is a spec that is open: its tests, and where it is kept.
type suite struct {
	Spec
	home   *project.Project // that the file is in
	rel    string           // the file there
	opened bool             // home was opened for this spec alone
	whole  bool             // every test of the spec is here
	gone   bool             // all of it was passed over
}

// UnknownTestError is returned when a test was asked for that no spec has.
type UnknownTestError struct {
	ID   string
	Near string // what may have been meant; "" for nothing
}

func (e *UnknownTestError) Error() string { return e.text().String() }

// In is the error in a language.
func (e *UnknownTestError) In(lang message.Lang) string { return e.text().In(lang) }

func (e *UnknownTestError) text() message.Text {
	return message.New("no spec has the contract test %s", suggest.Quote(e.ID))
}

// Hint says what may have been meant.
func (e *UnknownTestError) Hint() message.Text {
	if e.Near == "" {
		return message.Text{}
	}
	return message.New("did you mean %s?", e.Near)
}

// All returns the specs of a project: every *.spec.md, save the index of specs.
func All(ctx context.Context, p *project.Project) ([]string, error) {
	var out []string
	for _, folder := range []string{".", spec.DefaultOutputDir} { // named, because it may be ignored
		l, err := p.List(ctx, folder)
		if _, missing := errors.AsType[*project.MissingError](err); missing {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, f := range l.Files {
			if strings.HasSuffix(f.Path, ".spec.md") && path.Base(f.Path) != path.Base(spec.IndexPath("")) {
				out = append(out, f.Path)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// open reads specs and keeps of their tests those that were asked for.
func open(p *project.Project, paths []string, opts Options) (suites []suite, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, closed(suites))
		}
	}()
	for _, name := range paths {
		s, err := openSuite(p, name, opts.Outside)
		if err != nil {
			return suites, err
		}
		suites = append(suites, s)
	}
	if err := only(suites, opts.Only); err != nil {
		return suites, err
	}
	passOver(suites, opts.Offset)
	return suites, nil
}

// passOver leaves out the first entries.
func passOver(suites []suite, entries int) {
	for i := 0; i < len(suites) && entries > 0; i++ {
		s := &suites[i]
		entries--
		s.Continued = true
		tests := len(s.Tests)
		s.Tests = passed(s.Tests, &entries)
		s.whole = s.whole && len(s.Tests) == tests
		s.Matrix, s.Uncovered = passed(s.Matrix, &entries), passed(s.Uncovered, &entries)
		s.gone = len(s.Tests)+len(s.Matrix)+len(s.Uncovered) == 0
	}
}

// passed returns a list without its first entries, and counts them off.
func passed[T any](list []T, entries *int) []T {
	n := min(*entries, len(list))
	*entries -= n
	return list[n:]
}

// openSuite reads one spec.
func openSuite(p *project.Project, name string, outside bool) (s suite, err error) {
	s = suite{home: p, rel: name, whole: true}
	if outside {
		if err := s.locate(p, name); err != nil {
			return suite{}, err
		}
	}
	text, err := s.home.ReadUpTo(s.rel, spec.MaxSize)
	if err == nil {
		var parsed *spec.Spec
		if parsed, err = spec.Parse(text); err == nil {
			s.Spec = described(name, parsed)
			return s, nil
		}
		err = message.Errorf("%s: %w", name, err)
	}
	return suite{}, errors.Join(err, closed([]suite{s}))
}

// locate finds the project of a file of the file system: p, or its own folder.
func (s *suite) locate(p *project.Project, name string) error {
	abs, err := filepath.Abs(name)
	if err != nil {
		return message.Errorf("path %s: %w", name, err)
	}
	if rel, err := p.Rel(abs); err == nil {
		s.rel = rel
		return nil
	}
	home, err := project.Open(filepath.Dir(abs))
	if err != nil {
		return err
	}
	s.home, s.rel, s.opened = home, filepath.Base(abs), true
	return nil
}

// closed closes what was opened for the specs.
func closed(suites []suite) error {
	var errs []error
	for _, s := range suites {
		if s.opened {
			errs = append(errs, s.home.Close())
		}
	}
	return errors.Join(errs...)
}

// only leaves of the tests those with the ids; all of them without ids.
func only(suites []suite, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	var known []string
	for i := range suites {
		s := &suites[i]
		for _, t := range s.Tests {
			known = append(known, t.ID)
		}
		all := len(s.Tests)
		s.Tests = slices.DeleteFunc(s.Tests, func(t Test) bool { return !slices.Contains(ids, t.ID) })
		s.whole = len(s.Tests) == all
	}
	for _, id := range ids {
		if !slices.Contains(known, id) {
			return &UnknownTestError{ID: id, Near: suggest.Nearest(id, known)}
		}
	}
	return nil
}

// conclude says what the tests make of the spec, and writes it into its file.
func (s *suite) conclude(ctx context.Context, now time.Time, opts Options) error {
	passed, failed := 0, 0
	for _, t := range s.Tests {
		switch {
		case t.Outcome == Passed:
			passed++
		case t.Outcome.Fails():
			failed++
		}
	}
	health := "active"
	switch {
	case len(s.Tests) == 0 && s.whole:
		s.Note = message.Sprintf(ctx, "the spec has no contract test")
		return nil
	case failed > 0:
		health = "failing"
	case passed == 0, !s.whole:
		s.Note = message.Sprintf(ctx, "front matter left as it is: not every test was run")
		return nil
	case s.Health == "drifted":
		health = "drifted"
	}
	if opts.NoUpdate {
		return nil
	}
	return s.stamp(ctx, health, now.UTC().Format(time.DateOnly))
}
