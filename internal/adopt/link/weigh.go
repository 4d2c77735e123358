package link

import "math"

// weights are those of features in the logistic model that gives the confidence. They were fitted with the links of two projects
// that were labelled by reading, and rounded; see docs/formats.md.
type weights struct {
	bias, anchors, match, within, name, affine, common, called, more float64
	// What the file has counts more for a unit with evidence of its own.
	ownAffine, ownCommon, ownMatch float64
	// Of a unit that was ranked, how much it is behind the best one counts, too.
	scale, behind, raise float64
}

var weightsOf = [2]weights{
	{bias: -5.7, anchors: 0.75, match: 2.5, within: -0.65, name: 1.1, affine: 1.4, common: 0.95, called: 1.0, more: 0.45, ownAffine: 1.2, ownCommon: 1.4, ownMatch: 1.7, scale: 1.2, behind: 0.1, raise: 0.85},
	{bias: -2.05, anchors: 0.75, match: 1.1, within: -2.2, name: 1.8, affine: 1.1, common: 2.2, called: 1.8, more: 0.15, ownAffine: 0.5, ownCommon: 0.3, ownMatch: 0.9, scale: 1.15},
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

// confidence returns how sure a link is, from 0 to 1.
func (f *found) confidence() float64 {
	v, w := f.score(), &weightsOf[f.kind]
	if f.ranked {
		v = w.scale*v - w.behind*(f.top-v) + w.raise
	}
	return 1 / (1 + math.Exp(-v))
}
