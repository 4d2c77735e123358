package link

import "math"

// weights are those of features in the logistic model by which units are ranked. All weights here were fitted with links of public
// projects that were labelled by reading, and rounded; see docs/formats.md.
type weights struct {
	bias, anchors, match, within, name, affine, common, called, more float64
	// What the file has counts more for a unit with evidence of its own.
	ownAffine, ownCommon, ownMatch float64
}

var weightsOf = [2]weights{
	{bias: -5.7, anchors: 0.75, match: 2.5, within: -0.65, name: 1.1, affine: 1.4, common: 0.95, called: 1.0, more: 0.45, ownAffine: 1.2, ownCommon: 1.4, ownMatch: 1.7},
	{bias: -2.05, anchors: 0.75, match: 1.1, within: -2.2, name: 1.8, affine: 1.1, common: 2.2, called: 1.8, more: 0.15, ownAffine: 0.5, ownCommon: 0.3, ownMatch: 0.9},
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
func (f *found) confidence() float64 { return 1 / (1 + math.Exp(-f.score())) }

// compared are the units of code that a requirement may be linked to, beside each other: what none of them has, such as a file that is
// called as the spec, speaks against none.
type compared struct {
	most features // of each feature
	top  float64  // the best score
}

// mostCompared is the number of units that are compared.
const mostCompared = 40

func compare(list []*found) *compared {
	c := &compared{top: math.Inf(-1)}
	list = list[:min(len(list), mostCompared)]
	for _, f := range list {
		x := &f.best
		c.most.anchors, c.most.match, c.most.name = math.Max(c.most.anchors, x.anchors), math.Max(c.most.match, x.match), math.Max(c.most.name, x.name)
		c.most.affine, c.most.common = math.Max(c.most.affine, x.affine), math.Max(c.most.common, x.common)
	}
	for _, f := range list {
		c.top = math.Max(c.top, c.score(f))
	}
	return c
}

// score adds up the evidence for a unit and how much it is behind the others.
func (c *compared) score(f *found) float64 {
	x := &f.best
	return -3.95 + 1.05*x.anchors + 0.95*x.match + 2.2*x.name + 1.25*x.called + 0.15*x.own*x.match + 0.45*x.affine + 1.4*x.common + x.own*(0.45*x.affine+1.6*x.common) -
		1.55*(c.most.affine-x.affine) + 1.05*(c.most.common-x.common) + 0.2*(c.most.anchors-x.anchors) - 2.45*(c.most.match-x.match) + 1.0*(c.most.name-x.name)
}

// halfway is the score of the best unit above which more of it says less.
const halfway = 0.5

// confidence returns how sure the link to a unit is: the more, the better it is by itself and beside the best one.
func (c *compared) confidence(f *found) float64 {
	v := 1.1*(c.score(f)-c.top) + 1.85*math.Min(c.top, halfway) + 0.8*math.Max(0, c.top-halfway) + 0.5
	return 1 / (1 + math.Exp(-v))
}
