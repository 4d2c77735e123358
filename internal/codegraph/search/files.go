package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// FileHit is a file that matches a query.
type FileHit struct {
	Path  string
	Score float64 // as for a hit
	Hits  []Hit   // in the file, best first
}

// Parameters of the score of a file: parts is the weight of its hits relative to the whole text, and each further
// hit counts next times the one before.
const (
	parts = 0.54
	next  = 0.5
)

// folders are the labels of nodes whose path is not a file.
var folders = []codegraph.Label{codegraph.LabelFolder, codegraph.LabelPackage}

// Files groups hits by file, best file first. Nodes are those of the hits, in the same order. Hits without a file
// are left out.
func Files(hits []Hit, nodes []codegraph.Node) []FileHit {
	at := map[string]int{}
	var files []FileHit
	for i, h := range hits {
		path := nodes[i].Path
		if path == "" || slices.Contains(folders, nodes[i].Label) {
			continue
		}
		k, known := at[path]
		if !known {
			k = len(files)
			at[path] = k
			files = append(files, FileHit{Path: path})
		}
		files[k].Hits = append(files[k].Hits, h)
	}
	sums, most := make([]float64, len(files)), math.SmallestNonzeroFloat32
	for i := range files {
		sums[i] = sumOf(files[i].Hits)
		most = max(most, sums[i])
	}
	for i := range files {
		files[i].Score = parts*sums[i]/most + (1-parts)*files[i].Hits[0].File
	}
	slices.SortStableFunc(files, func(a, b FileHit) int { return cmp.Compare(b.Score, a.Score) })
	for i := range slices.Backward(files) {
		files[i].Score *= hits[0].Score / max(files[0].Score, math.SmallestNonzeroFloat32)
	}
	return files
}

// sumOf combines the scores of the hits in a file.
func sumOf(hits []Hit) (sum float64) {
	own := make([]float64, len(hits))
	for i, h := range hits {
		own[i] = h.Own
	}
	slices.Sort(own)
	weight := 1.0
	for _, score := range slices.Backward(own) {
		sum += weight * score
		weight *= next
	}
	return sum
}
