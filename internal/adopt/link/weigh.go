package link

import "math"

// weights are those of features in the logistic model by which units are ranked. All weights here were fitted with links of public
// projects that were labelled by reading, and rounded; see docs/formats.md.
type weights struct {
	bias, anchors, match, within, name, affine, common, called, more, plan, planned float64
	// What the file has counts more for a unit with evidence of its own.
	ownAffine, ownCommon, ownMatch float64
}

var weightsOf = [2]weights{
	{bias: -5.7, anchors: 0.75, match: 2.5, within: -0.65, name: 1.1, affine: 1.4, common: 0.95, called: 1.0, more: 0.45, plan: 1.2, planned: 1.2, ownAffine: 1.2, ownCommon: 1.4, ownMatch: 1.7},
	{bias: -2.25, anchors: 0.75, match: 1.1, within: -2.2, name: 1.8, affine: 1.1, common: 2.2, called: 1.8, more: 0.15, ownAffine: 0.5, ownCommon: 0.3, ownMatch: 0.9},
}

// leastMore is the score from which a second segment counts.
const leastMore = -2

func (x *features) score(k int) float64 {
	w := &weightsOf[k]
	return w.bias + w.anchors*x.anchors + w.match*x.match + w.within*x.within + w.name*x.name + w.affine*x.affine + w.common*x.common + w.called*x.called + w.plan*x.plan + w.planned*x.planned +
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
		c.most.match, c.most.info = math.Max(c.most.match, x.match), math.Max(c.most.info, x.info)
		c.most.title, c.most.common = math.Max(c.most.title, x.title), math.Max(c.most.common, x.common)
	}
	for _, f := range list {
		c.top = math.Max(c.top, c.score(f))
	}
	return c
}

// score adds up the evidence for a unit and how much it is behind the others.
func (c *compared) score(f *found) float64 {
	x := &f.best
	return -5.4 + 0.7*x.anchors + 2.1*x.match + 0.7*x.name + 1.0*x.info - 0.55*x.title + 0.9*x.affine + 0.9*x.common + 1.1*x.called + 0.9*x.shown + 1.05*x.calling +
		1.45*x.near + 0.4*x.often + 1.4*x.plan - 1.65*x.prose + x.own*(1.75*x.common+1.0*x.match+0.75*x.plan) -
		3.25*(c.most.match-x.match) - 0.3*(c.most.info-x.info) - 1.7*(c.most.title-x.title) + 1.0*(c.most.common-x.common)
}

// exactEnough is the strength of anchors from which a link is right whatever else is known: a text of several words, or a name, that no
// other unit has. Of labelled links with as much, 29 of 30 were right.
const exactEnough = 2

// confidence returns how sure the link to a unit is: the more, the better it is by itself and beside the best one. Above one half, the
// best one says less.
func (c *compared) confidence(f *found) float64 {
	v := 1.75 + 0.65*(c.score(f)-c.top) + 1.35*math.Min(c.top, 0) + 0.3*math.Max(0, c.top) + 1.5*math.Max(0, f.best.anchors-exactEnough)
	return 1 / (1 + math.Exp(-v))
}
