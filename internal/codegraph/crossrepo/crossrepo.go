// Package crossrepo finds what repositories use of each other.
//
// A federation is a file that names repositories; see [ReadConfig]. [Run] brings the
// code graph of each up to date and looks at what each publishes: contracts that are
// files of their own (protocol buffers, OpenAPI, GraphQL) and code (Go modules, npm
// packages and their declarations, Python distributions, Java packages). What the
// others use of it becomes virtual edges, kept with the graph of the repository that
// uses; see [store.VirtualEdge].
//
// Code is linked across repositories as within one: their files are made one project
// in which the imports of the others' packages lead somewhere, so that a call through
// a declared type is found and one by a name that merely looks alike is not. Contracts
// are found by the names that generators of clients give, by paths and ids, and by the
// fields of operations. Every edge says by which rule it was found and what its
// confidence is made of; see [Confidence].
package crossrepo

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Options change how [Run] works.
type Options struct {
	Index  index.Options
	DryRun bool // store no virtual edges
	Now    func() time.Time
}

// Run brings the graphs of a federation's repositories up to date, finds the edges
// between them and stores those of each with its graph, in the place of those before.
// Progress is reported as the stages of indexing and "federate". The errors are those
// of reading the contracts' folders, of [index.Run] and the store, and the context's;
// a contract that cannot be read is a warning.
func Run(ctx context.Context, c *Config, s store.Store, opts Options) (report *Report, err error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	configs, err := discovered(c)
	if err != nil {
		return nil, err
	}
	f := &federation{kinds: kinds(), edges: map[int]map[string]*store.VirtualEdge{}, depends: map[[2]int]bool{}, report: &Report{Config: c.Path, Edges: []store.VirtualEdge{}}}
	defer func() {
		for _, r := range f.repos {
			err = errors.Join(err, r.close())
		}
	}()
	for i, config := range configs {
		r, err := open(ctx, s, config, i, opts.Index)
		if err != nil {
			return nil, err
		}
		f.repos = append(f.repos, r)
		if err := f.contracts(ctx, r); err != nil {
			return nil, message.Errorf("repository %s: %w", r.Name, err)
		}
	}
	if err := f.find(ctx); err != nil {
		return nil, message.Errorf("federate: %w", err)
	}
	if err := f.settle(ctx, opts); err != nil {
		return nil, message.Errorf("federate: %w", err)
	}
	return f.report, nil
}

// federation is a run under way.
type federation struct {
	kinds    []kind
	repos    []*repository
	joint    *joint
	depends  map[[2]int]bool                       // which repository's manifests name which
	matchers map[int][]finder                      // of each repository: for what the others have
	edges    map[int]map[string]*store.VirtualEdge // by source repository and id
	report   *Report
}

// finder finds the uses of what the others have of a kind.
type finder struct {
	kind  *kind
	match matcher
}

// find looks for the uses of every repository in every other.
func (f *federation) find(ctx context.Context) error {
	var err error
	if f.joint, err = join(ctx, f.repos); err != nil {
		return err
	}
	f.prepare()
	for i, r := range f.repos {
		r.services = f.joint.servicesIn(r)
		for k, other := range f.repos {
			f.depends[[2]int{i, k}] = i != k && r.depends(other)
		}
	}
	for _, r := range f.repos {
		if err := f.search(ctx, r); err != nil {
			return message.Errorf("repository %s: %w", r.Name, err)
		}
	}
	return nil
}

// prepare makes the matchers of each repository: of the contracts of all others. A
// contract that several have a copy of is that of the first.
func (f *federation) prepare() {
	f.matchers = map[int][]finder{}
	for i := range f.kinds {
		k := &f.kinds[i]
		if k.matcher == nil {
			continue
		}
		var all []*owned
		seen := map[[2]string]*repository{}
		for _, r := range f.repos {
			for _, c := range r.contracts {
				for i := range c.Symbols {
					s := &owned{&c.Symbols[i], r, c.Path}
					key := [2]string{s.Name, s.Signature}
					if first := seen[key]; c.Type != k.name || first != nil && first != r {
						continue
					}
					seen[key] = r
					all = append(all, s)
				}
			}
		}
		for _, r := range f.repos {
			others := slices.DeleteFunc(slices.Clone(all), func(s *owned) bool { return s.repo == r })
			if len(others) > 0 {
				f.matchers[r.place] = append(f.matchers[r.place], finder{k, k.matcher(others)})
			}
		}
	}
}

// id is the same for the same ends, type and contract.
func id(e *store.VirtualEdge) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{e.SourceRepo, e.SourceSymbol, e.TargetRepo, e.TargetSymbol, string(e.Type), e.Contract}, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// add takes an edge of a repository, where it is sure enough. Of several between the
// same ends the surest counts, and of those the first in the file.
func (f *federation) add(r *repository, e store.VirtualEdge) {
	e.Confidence, e.Level = Confidence(e.ExactMatch, e.SignatureSimilarity, e.ContractBonus)
	if e.Confidence < Threshold {
		f.report.Below++
		return
	}
	e.SourceRepo = r.Name
	e.ID = id(&e)
	if f.edges[r.place] == nil {
		f.edges[r.place] = map[string]*store.VirtualEdge{}
	}
	old := f.edges[r.place][e.ID]
	if old == nil || cmp.Or(cmp.Compare(old.Confidence, e.Confidence), cmp.Compare(e.SourceFile, old.SourceFile), cmp.Compare(e.SourceLine, old.SourceLine)) < 0 {
		f.edges[r.place][e.ID] = &e
	}
}
