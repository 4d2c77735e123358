package mermaid

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/view/mermaid/layout"
)

// draw draws an event below the previous one.
func (s *stage) draw(e event) {
	switch e.kind {
	case messageEvent:
		s.message(e)
	case activation:
		s.bars[e.from.index] = append(s.bars[e.from.index], s.y)
	case deactivation:
		s.closeBar(e.from.index)
	case noteLeft, noteRight, noteOver:
		s.note(e)
	case blockStart:
		s.y += stepGap
		s.blocks = append(s.blocks, block{event: e, top: s.y, low: 1e9, high: -1e9})
		if e.tag != ground {
			s.y += tagHeight + max(0, sizeOf(e.lines).H-lineHeight)
		}
	case blockSection:
		s.section(e)
	case blockEnd:
		s.endBlock()
	}
}

// side returns where messages end at an actor: beside its activation bar, if any.
func (s *stage) side(actor int, d float64) float64 {
	open := len(s.bars[actor])
	if open == 0 {
		return s.x[actor]
	}
	edge := s.x[actor] + float64(open-1)*barWidth/2 + d*barWidth/2
	if d < 0 {
		edge = s.x[actor] - barWidth/2
	}
	return edge
}

// cover keeps lifelines and bars clear of text in an area.
func (s *stage) cover(low, high, top, bottom float64) {
	for i, x := range s.x {
		if x > low-2 && x < high+2 {
			s.written[i] = append(s.written[i], span{top, bottom})
		}
	}
}

// message draws a message with its text above it.
func (s *stage) message(e event) {
	from, to := e.from.index, e.to.index
	t := sizeOf(e.lines)
	s.y += stepGap + t.H
	look := ""
	if e.dotted {
		look = "dashed"
	}
	if from == to {
		s.selfMessage(e, look)
		return
	}
	if e.opens {
		s.bars[to] = append(s.bars[to], s.y)
	}
	d := sign(s.x[to] - s.x[from])
	a, b := s.side(from, d), s.side(to, -d)
	middle := (a + b) / 2
	s.front.lines(e.lines, point{X: middle, Y: s.y - 4 - t.H/2}, textStyle)
	s.cover(middle-t.W/2, middle+t.W/2, s.y-t.H-5, s.y-3)
	s.reach(min(a, b, middle-t.W/2), max(a, b, middle+t.W/2))
	head, tail := heads[e.head], heads[e.tail]
	path := polyline([]point{{X: a + d*tail.cut, Y: s.y}, {X: b - d*head.cut, Y: s.y}})
	s.front.path(slices.Concat(lineStyle, looks[look]), path)
	head.draw(&s.front, point{X: b, Y: s.y}, point{X: d})
	tail.draw(&s.front, point{X: a, Y: s.y}, point{X: -d})
}

// selfMessage draws a message from an actor to itself.
func (s *stage) selfMessage(e event, look string) {
	t := sizeOf(e.lines)
	x := s.side(e.from.index, 1)
	s.front.lines(e.lines, point{X: x + 6, Y: s.y - 4 - t.H/2}, leftStyle)
	s.cover(x+1, x+6+t.W, s.y-t.H-5, s.y-3)
	head := heads[e.head]
	y := s.y + selfHeight
	curve := layout.Curve{{X: x, Y: s.y}, {X: x + selfWidth*1.3, Y: s.y}, {X: x + selfWidth*1.3, Y: y}, {X: x + head.cut, Y: y}}
	s.front.path(slices.Concat(lineStyle, looks[look]), curves([]layout.Curve{curve}))
	head.draw(&s.front, point{X: x, Y: y}, point{X: -1})
	s.reach(x, x+max(selfWidth, t.W+6))
	s.y = y
	if e.opens {
		s.bars[e.from.index] = append(s.bars[e.from.index], s.y)
	}
}

// closeBar ends the last open activation bar of an actor.
func (s *stage) closeBar(actor int) {
	open := s.bars[actor]
	if len(open) == 0 {
		return
	}
	top := open[len(open)-1]
	s.bars[actor] = open[:len(open)-1]
	x := s.x[actor] + float64(len(open)-1)*barWidth/2 - barWidth/2
	s.ended[actor] = append(s.ended[actor], bar{x, span{top, max(s.y, top+8)}})
}

func (s *stage) note(e event) {
	t := sizeOf(e.lines)
	r := rect{Y: s.y + stepGap, W: max(t.W, 40) + 2*actorAir, H: t.H + 12}
	a, b := s.x[e.from.index], s.x[e.to.index]
	switch e.kind {
	case noteLeft:
		r.X = a - noteGap - barWidth/2 - r.W
	case noteRight:
		r.X = a + noteGap + barWidth/2
	default:
		if a != b {
			r.W = max(r.W, b-a+2*actorAir)
		}
		r.X = (a+b)/2 - r.W/2
	}
	drawNote(&s.front, r, noteStyle)
	s.front.lines(e.lines, middle(r), textStyle)
	s.cover(r.X, r.X+r.W, r.Y, r.Y+r.H)
	s.reach(r.X, r.X+r.W)
	s.y = r.Y + r.H
}

func (s *stage) section(e event) {
	s.y += stepGap
	b := &s.blocks[len(s.blocks)-1]
	b.sections = append(b.sections, section{s.y, e.lines})
	s.y += max(8, sizeOf(e.lines).H)
}

// endBlock draws the border of the innermost block.
func (s *stage) endBlock() {
	b := s.blocks[len(s.blocks)-1]
	s.blocks = s.blocks[:len(s.blocks)-1]
	s.y += stepGap - 2
	if b.low > b.high { // it is empty
		b.low, b.high = s.low, s.high
	}
	t := sizeOf(b.event.lines)
	tag := width(b.event.tag) + 16
	if b.event.tag == ground {
		tag, b.event.lines = 0, nil
	}
	b.high = max(b.high, b.low+tag+t.W+20)
	s.reach(b.low, b.high)
	s.back.rect(rect{X: b.low, Y: b.top, W: b.high - b.low, H: s.y - b.top}, s.frame(b), 3)
	if tag > 0 {
		s.front.rect(rect{X: b.low, Y: b.top, W: tag, H: tagHeight - 2}, tagStyle, 3)
		s.front.text(strings.TrimSuffix(b.event.tag, "_over"), point{X: b.low + tag/2, Y: b.top + tagHeight/2 - 1}, nameStyle)
		s.cover(b.low, b.low+tag, b.top, b.top+tagHeight)
	}
	s.caption(b.event.lines, b.low+tag+10, b.top+tagHeight/2-1)
	for _, part := range b.sections {
		s.back.path(slices.Concat(frameStyle, looks["dashed"]), polyline([]point{{X: b.low, Y: part.y}, {X: b.high, Y: part.y}}))
		s.caption(part.lines, b.low+10, part.y+lineHeight/2+3)
	}
}

// frame returns the style of a block; blocks without a name have only a background.
func (s *stage) frame(b block) style {
	if b.event.tag == ground {
		return style{"class", "mermaid-ground", "fill", "currentColor", "fill-opacity", "0.05"}
	}
	return frameStyle
}

// caption writes the condition of a section of a block; y is the middle of its first line.
func (s *stage) caption(lines []string, x, y float64) {
	if len(lines) == 0 {
		return
	}
	t := sizeOf(lines)
	s.front.lines(lines, point{X: x, Y: y + (t.H-lineHeight)/2}, leftStyle)
	s.cover(x, x+t.W, y-lineHeight/2, y-lineHeight/2+t.H)
	s.reach(x, x+t.W-frameAir)
}
