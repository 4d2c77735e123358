// Package adopt links specs that people wrote to the code and the tests that they are about, and keeps the links that a person
// accepts or rejects. It proposes links with package link, and keeps them with package adopted; not a byte of a spec changes.
package adopt

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/internal/adopt/choose"
	"github.com/reverse-spec/reverse-spec/internal/adopt/link"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/handwritten"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// DefaultConfidence is the least confidence of links that are accepted unseen.
const DefaultConfidence = 0.62

// Options are the options of [Run].
type Options struct {
	Yes           bool     // accept the links of at least MinConfidence
	MinConfidence float64  // 0 for [DefaultConfidence]; others are shown only if they are at least [link.Least]
	Accept        []string // ids of links to accept
	Reject        []string // ids of links to reject
	// Decide is asked for each link that is new, in order; nil to ask nobody.
	Decide func(s *Spec, r *Requirement, l *Link) (Decision, error)
	// Choose asks a model which candidates belong to a requirement; nil for none. It returns their indexes.
	Choose func(ctx context.Context, requirement string, list []choose.Candidate) ([]int, error)
	Now    func() time.Time
}

// Decision is what a person says of a link.
type Decision int

// The decisions.
const (
	Later  Decision = iota // nothing is kept
	Accept                 // the link is right
	Reject                 // the link is wrong, and is not to be proposed again
	Stop                   // ask no more; what was decided is kept
)

// State is what is known of a link.
type State string

// The states.
const (
	Proposed State = "proposed"
	Accepted State = "accepted"
	Rejected State = "rejected"
	Gone     State = "gone" // it was accepted, and the code or the test is not there any more
)

// Link is a requirement's link.
type Link struct {
	ID         string   `json:"id"`
	State      State    `json:"state"`
	Test       bool     `json:"test"`
	Place      string   `json:"place"` // file:line
	Symbol     string   `json:"symbol,omitempty"`
	Confidence float64  `json:"confidence"`
	Reasons    []string `json:"reasons"`
	Scenarios  []string `json:"scenarios,omitempty"` // ids of those that the reasons are from

	link lock.Link
}

// Requirement is a requirement with its links.
type Requirement struct {
	handwritten.Requirement
	// State is "linked", "not found", or "proposed" if no link is accepted yet.
	State string `json:"state"`
	// Changed is set if its text changed since its links were accepted.
	Changed bool   `json:"changed,omitempty"`
	Links   []Link `json:"links"` // never nil; those to code first, each the most certain first
}

// States of a requirement.
const (
	Linked   = "linked"
	Open     = "proposed"
	NotFound = "not implemented or not found"
)

// Spec is a spec with its requirements.
type Spec struct {
	Path         string           `json:"path"`
	Form         handwritten.Form `json:"form"`
	Lock         string           `json:"lock"`
	Adopted      bool             `json:"adopted"` // it has a lock
	Requirements []Requirement    `json:"requirements"`
	Gone         []string         `json:"goneRequirements,omitempty"` // ids with accepted links that the spec does not have any more
}

// Unspecified is behaviour of linked code that no requirement is linked to.
type Unspecified struct {
	Place  string `json:"place"`
	Symbol string `json:"symbol,omitempty"`
	Says   string `json:"says"`
}

// Summary counts.
type Summary struct {
	Specs        int `json:"specs"`
	Requirements int `json:"requirements"`
	Scenarios    int `json:"scenarios"`
	Linked       int `json:"linked"`   // requirements with an accepted link
	Proposed     int `json:"proposed"` // requirements with none, and one that may be accepted
	NotFound     int `json:"notFound"`
	Links        int `json:"links"` // accepted
	New          int `json:"new"`   // proposed
	Unspecified  int `json:"unspecified"`
}

// Result is what was found and kept.
type Result struct {
	Specs       []Spec        `json:"specs"`
	Unspecified []Unspecified `json:"unspecified"`
	Summary     Summary       `json:"summary"`
	Written     []string      `json:"written"` // locks
	// MinConfidence is what a link needs to be accepted with Yes.
	MinConfidence float64      `json:"minConfidence"`
	Warnings      []string     `json:"warnings"`
	Lang          message.Lang `json:"-"`
}

// Run links the specs at paths, files or folders, and keeps what is accepted or rejected. Without any decision nothing is written.
func Run(ctx context.Context, p *project.Project, paths []string, opts Options) (*Result, error) {
	if opts.MinConfidence == 0 {
		opts.MinConfidence = DefaultConfidence
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	r := &run{project: p, opts: opts, surfaces: map[string]drift.Surface{}, excerpts: map[string]string{}, out: &Result{
		Specs: []Spec{}, Unspecified: []Unspecified{}, Written: []string{}, Warnings: []string{}, MinConfidence: opts.MinConfidence, Lang: message.From(ctx),
	}}
	written, err := r.specs(ctx, paths)
	if err != nil {
		return nil, err
	}
	if err := r.propose(ctx, written); err != nil {
		return nil, err
	}
	if err := r.choose(ctx); err != nil {
		return nil, err
	}
	if err := r.decide(); err != nil {
		return nil, err
	}
	if err := r.save(ctx); err != nil {
		return nil, err
	}
	if err := r.unspecified(ctx); err != nil {
		return nil, err
	}
	r.count()
	return r.out, nil
}

// run is one call of [Run].
type run struct {
	project *project.Project
	opts    Options
	out     *Result
	tree    *source.Tree
	known   map[string]*adopted.Spec // by path
	touched map[string]bool          // specs with a decision

	surfaces map[string]drift.Surface // by folder
	excerpts map[string]string        // the beginning of the text of what is proposed, by the id of the link
}

func (r *run) warn(t message.Text) { r.out.Warnings = append(r.out.Warnings, t.In(r.out.Lang)) }

// specs reads the specs at paths.
func (r *run) specs(ctx context.Context, paths []string) ([]*handwritten.Spec, error) {
	var out []*handwritten.Spec
	for _, name := range paths {
		rel, err := r.project.Rel(name)
		if err != nil {
			return nil, err
		}
		l, err := r.project.List(ctx, rel)
		if err != nil {
			return nil, err
		}
		if l.File {
			s, err := r.read(rel)
			if err != nil {
				return nil, message.Errorf("%s: %w", rel, err)
			}
			out = append(out, s)
			continue
		}
		n := len(out)
		whole := map[string]bool{} // folders with a file that is the spec
		for _, f := range l.Files {
			whole[path.Dir(f.Path)] = whole[path.Dir(f.Path)] || isSpec(f.Path)
		}
		for _, f := range l.Files {
			if whole[path.Dir(f.Path)] && !isSpec(f.Path) {
				continue
			}
			if s, err := r.read(f.Path); err == nil && s.Form != handwritten.Plain && !isChange(rel, f.Path) {
				out = append(out, s)
			}
		}
		if len(out) == n {
			return nil, message.Errorf("%s: no spec in the form of OpenSpec, Spec Kit or Kiro is there; name a file of Markdown to adopt that", rel)
		}
	}
	slices.SortFunc(out, func(a, b *handwritten.Spec) int { return cmp.Compare(a.Path, b.Path) })
	return slices.CompactFunc(out, func(a, b *handwritten.Spec) bool { return a.Path == b.Path }), nil
}

// isSpec reports whether a file has the name of a spec in OpenSpec's, Spec Kit's or Kiro's layout. What is beside it is about it: a design,
// a plan, research.
func isSpec(file string) bool {
	return path.Base(file) == "spec.md" || path.Base(file) == "requirements.md"
}

// isChange reports whether a spec in a folder is only proposed, by OpenSpec's layout; the folder of the change itself may be named.
func isChange(folder, file string) bool {
	return strings.Contains("/"+strings.TrimPrefix(file, folder), "/changes/")
}

// errOwn is returned for a page of this program.
var errOwn = message.Errorf("reverse-spec wrote it, and keeps it true already")

// read reads a spec that a person wrote.
func (r *run) read(file string) (*handwritten.Spec, error) {
	if ext := strings.ToLower(path.Ext(file)); ext != ".md" && ext != ".markdown" {
		return nil, message.Errorf("not Markdown")
	}
	if strings.HasSuffix(file, spec.Suffix) {
		return nil, errOwn
	}
	text, err := r.project.ReadUpTo(file, handwritten.MaxSize)
	if err != nil {
		return nil, err
	}
	if len(spec.ModulesOfForm(text)) > 0 {
		return nil, errOwn
	}
	return handwritten.Parse(file, text)
}

// propose links the requirements of specs.
func (r *run) propose(ctx context.Context, list []*handwritten.Spec) (err error) {
	if r.tree, err = source.Read(ctx, r.project, ".", source.Options{Scope: source.Everything, Parts: lang.Hashes}); err != nil {
		return err
	}
	r.known, r.touched = map[string]*adopted.Spec{}, map[string]bool{}
	corpus := link.New(r.tree.Files, func(file string) []byte {
		text, err := r.project.ReadFile(file)
		if err != nil {
			return nil
		}
		return source.Redacted(file, text)
	})
	plans, err := r.plans(ctx, list)
	if err != nil {
		return err
	}
	corpus.Plan(plans)
	for _, w := range list {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s := Spec{Path: w.Path, Form: w.Form, Lock: adopted.LockPath(w.Path), Requirements: []Requirement{}}
		known, err := adopted.Open(r.project, w.Path)
		switch {
		case err == nil:
			s.Adopted, r.known[w.Path] = true, known
		case !adopted.IsAbsent(err):
			return err
		}
		r.add(&s, w, known, corpus)
		r.out.Specs = append(r.out.Specs, s)
	}
	return nil
}

// add adds the requirements of a spec with what is known of their links, and what is new.
func (r *run) add(s *Spec, w *handwritten.Spec, known *adopted.Spec, corpus *link.Corpus) {
	proposals := map[string][]link.Link{}
	for _, l := range corpus.Links(w, r.opts.Choose != nil) {
		proposals[l.Requirement] = append(proposals[l.Requirement], l)
	}
	places := corpus.Places()
	for i := range w.Requirements {
		q := Requirement{Requirement: w.Requirements[i], Links: []Link{}}
		seen := map[string]bool{}
		if known != nil {
			for _, k := range known.Lock.Links {
				if k.Requirement == q.ID {
					l := r.linkOf(k, places)
					seen[l.ID] = true
					q.Links = append(q.Links, l)
				}
			}
			for _, k := range known.Lock.Requirements {
				q.Changed = q.Changed || k.ID == q.ID && k.Hash != adopted.Hash(&q.Requirement)
			}
		}
		for _, l := range proposals[q.ID] {
			if l := r.proposal(&l); !seen[l.ID] {
				q.Links = append(q.Links, l)
			}
		}
		sortLinks(q.Links)
		s.Requirements = append(s.Requirements, q)
	}
	if known != nil {
		for _, k := range known.Lock.Requirements {
			if !slices.ContainsFunc(w.Requirements, func(q handwritten.Requirement) bool { return q.ID == k.ID }) {
				s.Gone = append(s.Gone, k.ID)
			}
		}
	}
}

func sortLinks(list []Link) {
	slices.SortStableFunc(list, func(a, b Link) int {
		if a.Test != b.Test {
			if b.Test {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Confidence, a.Confidence)
	})
}

// idOf returns the id of a link, which is stable as long as what it links has its names.
func idOf(l *lock.Link) string {
	sum := sha256.Sum256([]byte(l.Requirement + "\x00" + l.File + "\x00" + l.Symbol))
	return hex.EncodeToString(sum[:4])
}

// linkOf returns a link that was decided.
func (r *run) linkOf(k lock.Link, places map[string]string) Link {
	l := Link{ID: idOf(&k), State: Accepted, Test: k.Test, Symbol: k.Symbol, Confidence: k.Confidence, link: k}
	place, there := places[k.File+"#"+k.Symbol]
	l.Place = cmp.Or(place, k.File)
	switch {
	case k.Rejected:
		l.State = Rejected
	case !there:
		l.State = Gone
	}
	r.explain(&l)
	return l
}

// proposal returns a link that nobody decided yet.
func (r *run) proposal(p *link.Link) Link {
	k := lock.Link{Requirement: p.Requirement, File: p.Unit.File, Symbol: p.Unit.Symbol, Test: p.Unit.Test, Confidence: rounded(p.Confidence)}
	for _, why := range p.Reasons {
		k.Reasons = append(k.Reasons, lock.Reason{Kind: string(why.Kind), Value: why.Value, In: why.In})
	}
	l := Link{ID: idOf(&k), State: Proposed, Test: k.Test, Place: p.Unit.Place(), Symbol: k.Symbol, Confidence: k.Confidence, link: k}
	r.explain(&l)
	if r.opts.Choose != nil {
		r.excerpts[l.ID] = p.Unit.Excerpt()
	}
	return l
}

// rounded rounds to two digits. No link is certain.
func rounded(v float64) float64 { return math.Min(0.99, math.Round(v*100)/100) }

// explain puts the reasons of a link into words.
func (r *run) explain(l *Link) {
	l.Reasons = []string{}
	for _, why := range l.link.Reasons {
		l.Reasons = append(l.Reasons, link.Words(link.AnchorKind(why.Kind), why.Value).In(r.out.Lang))
		if why.In != "" && !slices.Contains(l.Scenarios, why.In) {
			l.Scenarios = append(l.Scenarios, why.In)
		}
	}
}

// decide applies the decisions.
func (r *run) decide() error {
	asked := map[string]bool{}
	ask := r.opts.Decide
	for i := range r.out.Specs {
		s := &r.out.Specs[i]
		for j := range s.Requirements {
			q := &s.Requirements[j]
			for k := range q.Links {
				l := &q.Links[k]
				asked[l.ID] = true
				d, err := r.decision(s, q, l, &ask)
				if err != nil {
					return err
				}
				r.apply(s, l, d)
			}
			q.State = stateOf(q.Links, r.opts.MinConfidence)
		}
	}
	for _, id := range slices.Concat(r.opts.Accept, r.opts.Reject) {
		if !asked[id] {
			return message.Errorf("no link has the id %s; adopt lists them", id)
		}
	}
	return nil
}

// decision returns what is to be done with a link.
func (r *run) decision(s *Spec, q *Requirement, l *Link, ask *func(*Spec, *Requirement, *Link) (Decision, error)) (Decision, error) {
	switch {
	case slices.Contains(r.opts.Reject, l.ID):
		return Reject, nil
	case slices.Contains(r.opts.Accept, l.ID):
		return Accept, nil
	case l.State != Proposed:
		return Later, nil
	case r.opts.Yes && l.Confidence >= r.opts.MinConfidence:
		return Accept, nil
	case *ask == nil:
		return Later, nil
	}
	d, err := (*ask)(s, q, l)
	if d == Stop {
		*ask = nil
	}
	return d, err
}

// apply notes a decision.
func (r *run) apply(s *Spec, l *Link, d Decision) {
	switch d {
	case Accept:
		if l.State == Proposed || l.State == Rejected {
			l.State, l.link.Rejected = Accepted, false
			r.touched[s.Path] = true
		}
	case Reject:
		if l.State != Rejected {
			l.State, l.link.Rejected = Rejected, true
			r.touched[s.Path] = true
		}
	case Later, Stop:
	}
}

// stateOf returns what is known of a requirement with links.
func stateOf(list []Link, least float64) string {
	open := false
	for i := range list {
		switch {
		case list[i].State == Accepted:
			return Linked
		case list[i].State == Proposed && list[i].Confidence >= least:
			open = true
		}
	}
	if open {
		return Open
	}
	return NotFound
}

// count fills in the summary.
func (r *run) count() {
	c := &r.out.Summary
	c.Specs, c.Unspecified = len(r.out.Specs), len(r.out.Unspecified)
	for i := range r.out.Specs {
		for _, q := range r.out.Specs[i].Requirements {
			c.Requirements++
			c.Scenarios += len(q.Scenarios)
			switch q.State {
			case Linked:
				c.Linked++
			case Open:
				c.Proposed++
			default:
				c.NotFound++
			}
			for _, l := range q.Links {
				switch l.State {
				case Accepted:
					c.Links++
				case Proposed:
					c.New++
				case Rejected, Gone:
				}
			}
		}
	}
}
