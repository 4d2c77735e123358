package link

import "math"

// weights are those of features in the logistic model that gives the confidence. They were fitted with the links of two projects
// that were labelled by reading, and rounded; see docs/formats.md.
type weights struct {
	bias, anchors, match, within, name, affine, common, called, more float64
	// What the file has counts more for a unit with evidence of its own.
	ownAffine, ownCommon, ownMatch float64
}

var weightsOf = [2]weights{
	{bias: -5.0, anchors: 0.8, match: 2.5, within: -0.65, name: 1.3, affine: 1.15, common: 1.15, called: 1.05, more: 0.05, ownAffine: 1.15, ownCommon: 1.4, ownMatch: 1.85},
	{bias: -2.0, anchors: 0.5, match: 1.4, within: -2.4, name: 2.1, affine: 1.35, common: 2.05, more: 0.2, ownAffine: 0.8, ownCommon: 0.4, ownMatch: 1.2},
}

// leastMore is the score from which a second segment counts.
const leastMore = -2

func (x *features) score(k int) float64 {
	w := &weightsOf[k]
	return w.bias + w.anchors*x.anchors + w.match*x.match + w.within*x.within + w.name*x.name + w.affine*x.affine + w.common*x.common + w.called*x.called +
		x.own*(w.ownAffine*x.affine+w.ownCommon*x.common+w.ownMatch*x.match)
}

// score adds the evidence up; 0 is a confidence of one half.
func (f *found) score() float64 {
	return f.best.score(f.kind) + weightsOf[f.kind].more*math.Max(0, f.more-leastMore)
}

func (f *found) confidence() float64 { return 1 / (1 + math.Exp(-f.score())) }
