// Package layout places boxes and edges in layers, as in Sugiyama's method, for package
// mermaid. Nested boxes are laid out from the inside out, and components without connection in
// rows. [Graph.Place] fills in the coordinates of a [Graph].
//
// The result is deterministic, and every step is bounded, so that large graphs take limited
// time.
package layout

// Direction is the direction of edges.
type Direction uint8

// Directions.
const (
	Down Direction = iota
	Up
	Right
	Left
)

// sideways reports whether layers are columns.
func (d Direction) sideways() bool { return d == Right || d == Left }

// Point is a point; Y grows downwards.
type Point struct{ X, Y float64 }

// Size is a width and a height.
type Size struct{ W, H float64 }

// Rect is a rectangle; X, Y is its upper left corner.
type Rect struct{ X, Y, W, H float64 }

// Curve is a cubic Bézier curve: start, two control points, end.
type Curve [4]Point

// Box is a node of fixed size, or a group of boxes.
type Box struct {
	Size                // input for a node; a group's size is computed
	Parent    int       // index of the enclosing group; -1 for none
	Group     bool      // may contain other boxes
	Title     Size      // of a group: room above its contents
	Direction Direction // of a group: direction of its edges if Turned
	Turned    bool      // the group has its own direction, which applies if no edge crosses its border
	Spread    float64   // share of a side where edges may end: 0 the middle only, 1 all of it

	Rect    Rect  // the result
	TitleAt Point // of a group: upper left corner of the title, avoiding edges if possible
}

// Edge is an edge between two boxes, which may be the same.
type Edge struct {
	From, To   int
	Label      Size    // zero for none
	Layers     int     // minimum number of layers it spans; 0 means 1
	EndWidth   float64 // minimum width of its ends
	Tail, Head float64 // lengths of the straight ends

	Path []Curve // result, from From to To; interrupted at the label
	At   Point   // centre of the label
}

// Graph is the input and result of a layout. Parents and ends must be boxes of the graph,
// parents must not form cycles, and no edge may connect a box with a box around it.
type Graph struct {
	Boxes     []Box
	Edges     []Edge
	Direction Direction

	Size Size // the result
}

// Distances in pixels.
const (
	boxGap      = 34 // between boxes of a layer
	boxGapLow   = 18 // the same if layers are columns
	lineGap     = 14 // between edges that pass a layer
	layerGap    = 40 // between layers
	layerGapMax = 110
	blockGap    = 36 // between unconnected parts
	padding     = 18 // in a group
	endGap      = 20 // between the ends of edges at a box
)

// Place computes the results of g.
func (g *Graph) Place() {
	t := newTree(g)
	t.orient()
	for _, group := range t.insideOut() {
		t.insides[group] = t.placeInside(group)
	}
	t.settle()
}
