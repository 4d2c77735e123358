// Package search finds the code that a question is about.
//
// [Find] ranks the symbols of a code graph: by the words of the question, which know
// how names in code are made, and, where there is an [Embedder], by what it means.
// [Files] draws the symbols of one answer together into files.
package search

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Source is what a search reads of a code graph; a [*snapshot.Snapshot] is one.
type Source interface {
	// Search returns the nodes that the terms describe best.
	Search(ctx context.Context, terms []snapshot.Term, limit int) (snapshot.Found, error)
	// Nodes returns the nodes of some ids, in their order.
	Nodes(ctx context.Context, ids []codegraph.ID, fields ...codegraph.Field) ([]codegraph.Node, error)
}

var _ Source = (*snapshot.Snapshot)(nil)

// Options change what [Find] looks for.
type Options struct {
	// Limit is how many hits there are at most; 0 for [DefaultLimit]. Whoever wants
	// files takes more hits than they want files: [ForFiles].
	Limit int
	// Meaning finds nodes by what a question means; nil for words alone. [*Vectors] do.
	Meaning Meaning
}

// Meaning finds the nodes that mean most nearly what a text does.
type Meaning interface {
	Nearest(ctx context.Context, text string, limit int) ([]snapshot.Hit, error)
}

// MeaningError says that the question's meaning could not be asked for.
type MeaningError struct{ Reason error }

func (e *MeaningError) Error() string {
	return e.text().String()
}

// In is the error in a language.
func (e *MeaningError) In(lang message.Lang) string { return e.text().In(lang) }

func (e *MeaningError) text() message.Text {
	return message.New("searched by words alone, not by meaning: %v", e.Reason)
}

func (e *MeaningError) Unwrap() error { return e.Reason }

// How many hits there are at most: unless told otherwise, and as [Files] needs them.
const (
	DefaultLimit = 50
	ForFiles     = 500
)

// Hit is a node that answers a question.
type Hit struct {
	ID codegraph.ID
	// Score is in (0, 1] and falls from hit to hit. It compares the hits of one
	// answer: the best has the share of the question's words that the graph knows, and
	// half the score is half as good.
	Score float64
	// Own is what the node itself has to do with the question, whatever it is and
	// wherever it stands, in [0, 1]; 0 for a module, which is its file.
	Own float64
	// File is what the node's file as a whole has to do with the question, in [0, 1],
	// where 1 is the best file.
	File  float64
	Ranks Ranks
}

// Ranks are the places of a hit in the lists that were joined, from 1; 0 where it is
// not in a list.
type Ranks struct {
	Words   int // by the words of the question
	Vectors int // by its meaning, as an [Embedder] has it
}

// Find returns the nodes that a question is about, the best first. A question
// without a word that is in the graph finds nothing by words, which is no error. A
// [*MeaningError] comes with the hits by words; other errors come without any.
func Find(ctx context.Context, src Source, query string, opts Options) ([]Hit, error) {
	limit := cmp.Or(opts.Limit, DefaultLimit)
	hits, whole, err := byWords(ctx, src, query, limit)
	if err != nil {
		return nil, message.Errorf("search: %w", err)
	}
	var unasked error
	if opts.Meaning != nil {
		near, err := byMeaning(ctx, src, opts.Meaning, query, max(deeper*limit, depth))
		if ctx.Err() != nil {
			return nil, message.Errorf("search: %w", ctx.Err())
		}
		if err != nil {
			unasked = &MeaningError{err}
		} else {
			hits = fuse(hits, near, whole)
		}
	}
	return hits[:min(limit, len(hits))], unasked
}

// How deep the lists are from which the best hits are chosen.
const (
	deeper = 4   // times what is wanted
	depth  = 200 // at least
)

// inFile is how much a node's file counts beside the node itself.
const inFile = 0.34

// byWords returns the nodes that a question's words describe, and what files do by
// theirs.
func byWords(ctx context.Context, src Source, query string, limit int) (hits []Hit, whole map[string]float64, err error) {
	found, err := src.Search(ctx, termsOf(query), max(deeper*limit, depth))
	if err != nil || len(found.Symbols)+len(found.Files) == 0 {
		return nil, nil, err
	}
	all := append(found.Symbols, found.Files...)
	ids := make([]codegraph.ID, len(all))
	for i, h := range all {
		ids[i] = h.ID
	}
	nodes, err := src.Nodes(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	symbols, files := nodes[:len(found.Symbols)], nodes[len(found.Symbols):]
	whole = map[string]float64{} // what a file scores
	for i, f := range files {
		whole[f.Path] = found.Files[i].Score * ofTest(&f)
	}
	best := best(maps.Values(whole))
	for path := range whole {
		whole[path] /= best
	}
	hits = make([]Hit, 0, len(all))
	named := namedBy(query)
	for i, n := range symbols {
		own, file := found.Symbols[i].Score/found.Symbols[0].Score, whole[n.Path]
		score := own + inFile*file
		if named(&n) {
			score += 1 + inFile
		}
		hits = append(hits, Hit{ID: n.ID, Score: score * prior(&n), Own: own * ofTest(&n), File: file})
	}
	for _, n := range files {
		hits = append(hits, Hit{ID: n.ID, Score: (1 + inFile) * whole[n.Path] * prior(&n), File: whole[n.Path]})
	}
	return ranked(hits, found.Known), whole, nil
}

// namedBy returns what reports whether a question is nothing but a node's name, perhaps
// with names that are around it: "Unmarshal", "json.Unmarshal", "Decoder::decode()".
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

// best returns the greatest of some numbers, at least a little.
func best(list iter.Seq[float64]) float64 {
	most := math.SmallestNonzeroFloat32
	for x := range list {
		most = max(most, x)
	}
	return most
}

// ranked sorts hits and makes share the score of the best.
func ranked(hits []Hit, share float64) []Hit {
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	for i := range slices.Backward(hits) {
		hits[i].Score *= share / hits[0].Score
		hits[i].Ranks.Words = i + 1
	}
	return hits
}

// priors say how likely it is that a question is about a node, by its label: most
// are about what code does.
var priors = map[codegraph.Label]float64{ //nolint:gochecknoglobals // a table
	codegraph.LabelFunction: 1, codegraph.LabelMethod: 1,
	codegraph.LabelClass: 0.8, codegraph.LabelInterface: 0.8, codegraph.LabelType: 0.8, codegraph.LabelEnum: 0.8, codegraph.LabelUnion: 0.8,
	codegraph.LabelVariable: 0.6, codegraph.LabelModule: 0.3,
}

// otherwise is the prior of nodes that are no code: folders, packages, other files.
const otherwise = 0.2

func prior(n *codegraph.Node) float64 {
	return cmp.Or(priors[n.Label], otherwise) * ofTest(n)
}

// ofTest is how much less a test counts: it has the words of what it tests.
func ofTest(n *codegraph.Node) float64 {
	if n.Test {
		return 0.5
	}
	return 1
}
