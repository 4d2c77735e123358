package contracttest

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/kept"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
	"github.com/reverse-spec/reverse-spec/spec"
)

// suite is an open spec: its tests and its location.
type suite struct {
	Spec
	home   *project.Project // the project of the file
	rel    string           // the file, relative to home
	opened bool             // home was opened for this spec only
	whole  bool             // has every test of the spec
	gone   bool             // was skipped entirely
	kept   bool             // a person wrote the spec: it is not changed
	parsed *spec.Spec
	exits  []spec.ClaimTests // with Options.Coverage
}

// UnknownTestError is returned for a test id that no spec has.
type UnknownTestError struct {
	ID   string
	Near string // the most similar id; "" for none
}

func (e *UnknownTestError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *UnknownTestError) In(lang message.Lang) string { return e.text().In(lang) }

func (e *UnknownTestError) text() message.Text {
	return message.New("no spec has the contract test %s", suggest.Quote(e.ID))
}

// Hint suggests the most similar id.
func (e *UnknownTestError) Hint() message.Text {
	if e.Near == "" {
		return message.Text{}
	}
	return message.New("did you mean %s?", e.Near)
}

// open reads specs and selects tests.
func open(ctx context.Context, p *project.Project, paths []string, opts Options) (suites []suite, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, closed(suites))
		}
	}()
	for _, name := range paths {
		s, err := openSuite(ctx, p, name, opts.Outside)
		if err != nil {
			return suites, err
		}
		suites = append(suites, s)
	}
	if err := only(suites, opts.Only); err != nil {
		return suites, err
	}
	skipEntries(suites, opts.Offset)
	return suites, nil
}

// skipEntries drops the first entries.
func skipEntries(suites []suite, entries int) {
	for i := 0; i < len(suites) && entries > 0; i++ {
		s := &suites[i]
		entries--
		s.Continued = true
		tests := len(s.Tests)
		s.Tests = dropEntries(s.Tests, &entries)
		s.whole = s.whole && len(s.Tests) == tests
		s.Matrix, s.Uncovered = dropEntries(s.Matrix, &entries), dropEntries(s.Uncovered, &entries)
		s.gone = len(s.Tests)+len(s.Matrix)+len(s.Uncovered) == 0
	}
}

// dropEntries returns list without its first entries, and decreases the number of entries left to
// drop.
func dropEntries[T any](list []T, entries *int) []T {
	n := min(*entries, len(list))
	*entries -= n
	return list[n:]
}

// openSuite reads one spec.
func openSuite(ctx context.Context, p *project.Project, name string, outside bool) (s suite, err error) {
	s = suite{home: p, rel: name, whole: true}
	if outside {
		if err := s.locate(p, name); err != nil {
			return suite{}, err
		}
	}
	if parsed, err := kept.Spec(ctx, s.home, s.rel); parsed != nil || err != nil {
		if err != nil {
			return suite{}, errors.Join(err, closed([]suite{s}))
		}
		s.Spec, s.parsed, s.kept = described(name, parsed), parsed, true
		return s, nil
	}
	text, err := s.home.ReadUpTo(s.rel, spec.MaxSize)
	if err == nil {
		var parsed *spec.Spec
		if parsed, err = spec.Parse(text); err == nil {
			_ = parsed.ReadLock(s.home, s.rel) // without it, only the scripts themselves say whether they pass
			s.Spec, s.parsed = described(name, parsed), parsed
			return s, nil
		}
		err = message.Errorf("%s: %w", name, err)
	}
	return suite{}, errors.Join(err, closed([]suite{s}))
}

// locate finds the project of a file: p, or else the file's own folder.
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

// closed closes what open opened.
func closed(suites []suite) error {
	var errs []error
	for _, s := range suites {
		if s.opened {
			errs = append(errs, s.home.Close())
		}
	}
	return errors.Join(errs...)
}

// only keeps the tests with the given ids, or all if there are no ids.
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

// conclude determines the health of the spec from its tests and writes it into the file.
func (s *suite) conclude(ctx context.Context, now time.Time, opts Options) error {
	s.Items = itemsOf(s.Tests)
	count := map[Outcome]int{}
	for i := range s.Tests {
		s.Tests[i].sum()
		count[s.Tests[i].Outcome]++
	}
	health := "active"
	switch {
	case len(s.Tests) == 0 && s.whole:
		s.Note = message.Sprintf(ctx, "the spec has no contract test")
		if s.kept {
			s.Note = message.Sprintf(ctx, "no linked test can be run")
		}
		return nil
	case count[Failed] > 0:
		health = "failing"
	case s.whole && s.Health == "failing" && count[TimedOut] == 0 && count[Passed] < len(s.Tests): // what failed does so no more
		health = "unverified"
	case count[Passed] < len(s.Tests), !s.whole:
		if !s.kept {
			s.Note = message.Sprintf(ctx, "front matter left as it is: not every test was run to its end")
		}
		return nil
	case s.Health == "drifted":
		health = "drifted"
	}
	if opts.NoUpdate || s.kept {
		return nil
	}
	return s.stamp(ctx, health, now.UTC().Format(time.DateOnly))
}

// maxNotPassed limits the tests of the code that a report names for each contract test.
const maxNotPassed = 20

// sum fills in what a report says of the tests of the code.
func (t *Test) sum() {
	if len(t.Ran) == 0 {
		return
	}
	t.Count = t.counts()
	for _, r := range t.Ran {
		if r.Outcome != Passed && len(t.NotPassed) < maxNotPassed && t.Outcome != Blocked {
			t.NotPassed = append(t.NotPassed, r)
		}
	}
}

// itemsOf returns the outcome of each requirement and scenario that tests cover, by id.
func itemsOf(tests []Test) []Item {
	found := map[string]*Item{}
	add := func(id string, o Outcome) {
		if found[id] == nil {
			found[id] = &Item{ID: id, Outcome: o}
			if o == Gone || o == Unbuilt {
				found[id].Outcome = Failed
			}
		}
		found[id].add(o)
	}
	for _, t := range tests {
		if len(t.Ran) == 0 {
			for _, id := range t.Covers {
				add(id, t.Outcome)
			}
		}
		for _, r := range t.Ran {
			for _, id := range r.Covers {
				add(id, r.Outcome)
			}
		}
	}
	var out []Item
	for _, id := range slices.Sorted(maps.Keys(found)) {
		out = append(out, *found[id])
	}
	return out
}

// add adds the outcome of a test.
func (i *Item) add(o Outcome) {
	if o == Gone || o == Unbuilt {
		o = Failed
	}
	if o == Passed || o == Failed {
		i.Tests++
	}
	if o == Failed || o == Passed && i.Outcome != Failed {
		i.Outcome = o
	}
}
