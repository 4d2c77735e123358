// Package search finds the nodes of a code graph that match a query.
//
// [Find] ranks symbols by full-text search, which splits identifiers into words, and, if there is an [Embedder], by
// vector search. [Files] groups the hits by file.
package search

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Source is the part of a graph that a search reads; [*snapshot.Snapshot] implements it.
type Source interface {
	// Search returns the best full-text matches for the terms.
	Search(ctx context.Context, terms []snapshot.Term, limit int) (snapshot.Found, error)
	// Nodes returns the nodes with the ids, in order.
	Nodes(ctx context.Context, ids []codegraph.ID, fields ...codegraph.Field) ([]codegraph.Node, error)
}

var _ Source = (*snapshot.Snapshot)(nil)

// Options configure [Find].
type Options struct {
	// Limit is the maximum number of hits; 0 for [DefaultLimit].
	Limit int
	// Meaning adds vector search; nil for full-text search only. [*Vectors] implements it.
	Meaning Meaning
	// Past says how much changes of the past speak for files, from 0 to 1; see [Past].
	Past map[string]float64
}

// Meaning finds the nodes whose embeddings are nearest to that of a text.
type Meaning interface {
	Nearest(ctx context.Context, text string, limit int) ([]snapshot.Hit, error)
}

// MeaningError says that the vector search failed.
type MeaningError struct{ Reason error }

func (e *MeaningError) Error() string {
	return e.text().String()
}

// In implements [message.Localizer].
func (e *MeaningError) In(lang message.Lang) string { return e.text().In(lang) }

func (e *MeaningError) text() message.Text {
	return message.New("searched by words alone, not by meaning: %v", e.Reason)
}

func (e *MeaningError) Unwrap() error { return e.Reason }

// DefaultLimit is the default maximum number of hits.
const DefaultLimit = 50

// Hit is a node that matches a query.
type Hit struct {
	ID codegraph.ID
	// Score is in (0, 1] and does not increase from hit to hit. The best hit's score is the probability that it is an
	// answer (of vector search, its rank).
	Score float64
	Ranks Ranks
}

// Ranks are the 1-based ranks of a hit in the merged rankings; 0 if it is not in a ranking.
type Ranks struct {
	Words   int // full-text search
	Vectors int // vector search
}

// Find returns the nodes that match a query, best first. No hits is not an error. A [*MeaningError] comes with the
// hits of the full-text search; other errors come without hits.
func Find(ctx context.Context, src Source, query string, opts Options) ([]Hit, error) {
	limit := cmp.Or(opts.Limit, DefaultLimit)
	hits, err := byWords(ctx, src, query, limit, opts.Past)
	if err != nil {
		return nil, message.Errorf("search: %w", err)
	}
	var unasked error
	if opts.Meaning != nil {
		near, err := byMeaning(ctx, src, opts.Meaning, query, max(overfetch*limit, minDepth))
		if ctx.Err() != nil {
			return nil, message.Errorf("search: %w", ctx.Err())
		}
		if err != nil {
			unasked = &MeaningError{err}
		} else {
			hits = fuse(hits, near)
		}
	}
	return hits[:min(limit, len(hits))], unasked
}

// The depth of the rankings from which the best hits are selected.
const (
	overfetch = 4   // multiple of the limit
	minDepth  = 200 // minimum
)

// byWords returns the results of the full-text search, with what the past says of files.
func byWords(ctx context.Context, src Source, query string, limit int, past map[string]float64) ([]Hit, error) {
	m, err := matching(ctx, src, query, max(overfetch*limit, minDepth), past)
	if m == nil || err != nil {
		return nil, err
	}
	if IsTask(query) {
		return ranked(m.ofTask(), &m.found), nil
	}
	return ranked(m.ofSubject(), &m.found), nil
}

// matching returns what a search for words finds; nil if that is nothing.
func matching(ctx context.Context, src Source, query string, limit int, past map[string]float64) (*matches, error) {
	found, err := src.Search(ctx, termsOf(query), limit)
	if err != nil || len(found.Symbols)+len(found.Files) == 0 {
		return nil, err
	}
	all := append(found.Symbols, found.Files...)
	ids := make([]codegraph.ID, len(all))
	for i, h := range all {
		ids[i] = h.ID
	}
	nodes, err := src.Nodes(ctx, ids)
	if err != nil {
		return nil, err
	}
	return &matches{query: query, found: found, symbols: nodes[:len(found.Symbols)], files: nodes[len(found.Symbols):], past: past}, nil
}

// namedBy returns a predicate for nodes whose name, possibly qualified, is the whole query: "Unmarshal",
// "json.Unmarshal", "Decoder::decode()".
func namedBy(question string) func(n *codegraph.Node) bool {
	plain := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
	parts := strings.FieldsFunc(plain(strings.TrimSuffix(strings.TrimSpace(question), "()")), func(r rune) bool { return strings.ContainsRune(".:/#", r) })
	return func(n *codegraph.Node) bool {
		if len(parts) == 0 || parts[len(parts)-1] != plain(n.Name) {
			return false
		}
		around := strings.Split(plain(n.QualifiedName), ".")
		return !slices.ContainsFunc(parts, func(part string) bool { return !slices.Contains(around, part) })
	}
}

// best returns the maximum of list, at least a small positive number.
func best(list iter.Seq[float64]) float64 {
	most := math.SmallestNonzeroFloat32
	for x := range list {
		most = max(most, x)
	}
	return most
}

// ranked sorts hits and scales the scores so that the best is the probability that it is an answer.
func ranked(hits []Hit, found *snapshot.Found) []Hit {
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	ahead := 1.0
	if len(hits) > 1 {
		ahead = 1 - hits[1].Score/hits[0].Score
	}
	scale := probability(found, ahead) / hits[0].Score
	for i := range hits {
		hits[i].Score *= scale
		hits[i].Ranks.Words = i + 1
	}
	return hits
}

// probability returns how likely the best hit is an answer, by how much of the question the best match has, and by how
// far the hit is ahead of the next one. It is a logistic regression on the questions of the repositories that
// docs/retrieval.md names as tuned. It is at most the share of the words that the graph knows.
func probability(found *snapshot.Found, ahead float64) float64 {
	const none, matches, leads = -0.88, 2.7, 5.5
	most := 0.0
	if len(found.Symbols) > 0 {
		most = found.Symbols[0].Score / max(found.Most, math.SmallestNonzeroFloat32)
	}
	return min(found.Known, 1/(1+math.Exp(-(none+matches*most+leads*ahead))))
}

// priors are the probabilities that a query is about a node with a label: most are about code with behaviour.
var priors = map[codegraph.Label]float64{
	codegraph.LabelFunction: 1, codegraph.LabelMethod: 1,
	codegraph.LabelClass: 0.8, codegraph.LabelInterface: 0.8, codegraph.LabelType: 0.8, codegraph.LabelEnum: 0.8, codegraph.LabelUnion: 0.8,
	codegraph.LabelVariable: 0.6, codegraph.LabelModule: 0.3,
}

// defaultPrior is the prior of nodes that are not code: folders, packages, other files.
const defaultPrior = 0.2

func prior(n *codegraph.Node) float64 {
	return cmp.Or(priors[n.Label], defaultPrior) * testFactor(n)
}

// testFactor returns a factor below 1 for tests, because a test has the words of what it tests.
func testFactor(n *codegraph.Node) float64 {
	if n.Test {
		return 0.4
	}
	return 1
}
