package contracttest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/mutation"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// DefaultMutants is the number of mistakes for each spec.
const DefaultMutants = 40

// Mutation is the result of [Mutate].
type Mutation struct {
	Specs     []MutatedSpec `json:"specs"`
	Tried     int           `json:"tried"` // mistakes with which the tests ran
	Noticed   int           `json:"noticed"`
	Unnoticed int           `json:"unnoticed"`
	Invalid   int           `json:"invalid"` // those that could not be built or run
}

// MutatedSpec is the result for one spec.
type MutatedSpec struct {
	Path      string `json:"path"`
	Possible  int    `json:"possible"` // the mistakes that the code has room for
	Tried     int    `json:"tried"`
	Noticed   int    `json:"noticed"`
	TimedOut  int    `json:"timed_out"` // of those noticed
	Elsewhere int    `json:"elsewhere"` // of those noticed, only by tests that are not of the spec
	Invalid   int    `json:"invalid"`
	Resumed   int    `json:"resumed"` // what was known from an earlier run
	// Note says why nothing was tried, or what was left out.
	Note    string    `json:"note,omitempty"`
	Failed  bool      `json:"failed,omitempty"` // nothing could be tried
	Mutants []Mutated `json:"mutants"`
}

// Mutated is one mistake and what became of it.
type Mutated struct {
	File         string   `json:"file"`
	Line         int      `json:"line"`
	Symbol       string   `json:"symbol,omitempty"`
	Kind         string   `json:"kind"`
	Was          string   `json:"was"`
	Now          string   `json:"now"`
	Start        int      `json:"start"` // the bytes of the file that are replaced
	End          int      `json:"end"`
	Put          string   `json:"put"` // what they are replaced by
	Outcome      verdict  `json:"outcome"`
	By           string   `json:"by,omitempty"`        // the test that noticed
	Elsewhere    bool     `json:"elsewhere,omitempty"` // only tests noticed that are not of the spec
	Reason       string   `json:"reason,omitempty"`    // why it is invalid
	Claims       []string `json:"claims,omitempty"`
	Requirements []string `json:"requirements,omitempty"`
}

// OK reports whether something was tried for every spec.
func (m *Mutation) OK() bool {
	return !slices.ContainsFunc(m.Specs, func(s MutatedSpec) bool { return s.Failed })
}

// Mutate puts single mistakes into the code of specs, in a copy of the project, and runs the contract tests of behavior with
// each, and all tests of the same tools with those that these do not notice. It tries most mistakes for each spec, those that violate
// claims and those in exported functions first. What came of a mistake is kept in the folder opts.Cache, as long as the project's files are the same, so that a later run goes on. The
// mistakes that no test notices are written into the locks of the specs, unless opts.NoUpdate.
//
// Errors: those of [List], bash is missing, the copy cannot be made, and ctx's.
func Mutate(ctx context.Context, p *project.Project, paths []string, most int, opts Options) (*Mutation, error) {
	suites, err := open(ctx, p, paths, opts)
	if err != nil {
		return nil, err
	}
	pages := slices.DeleteFunc(slices.Clone(suites), func(s suite) bool { return s.kept })
	if len(pages) == 0 && len(suites) > 0 {
		err := message.Errorf("%s: a person wrote it; mistakes are only put into the code of pages", suites[0].Path)
		return nil, errors.Join(err, closed(suites))
	}
	r, err := mutate(ctx, p, pages, most, opts)
	return r, errors.Join(err, closed(suites))
}

func mutate(ctx context.Context, p *project.Project, suites []suite, most int, opts Options) (r *Mutation, err error) {
	l, err := openLab(ctx, p, opts)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	r = &Mutation{Specs: []MutatedSpec{}}
	for i := range suites {
		s, err := l.mutateSuite(ctx, p, &suites[i], most, opts)
		if err != nil {
			return nil, err
		}
		r.Specs = append(r.Specs, *s)
		r.Tried, r.Noticed, r.Invalid = r.Tried+s.Tried, r.Noticed+s.Noticed, r.Invalid+s.Invalid
	}
	r.Unnoticed = r.Tried - r.Noticed
	return r, nil
}

// mutateSuite tries mistakes in the code of one spec.
func (l *lab) mutateSuite(ctx context.Context, p *project.Project, s *suite, most int, opts Options) (*MutatedSpec, error) {
	out := &MutatedSpec{Path: s.Path, Mutants: []Mutated{}}
	fail := func(why message.Text) (*MutatedSpec, error) {
		out.Failed, out.Note = true, why.In(message.From(ctx))
		return out, nil
	}
	if s.parsed == nil || s.parsed.Front.SourceTarget == "" || !slices.ContainsFunc(s.Tests, hasRuns) {
		return fail(message.New("the spec has no contract test of behavior, or its lock is missing"))
	}
	now, err := spec.ReadCurrent(ctx, p, s.parsed.Front.SourceTarget, s.parsed.Front.Scope, s.parsed)
	if err != nil {
		return nil, err
	}
	list, err := candidates(p, now)
	if err != nil {
		return nil, err
	}
	if out.Possible = len(list); len(list) == 0 {
		return fail(message.New("no mistake can be put into the code: it has no functions, or is in another language than Go, TypeScript, JavaScript, Python, Java and Rust"))
	}
	chosen := pick(list, most)
	known := openTrials(ctx, p, s, opts.Cache, l.scratch)
	if err := l.tryAll(ctx, s, chosen, known, opts, out); err != nil || out.Failed {
		return out, err
	}
	out.sum(chosen)
	if opts.NoUpdate {
		return out, nil
	}
	if err := spec.RecordUnnoticed(s.home, s.rel, recordOf(p, s, chosen)); err != nil {
		out.Note = message.Sprintf(ctx, "not recorded in the lock: %v", err)
	}
	return out, nil
}

func hasRuns(t Test) bool { return len(t.runs) > 0 }

// tryAll tries the mistakes that no earlier run knows.
func (l *lab) tryAll(ctx context.Context, s *suite, chosen []*candidate, known *trials, opts Options, out *MutatedSpec) error {
	todo := slices.DeleteFunc(slices.Clone(chosen), func(c *candidate) bool {
		found := known.find(c, opts.timeout())
		if found {
			out.Resumed++
		}
		return found
	})
	if len(todo) == 0 {
		return nil
	}
	tests, err := l.ready(ctx, s, opts.timeout(), todo, out)
	if err != nil || out.Failed {
		return err
	}
	whole, err := l.wholeSuites(ctx, tests, opts.timeout(), out)
	if err != nil {
		return err
	}
	for i, c := range todo {
		progress.Report(ctx, progress.Event{Stage: "mutate", Item: s.Path, Done: i, Total: len(todo)})
		if c.judgement, err = l.try(ctx, tests, whole, c.file, c.text, c.mutant.Apply(c.text)); err != nil {
			return err
		}
		known.keep(c, opts.timeout())
	}
	progress.Report(ctx, progress.Event{Stage: "mutate", Done: len(todo), Total: len(todo)})
	return ctx.Err()
}

// ready returns the contract tests that pass on the code as it is, the fastest first, and sees to it that they run the code
// of the copy.
func (l *lab) ready(ctx context.Context, s *suite, most time.Duration, todo []*candidate, out *MutatedSpec) ([]*Test, error) {
	l.timeout = max(l.timeout, DefaultTimeout) // the first run may build everything
	var tests []*Test
	reason, took := "", time.Duration(0)
	for i := range s.Tests {
		t := &s.Tests[i]
		if !hasRuns(*t) {
			continue
		}
		progress.Report(ctx, progress.Event{Stage: "verify", Item: t.ID})
		for range 2 { // the first run of two may build what later ones have
			run := t.fresh()
			l.run(ctx, run)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if run.Outcome != Passed {
				reason = message.Sprintf(ctx, "%s does not pass without a mistake: %s", t.ID, run.Reason)
				break
			}
			t.Millis = run.Millis
		}
		if t.Millis > 0 {
			tests = append(tests, t)
			took = max(took, time.Duration(t.Millis)*time.Millisecond)
		}
	}
	out.Note = reason
	if len(tests) == 0 {
		out.Failed = true
		return nil, nil
	}
	slices.SortStableFunc(tests, func(a, b *Test) int { return int(a.Millis - b.Millis) })
	l.limit(most, took)
	return tests, l.control(ctx, tests, todo, out)
}

// control breaks the files of the mistakes, all at once: they cannot be read, and then, in Go, whose tools refuse a package
// that cannot be read whether its tests use it or not, every function panics. If the tests pass nevertheless,
// they run other code than that of the copy: what they would say of mistakes in it means nothing.
func (l *lab) control(ctx context.Context, tests []*Test, todo []*candidate, out *MutatedSpec) error {
	texts := map[string][]byte{}
	compiled := true
	for _, c := range todo {
		texts[c.file] = c.text
		compiled = compiled && strings.HasSuffix(c.file, ".go")
	}
	ways := []func(text []byte) []byte{func(text []byte) []byte { return append([]byte("}{ )( \n"), text...) }}
	if compiled {
		ways = append(ways, mutation.Panicking)
	}
	for _, broken := range ways {
		pass, err := l.passBroken(ctx, tests, texts, broken)
		if err != nil {
			return err
		}
		if pass {
			out.Failed, out.Note = true, message.Sprintf(ctx, "the tests pass although the code of the copy cannot be read: they run other code, such as that of an installed package")
			return nil
		}
	}
	return nil
}

// passBroken reports whether the tests pass with broken files, which it puts back.
func (l *lab) passBroken(ctx context.Context, tests []*Test, texts map[string][]byte, broken func([]byte) []byte) (pass bool, err error) {
	for file, text := range texts {
		if err := l.put(file, broken(text)); err != nil {
			return false, err
		}
		defer func() { err = errors.Join(err, l.put(file, text)) }()
	}
	j, err := l.judgeAll(ctx, tests, "")
	return j.verdict == Unnoticed, err
}

// sum counts what became of the mistakes.
func (s *MutatedSpec) sum(list []*candidate) {
	for _, c := range list {
		switch c.judgement.verdict {
		case Invalid:
			s.Invalid++
		case Late:
			s.TimedOut++
			s.Noticed++
		case Noticed:
			s.Noticed++
		default:
		}
		if c.judgement.elsewhere {
			s.Elsewhere++
		}
		s.Mutants = append(s.Mutants, c.mutated())
	}
	s.Tried = len(list) - s.Invalid
}

func (c *candidate) mutated() Mutated {
	out := Mutated{
		File: c.file, Line: c.mutant.Line, Symbol: c.symbol, Kind: string(c.mutant.Kind), Was: clip(c.mutant.Before), Now: clip(c.mutant.After),
		Start: c.mutant.Start, End: c.mutant.End, Put: c.mutant.Now,
		Outcome: c.judgement.verdict, By: c.judgement.by, Reason: c.judgement.reason, Elsewhere: c.judgement.elsewhere,
	}
	for _, claim := range c.claims {
		out.Claims = append(out.Claims, claim.ID())
		if claim.Requirement != "" && !slices.Contains(out.Requirements, claim.Requirement) {
			out.Requirements = append(out.Requirements, claim.Requirement)
		}
	}
	return out
}

// recordOf returns what the lock holds of the mistakes.
func recordOf(p *project.Project, s *suite, list []*candidate) []spec.Unnoticed {
	var out []spec.Unnoticed
	at := map[string]int{}
	for _, c := range list {
		if c.judgement.verdict == Invalid {
			continue
		}
		i, known := at[c.file]
		if !known {
			i = len(out)
			at[c.file] = i
			out = append(out, spec.Unnoticed{File: c.file, Of: hashes(p, s, c.file), List: []spec.Mistake{}})
		}
		out[i].Tried++
		if c.judgement.verdict == Unnoticed {
			m := c.mutated()
			out[i].List = append(out[i].List, spec.Mistake{Symbol: m.Symbol, Line: m.Line, Was: m.Was, Now: m.Now, Claims: m.Claims})
		}
	}
	for i := range out {
		slices.SortStableFunc(out[i].List, func(a, b spec.Mistake) int { return a.Line - b.Line })
	}
	return out
}

// hashes returns the hashes of a file and of the tests of a spec.
func hashes(p *project.Project, s *suite, file string) map[string]string {
	out := map[string]string{file: spec.HashOfFile(p, file)}
	for i := range s.Tests {
		for _, r := range s.Tests[i].runs {
			out[r.File] = spec.HashOfFile(p, r.File)
		}
	}
	return out
}

// candidate is a mistake that may be tried.
type candidate struct {
	file      string
	text      []byte // of the file
	mutant    mutation.Mutant
	symbol    string // the function that it is in
	exported  bool   // users can call the function
	claims    []*spec.CurrentClaim
	judgement judgement
}
