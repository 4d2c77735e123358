package mermaid

import (
	"cmp"
	"slices"
	"strings"
)

// Dimensions of sequence diagrams.
const (
	actorGap   = 44 // between two boxes
	actorAir   = 14 // in a box, on each side of its text
	stepGap    = 16 // above the next event
	barWidth   = 10
	selfWidth  = 34 // width of a message to oneself
	selfHeight = 18
	noteGap    = 8
	frameAir   = 12 // between a block and its contents
	tagHeight  = 22
)

// Styles specific to sequence diagrams.
var (
	lifelineStyle = style{"class", "mermaid-lifeline", "stroke", "currentColor", "stroke-opacity", "0.35", "stroke-dasharray", "4 4"}
	barStyle      = style{"class", "mermaid-bar", "fill", "currentColor", "fill-opacity", "0.15", "stroke", "currentColor", "stroke-opacity", "0.55"}
	frameStyle    = style{"class", "mermaid-frame", "stroke", "currentColor", "stroke-opacity", "0.4"}
	tagStyle      = style{"class", "mermaid-tag", "fill", "currentColor", "fill-opacity", "0.1", "stroke", "currentColor", "stroke-opacity", "0.4"}
	noteStyle     = style{"class", "mermaid-note", "fill", "currentColor", "fill-opacity", "0.09", "stroke", "currentColor", "stroke-opacity", "0.4"}
	leftStyle     = style{"class", "mermaid-text", "fill", "currentColor"}
)

// stage draws a sequence diagram from top to bottom.
type stage struct {
	q           *sequence
	back, front canvas // frames of blocks; messages and notes
	x           []float64
	sizes       []size
	y, top      float64
	written     [][]span    // by actor: text over the lifeline
	bars        [][]float64 // by actor: starts of open activation bars
	ended       [][]bar     // by actor: closed bars
	blocks      []block
	low, high   float64 // horizontal extent of the picture
	headHeight  float64
}

// ground is a block with a colour and no name.
const ground = "rect"

// span is a vertical range.
type span struct{ top, bottom float64 }

// bar is an activation of an actor; x is its left side.
type bar struct {
	x float64
	span
}

// block is an open block.
type block struct {
	event     event
	top       float64
	low, high float64
	sections  []section
}

type section struct {
	y     float64
	lines []string
}

func (q *sequence) svg() string {
	n := len(q.actors)
	s := &stage{q: q, written: make([][]span, n), bars: make([][]float64, n), ended: make([][]bar, n)}
	s.place()
	s.y = s.top + s.headHeight + stepGap/2
	for _, e := range q.events {
		s.draw(e)
	}
	s.y += stepGap
	for i := range q.actors {
		for len(s.bars[i]) > 0 {
			s.closeBar(i)
		}
	}
	return s.document()
}

// place determines the positions of actors, as close together as the events between them
// permit.
func (s *stage) place() {
	n := len(s.q.actors)
	s.x = make([]float64, n)
	for _, a := range s.q.actors {
		t := sizeOf(a.lines)
		t.W, t.H = max(t.W+2*actorAir, 60), t.H+18
		if a.person {
			t.H += personHeight - 10
		}
		s.sizes = append(s.sizes, t)
		s.headHeight = max(s.headHeight, t.H)
	}
	need := s.needs()
	for j := 1; j < n; j++ {
		s.x[j] = s.x[j-1] + s.sizes[j-1].W/2 + actorGap + s.sizes[j].W/2
		for i := range j {
			if w := need[[2]int{i, j}]; w > 0 {
				s.x[j] = max(s.x[j], s.x[i]+w)
			}
		}
	}
	for i := range n {
		s.reach(s.x[i]-s.sizes[i].W/2, s.x[i]+s.sizes[i].W/2)
	}
	for _, b := range s.q.boxes {
		s.top = max(s.top, sizeOf(b.lines).H+frameAir)
	}
}

// needs returns the distances between actors that an event requires.
func (s *stage) needs() map[[2]int]float64 {
	need := map[[2]int]float64{}
	last := len(s.q.actors) - 1
	set := func(i, j int, w float64) {
		if i >= 0 && j <= last && i != j {
			k := [2]int{min(i, j), max(i, j)}
			need[k] = max(need[k], w)
		}
	}
	for _, e := range s.q.events {
		w := sizeOf(e.lines).W
		switch e.kind {
		default: // needs no width
		case messageEvent:
			if e.from == e.to {
				set(e.from.index, e.from.index+1, max(w, selfWidth)+4*barWidth)
			}
			set(e.from.index, e.to.index, w+4*barWidth)
		case noteRight:
			set(e.from.index, e.from.index+1, w+2*actorAir+4*noteGap)
		case noteLeft:
			set(e.from.index-1, e.from.index, w+2*actorAir+4*noteGap)
		case noteOver:
			set(e.from.index, e.to.index, w-2*actorAir)
			if e.from == e.to {
				set(e.from.index, e.from.index+1, w/2+actorAir+2*barWidth)
				set(e.from.index-1, e.from.index, w/2+actorAir+2*barWidth)
			}
		}
	}
	return need
}

// reach extends the picture and the open blocks.
func (s *stage) reach(low, high float64) {
	s.low, s.high = min(s.low, low), max(s.high, high)
	for i := range s.blocks {
		air := frameAir * float64(len(s.blocks)-i)
		s.blocks[i].low, s.blocks[i].high = min(s.blocks[i].low, low-air), max(s.blocks[i].high, high+air)
	}
}

// document draws actors and lifelines and returns the complete picture.
func (s *stage) document() string {
	all := &canvas{}
	bottom := s.y
	height := bottom + s.headHeight
	boxes := &canvas{}
	for _, b := range s.q.boxes {
		s.actorBox(boxes, b, height)
	}
	if len(s.q.boxes) > 0 {
		height += frameAir
	}
	all.open("g", nil, "transform", "translate("+num(-s.low)+",0)")
	all.b.WriteString(boxes.b.String())
	for i, a := range s.q.actors {
		s.lifeline(all, i, bottom)
		s.drawActor(all, a, s.top)
		s.drawActor(all, a, bottom)
	}
	all.b.WriteString(s.back.b.String())
	all.b.WriteString(s.front.b.String())
	all.close("g")
	var names []string
	for _, a := range s.q.actors {
		names = append(names, first(a.lines))
	}
	return all.document(&s.q.caption, names, size{W: s.high - s.low, H: height})
}

// lifeline draws the line below an actor and its bars, except behind text.
func (s *stage) lifeline(c *canvas, i int, bottom float64) {
	covered := slices.Clone(s.written[i])
	for _, b := range s.ended[i] {
		for _, piece := range b.without(s.written[i]) {
			c.rect(rect{X: b.x, Y: piece.top, W: barWidth, H: piece.bottom - piece.top}, barStyle, 1)
		}
		covered = append(covered, b.span)
	}
	var d strings.Builder
	for _, piece := range (span{s.top + s.headHeight, bottom}).without(covered) {
		d.WriteString(polyline([]point{{X: s.x[i], Y: piece.top}, {X: s.x[i], Y: piece.bottom}}))
	}
	if d.Len() > 0 {
		c.path(lifelineStyle, d.String())
	}
}

// without returns the parts of a span outside others.
func (s span) without(others []span) []span {
	sorted := slices.Clone(others)
	slices.SortFunc(sorted, func(a, b span) int { return cmp.Compare(a.top, b.top) })
	var out []span
	for _, o := range append(sorted, span{s.bottom, s.bottom}) {
		if end := min(o.top, s.bottom); end-s.top > 1 {
			out = append(out, span{s.top, end})
		}
		s.top = max(s.top, o.bottom)
	}
	return out
}

// personHeight is the height of the symbol of a person.
const personHeight = 40

// drawActor draws an actor at height y.
func (s *stage) drawActor(c *canvas, a *actor, y float64) {
	x, t := s.x[a.index], s.sizes[a.index]
	if !a.person {
		r := rect{X: x - t.W/2, Y: y, W: t.W, H: s.headHeight}
		c.rect(r, nodeStyle, 4)
		c.lines(a.lines, middle(r), nameStyle)
		return
	}
	text := sizeOf(a.lines).H
	y += s.headHeight - text - personHeight
	c.circle(point{X: x, Y: y + 8}, 6, nodeStyle)
	body := polyline([]point{{X: x, Y: y + 14}, {X: x, Y: y + 25}}) + polyline([]point{{X: x - 10, Y: y + 18}, {X: x + 10, Y: y + 18}}) +
		polyline([]point{{X: x - 8, Y: y + 35}, {X: x, Y: y + 25}, {X: x + 8, Y: y + 35}})
	c.path(ruleStyle, body)
	c.lines(a.lines, point{X: x, Y: y + personHeight + text/2 - 2}, nameStyle)
}

// actorBox draws the box around actors.
func (s *stage) actorBox(c *canvas, b *actorBox, height float64) {
	low, high := 1e9, -1e9
	for i, a := range s.q.actors {
		if a.box == b {
			low, high = min(low, s.x[i]-s.sizes[i].W/2-8), max(high, s.x[i]+s.sizes[i].W/2+8)
		}
	}
	if low > high {
		return
	}
	name := sizeOf(b.lines).W + 2*sideAir
	middle := (low + high) / 2
	low, high = min(low, middle-name/2), max(high, middle+name/2)
	s.reach(low, high)
	c.rect(rect{X: low, W: high - low, H: height + frameAir}, groupStyle, 5)
	c.lines(b.lines, point{X: middle, Y: 4 + sizeOf(b.lines).H/2}, nameStyle)
}
