// Package crossrepo finds the dependencies between repositories of a federation.
//
// A federation is configured in a file that lists its repositories; see [ReadConfig]. [Run] updates the code graph
// of each and collects what each publishes: contract files (protocol buffers, OpenAPI, GraphQL) and code (Go
// modules, npm packages and their declarations, Python distributions, Java packages). Uses by other repositories
// become virtual edges, stored with the graph of the using repository; see [store.VirtualEdge].
//
// Code is linked across repositories as within one: all files form one project in which imports of the other
// repositories' packages resolve. A call is therefore found by the declared type of its receiver and not by a
// similar name. Uses of contracts are found by the names that client generators produce, by paths and ids, and by
// the fields of GraphQL operations. Every edge records its rule and the parts of its confidence; see [Confidence].
//
// GraphQL and protocol buffers are read by readers of our own (graphql.go, proto.go over token.go). A broken schema
// still yields what precedes the error, and a file may mix definitions and operations: gqlparser (vektah, 2.5.64)
// returns no document at all for either. The parser of protocompile (bufbuild, 0.14.1) adds 3.3 MB to a program, for
// the 145 lines of proto.go.
package crossrepo

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Options configure [Run].
type Options struct {
	Index  index.Options
	DryRun bool // do not store the edges
	Now    func() time.Time
}

// Run updates the graphs of a federation's repositories, finds the edges between them and replaces the stored ones.
// Progress is reported as the stages of indexing and "federate". Errors come from reading the contract folders,
// from [index.Run], the store and the context; a contract that cannot be read gives a warning.
func Run(ctx context.Context, c *Config, s store.Store, opts Options) (report *Report, err error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	configs, err := discovered(c)
	if err != nil {
		return nil, err
	}
	f := newFederation()
	f.ordered, f.report.Config = true, c.Path
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
	if err := f.storeEdges(ctx, opts); err != nil {
		return nil, message.Errorf("federate: %w", err)
	}
	return f.report, nil
}

// federation is a run in progress.
type federation struct {
	kinds    []kind
	repos    []*repository
	joint    *linkedWorkspace
	depends  map[[2]int]bool                       // whether a repository's manifests require another repository
	matchers map[int][]finder                      // by repository: for the contracts of the others
	edges    map[int]map[string]*store.VirtualEdge // by source repository and edge id
	found    []found                               // in the repository that is searched
	ordered  bool                                  // a contract that several repositories have may be that of the first
	report   *Report
}

func newFederation() *federation {
	return &federation{
		kinds: kinds(), edges: map[int]map[string]*store.VirtualEdge{}, depends: map[[2]int]bool{}, matchers: map[int][]finder{},
		report: &Report{Edges: []store.VirtualEdge{}},
	}
}

// finder finds the uses of contracts of one kind.
type finder struct {
	kind  *kind
	match matcher
}

// find searches every repository for uses of every other.
func (f *federation) find(ctx context.Context) error {
	var err error
	if f.joint, err = linkRepositories(ctx, f.repos); err != nil {
		return err
	}
	for i, r := range f.repos {
		r.services = f.joint.servicesIn(r)
		for k, other := range f.repos {
			f.depends[[2]int{i, k}] = i != k && r.depends(other)
		}
	}
	for _, r := range f.repos {
		if err := f.prepare(ctx, r); err != nil {
			return message.Errorf("repository %s: %w", r.Name, err)
		}
		if err := f.search(ctx, r); err != nil {
			return message.Errorf("repository %s: %w", r.Name, err)
		}
	}
	return nil
}

// id returns the id of an edge, which depends only on its ends, type and contract.
func id(e *store.VirtualEdge) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{e.SourceRepo, e.SourceSymbol, e.TargetRepo, e.TargetSymbol, string(e.Type), e.Contract}, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// add adds an edge of a repository if its confidence suffices. Of several edges between the same ends it keeps the
// one with the highest confidence, then the first in the file.
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
