package layout_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/view/mermaid/layout"
)

// TestRandomGraphsAreDrawnRight checks the invariants of pictures on random graphs.
func TestRandomGraphsAreDrawnRight(t *testing.T) {
	for seed := range uint64(400) {
		g := random(rand.New(rand.NewPCG(seed, 1)))
		again := &layout.Graph{
			Boxes: slices.Clone(g.Boxes), Edges: slices.Clone(g.Edges), Direction: g.Direction,
		}
		g.Place()
		again.Place()
		if !reflect.DeepEqual(g, again) {
			t.Fatalf("seed %d: the same graph is placed in two ways", seed)
		}
		for _, problem := range []string{boxesApart(g), linesWhole(g), linesClear(g), labelsClear(g)} {
			if problem != "" {
				t.Errorf("seed %d: %s", seed, problem)
			}
		}
	}
}

// TestChainIsStraight checks that the boxes of a chain are aligned, whatever their sizes.
func TestChainIsStraight(t *testing.T) {
	g := &layout.Graph{}
	for i := range 12 {
		g.Boxes = append(g.Boxes, layout.Box{Parent: -1, Size: layout.Size{W: 30 + float64(i*37%100), H: 20}})
		if i > 0 {
			g.Edges = append(g.Edges, layout.Edge{From: i - 1, To: i})
		}
	}
	g.Place()
	for i, b := range g.Boxes {
		if x := b.Rect.X + b.Rect.W/2; abs(x-g.Size.W/2) > hair {
			t.Errorf("the middle of box %d is at %.1f, not at %.1f", i, x, g.Size.W/2)
		}
	}
}

// TestTreesHaveNoCrossings checks random trees.
func TestTreesHaveNoCrossings(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		g := &layout.Graph{}
		for i := range 30 {
			g.Boxes = append(g.Boxes, layout.Box{Parent: -1, Size: layout.Size{W: 30, H: 20}})
			if i > 0 {
				g.Edges = append(g.Edges, layout.Edge{From: r.IntN(i), To: i})
			}
		}
		g.Place()
		for i, e := range g.Edges {
			for _, f := range g.Edges[:i] {
				if e.From != f.From && cross(e.Path, f.Path) {
					t.Errorf("seed %d: the lines %d-%d and %d-%d cross", seed, e.From, e.To, f.From, f.To)
				}
			}
		}
	}
}

// cross reports whether two edges cross, approximated by short segments.
func cross(a, b []layout.Curve) bool {
	side := func(p, q, r layout.Point) bool { return (q.X-p.X)*(r.Y-p.Y)-(q.Y-p.Y)*(r.X-p.X) > 0 }
	p, q := pieces(a), pieces(b)
	for i := 1; i < len(p); i++ {
		for k := 1; k < len(q); k++ {
			if side(p[i-1], p[i], q[k-1]) != side(p[i-1], p[i], q[k]) && side(q[k-1], q[k], p[i-1]) != side(q[k-1], q[k], p[i]) {
				return true
			}
		}
	}
	return false
}

func pieces(path []layout.Curve) (points []layout.Point) {
	for _, c := range path {
		for step := range 11 {
			points = append(points, at(c, float64(step)/10))
		}
	}
	return points
}

// TestLoneBoxesStandInAGrid checks that 20 unconnected boxes are arranged in a grid about as
// wide as a page.
func TestLoneBoxesStandInAGrid(t *testing.T) {
	g := &layout.Graph{}
	for range 20 {
		g.Boxes = append(g.Boxes, layout.Box{Parent: -1, Size: layout.Size{W: 80, H: 30}})
	}
	g.Place()
	columns, rows := map[float64]int{}, map[float64]int{}
	for _, b := range g.Boxes {
		columns[b.Rect.X]++
		rows[b.Rect.Y]++
	}
	want := map[float64]int{0: 5, 98: 5, 196: 5, 294: 5}
	if !reflect.DeepEqual(columns, want) || len(rows) != 5 {
		t.Errorf("columns %v, rows %v", columns, rows)
	}
}

// random returns a random graph of boxes and groups.
func random(r *rand.Rand) *layout.Graph {
	g := &layout.Graph{Direction: layout.Direction(r.IntN(4))}
	groups := r.IntN(5)
	for i := range groups {
		b := layout.Box{
			Parent: r.IntN(i+1) - 1, Group: true, Title: layout.Size{W: 60, H: 19},
			Turned: r.IntN(2) == 0, Direction: layout.Direction(r.IntN(4)),
		}
		g.Boxes = append(g.Boxes, b)
	}
	leaves := 1 + r.IntN(25)
	for range leaves {
		g.Boxes = append(g.Boxes, layout.Box{
			Parent: r.IntN(groups+1) - 1, Size: layout.Size{W: 20 + 100*r.Float64(), H: 20 + 60*r.Float64()}, Spread: r.Float64(),
		})
	}
	for range r.IntN(2 * leaves) {
		e := layout.Edge{From: r.IntN(len(g.Boxes)), To: r.IntN(len(g.Boxes)), Tail: 10 * r.Float64(), Head: 20 * r.Float64()}
		if r.IntN(3) == 0 {
			e.Label = layout.Size{W: 10 + 80*r.Float64(), H: 19}
		}
		if !around(g, e.From, e.To) && !around(g, e.To, e.From) {
			g.Edges = append(g.Edges, e)
		}
	}
	return g
}

// around reports whether a group contains a box.
func around(g *layout.Graph, group, box int) bool {
	for box = g.Boxes[box].Parent; box >= 0; box = g.Boxes[box].Parent {
		if box == group {
			return true
		}
	}
	return false
}

const hair = 0.01

func overlap(a, b layout.Rect) bool {
	return a.X+a.W > b.X+hair && b.X+b.W > a.X+hair && a.Y+a.H > b.Y+hair && b.Y+b.H > a.Y+hair
}

func within(a, b layout.Rect) bool {
	return a.X >= b.X-hair && a.Y >= b.Y-hair && a.X+a.W <= b.X+b.W+hair && a.Y+a.H <= b.Y+b.H+hair
}

func boxesApart(g *layout.Graph) string {
	all := layout.Rect{W: g.Size.W, H: g.Size.H}
	for i, a := range g.Boxes {
		if !within(a.Rect, all) {
			return fmt.Sprintf("box %d at %v is outside of the picture, %v", i, a.Rect, g.Size)
		}
		if !a.Group && (a.Rect.W != a.W || a.Rect.H != a.H) && max(abs(a.Rect.W-a.W), abs(a.Rect.H-a.H)) > hair {
			return fmt.Sprintf("box %d of %v is drawn as %v", i, a.Size, a.Rect)
		}
		if a.Parent >= 0 && !within(a.Rect, g.Boxes[a.Parent].Rect) {
			return fmt.Sprintf("box %d at %v is outside of its group at %v", i, a.Rect, g.Boxes[a.Parent].Rect)
		}
		for k, b := range g.Boxes[:i] {
			if a.Parent == b.Parent && overlap(a.Rect, b.Rect) {
				return fmt.Sprintf("boxes %d and %d overlap: %v, %v", k, i, b.Rect, a.Rect)
			}
		}
	}
	return ""
}

// linesWhole returns an error if an edge does not connect its boxes in one piece, except for
// its label.
func linesWhole(g *layout.Graph) string {
	for i, e := range g.Edges {
		if len(e.Path) == 0 {
			return fmt.Sprintf("line %d is not drawn", i)
		}
		gaps := 0
		for k := 1; k < len(e.Path); k++ {
			if p, q := e.Path[k-1][3], e.Path[k][0]; abs(p.X-q.X)+abs(p.Y-q.Y) > hair {
				gaps++
			}
		}
		if gaps > 1 || gaps == 1 && e.Label.W == 0 {
			return fmt.Sprintf("line %d has %d gaps", i, gaps)
		}
		if p := e.Path[0][0]; !onBorder(p, g.Boxes[e.From].Rect) {
			return fmt.Sprintf("line %d begins at %v, not at its box %v", i, p, g.Boxes[e.From].Rect)
		}
		if p := e.Path[len(e.Path)-1][3]; !onBorder(p, g.Boxes[e.To].Rect) {
			return fmt.Sprintf("line %d ends at %v, not at its box %v", i, p, g.Boxes[e.To].Rect)
		}
	}
	return ""
}

func onBorder(p layout.Point, r layout.Rect) bool {
	inX, inY := p.X >= r.X-hair && p.X <= r.X+r.W+hair, p.Y >= r.Y-hair && p.Y <= r.Y+r.H+hair
	onX, onY := abs(p.X-r.X) < hair || abs(p.X-r.X-r.W) < hair, abs(p.Y-r.Y) < hair || abs(p.Y-r.Y-r.H) < hair
	return inX && inY && (onX || onY)
}

// linesClear returns an error if an edge passes through an unrelated box.
func linesClear(g *layout.Graph) string {
	for i, e := range g.Edges {
		for _, c := range e.Path {
			for step := range 21 {
				p := at(c, float64(step)/20)
				for k, b := range g.Boxes {
					mine := k == e.From || k == e.To || around(g, k, e.From) || around(g, k, e.To)
					if !mine && overlap(b.Rect, layout.Rect{X: p.X - hair, Y: p.Y - hair, W: 2 * hair, H: 2 * hair}) {
						return fmt.Sprintf("line %d passes through box %d at %v", i, k, p)
					}
				}
			}
		}
	}
	return ""
}

// at returns a point of a curve.
func at(c layout.Curve, t float64) layout.Point {
	mix := func(a, b, c, d float64) float64 {
		u := 1 - t
		return u*u*u*a + 3*u*u*t*b + 3*u*t*t*c + t*t*t*d
	}
	return layout.Point{X: mix(c[0].X, c[1].X, c[2].X, c[3].X), Y: mix(c[0].Y, c[1].Y, c[2].Y, c[3].Y)}
}

// labelsClear returns an error if a label overlaps a box or another label.
func labelsClear(g *layout.Graph) string {
	var labels []layout.Rect
	for i, e := range g.Edges {
		if e.Label.W == 0 {
			continue
		}
		r := layout.Rect{X: e.At.X - e.Label.W/2, Y: e.At.Y - e.Label.H/2, W: e.Label.W, H: e.Label.H}
		for k, b := range g.Boxes {
			if !b.Group && overlap(r, b.Rect) {
				return fmt.Sprintf("the label of line %d at %v stands on box %d at %v", i, r, k, b.Rect)
			}
		}
		for _, other := range labels {
			if overlap(r, other) {
				return fmt.Sprintf("the label of line %d at %v stands on another at %v", i, r, other)
			}
		}
		labels = append(labels, r)
	}
	return ""
}

func abs(f float64) float64 { return max(f, -f) }
