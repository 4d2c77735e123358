package mermaid

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/view/mermaid/layout"
)

// The measures of sequence diagrams.
const (
	actorGap   = 44 // between the boxes of two
	actorAir   = 14 // in a box, beside its text
	stepGap    = 16 // above what happens next
	barWidth   = 10
	selfWidth  = 34 // how far a message to oneself stands out
	selfHeight = 18
	noteGap    = 8
	frameAir   = 12 // between a block and what is in it
	tagHeight  = 22
)

// The looks of what only sequence diagrams have.
var (
	lifelineStyle = style{"class", "mermaid-lifeline", "stroke", "currentColor", "stroke-opacity", "0.35", "stroke-dasharray", "4 4"}
	barStyle      = style{"class", "mermaid-bar", "fill", "currentColor", "fill-opacity", "0.15", "stroke", "currentColor", "stroke-opacity", "0.55"}
	frameStyle    = style{"class", "mermaid-frame", "stroke", "currentColor", "stroke-opacity", "0.4"}
	tagStyle      = style{"class", "mermaid-tag", "fill", "currentColor", "fill-opacity", "0.1", "stroke", "currentColor", "stroke-opacity", "0.4"}
	noteStyle     = style{"class", "mermaid-note", "fill", "currentColor", "fill-opacity", "0.09", "stroke", "currentColor", "stroke-opacity", "0.4"}
	leftStyle     = style{"class", "mermaid-text", "fill", "currentColor"}
)

// stage is a sequence diagram as it is drawn from above to below.
type stage struct {
	q           *sequence
	back, front canvas // what is behind: frames and bars; messages and notes
	x           []float64
	sizes       []size
	y, top      float64
	covered     [][][2]float64 // by actor: where the lifeline is not drawn
	bars        [][]float64    // by actor: where the bars that are open begin
	blocks      []block
	low, high   float64 // how far the picture reaches
	headHeight  float64
}

// ground is the block that has a colour and no name.
const ground = "rect"

// block is a frame that is open.
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
	s := &stage{q: q, covered: make([][][2]float64, len(q.actors)), bars: make([][]float64, len(q.actors))}
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

// place finds where actors stand: as near to each other as what is between them lets
// them.
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

// needs are the distances between actors that what is written between them takes.
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
		case message:
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

// reach widens the picture, and the blocks that are open.
func (s *stage) reach(low, high float64) {
	s.low, s.high = min(s.low, low), max(s.high, high)
	for i := range s.blocks {
		air := frameAir * float64(len(s.blocks)-i)
		s.blocks[i].low, s.blocks[i].high = min(s.blocks[i].low, low-air), max(s.blocks[i].high, high+air)
	}
}

func (s *stage) draw(e event) {
	switch e.kind {
	case message:
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

// side is where lines end at an actor: beside the middle if there is a bar.
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

// cover keeps the lifelines between two places free of what is written there.
func (s *stage) cover(low, high, top, bottom float64) {
	for i, x := range s.x {
		if x > low-2 && x < high+2 {
			s.covered[i] = append(s.covered[i], [2]float64{top, bottom})
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

// selfMessage draws a message to oneself, with its text above it.
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

// closeBar ends the last bar of an actor that is open.
func (s *stage) closeBar(actor int) {
	open := s.bars[actor]
	if len(open) == 0 {
		return
	}
	top := open[len(open)-1]
	s.bars[actor] = open[:len(open)-1]
	x := s.x[actor] + float64(len(open)-1)*barWidth/2 - barWidth/2
	s.back.rect(rect{X: x, Y: top, W: barWidth, H: max(s.y-top, 8)}, barStyle, 1)
	if len(open) == 1 {
		s.covered[actor] = append(s.covered[actor], [2]float64{top, max(s.y, top+8)})
	}
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

// endBlock draws the frame of the innermost block.
func (s *stage) endBlock() {
	b := s.blocks[len(s.blocks)-1]
	s.blocks = s.blocks[:len(s.blocks)-1]
	s.y += stepGap - 2
	if b.low > b.high { // there is nothing in it
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

// frame is the look of a block: those without a name only have a ground.
func (s *stage) frame(b block) style {
	if b.event.tag == ground {
		return style{"class", "mermaid-ground", "fill", "currentColor", "fill-opacity", "0.05"}
	}
	return frameStyle
}

// caption writes the condition of a part of a block; y is the middle of its first line.
func (s *stage) caption(lines []string, x, y float64) {
	if len(lines) == 0 {
		return
	}
	t := sizeOf(lines)
	s.front.lines(lines, point{X: x, Y: y + (t.H-lineHeight)/2}, leftStyle)
	s.cover(x, x+t.W, y-lineHeight/2, y-lineHeight/2+t.H)
	s.reach(x, x+t.W-frameAir)
}

// document draws the actors and their lifelines, and puts all together.
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
	title := s.q.title
	if title == "" {
		p := &picture{kind: "sequence diagram"}
		for _, a := range s.q.actors {
			p.nodes = append(p.nodes, &node{lines: a.lines})
		}
		title = p.summary()
	}
	return all.document("sequence diagram", title, s.q.description, size{W: s.high - s.low, H: height})
}

// lifeline draws the line below an actor where nothing covers it.
func (s *stage) lifeline(c *canvas, i int, bottom float64) {
	covered := s.covered[i]
	slices.SortFunc(covered, func(a, b [2]float64) int { return int(sign(a[0] - b[0])) })
	y := s.top + s.headHeight
	var d strings.Builder
	add := func(to float64) {
		if to-y > 1 {
			d.WriteString(polyline([]point{{X: s.x[i], Y: y}, {X: s.x[i], Y: to}}))
		}
	}
	for _, k := range covered {
		add(min(k[0], bottom))
		y = max(y, k[1])
	}
	add(bottom)
	if d.Len() > 0 {
		c.path(lifelineStyle, d.String())
	}
}

// personHeight is how high the figure of a person is.
const personHeight = 40

// drawActor draws an actor, in the room for actors that begins at y.
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

// actorBox draws the frame around actors.
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
	s.reach(low, high)
	c.rect(rect{X: low, W: high - low, H: height + frameAir}, groupStyle, 5)
	c.lines(b.lines, point{X: (low + high) / 2, Y: 4 + sizeOf(b.lines).H/2}, nameStyle)
}
