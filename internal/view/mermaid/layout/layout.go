// Package layout places boxes and the lines between them in layers, in the manner of
// Sugiyama: lines run from layer to layer, boxes in boxes are placed from the inside
// out, and what is not connected stands in rows. It knows nothing of what is drawn.
//
// Every step is deterministic and bounded, so that the same graph gives the same
// picture, and a large one a picture in time.
package layout

// Direction is where lines lead.
type Direction uint8

// The directions.
const (
	Down Direction = iota
	Up
	Right
	Left
)

// sideways says whether layers are columns.
func (d Direction) sideways() bool { return d == Right || d == Left }

// Point is a place; Y grows downwards.
type Point struct{ X, Y float64 }

// Size is a width and a height.
type Size struct{ W, H float64 }

// Rect is a box: X, Y is its left upper corner.
type Rect struct{ X, Y, W, H float64 }

// Curve is a cubic Bézier curve: its start, two points that pull at it, its end.
type Curve [4]Point

// Box is something to place: a leaf of a given size, or a group of other boxes.
type Box struct {
	Size                // of a leaf; a group is as large as what is in it
	Parent    int       // the index of the group around it, -1 for none
	Group     bool      // other boxes may stand in it
	Title     Size      // of a group: the room above what is in it
	Direction Direction // of a group: where its lines lead if Turned
	Turned    bool      // the group has a direction of its own, kept if no line crosses its border
	Spread    float64   // the share of a side at which lines may end: 0 the middle alone, 1 all of it

	Rect    Rect  // the result
	TitleAt Point // of a group: the left upper corner of its title, where no line enters if there is such a place
}

// Edge is a line from one box to another, or to itself.
type Edge struct {
	From, To   int
	Label      Size    // zero for none
	Layers     int     // how many layers it leads on at least, 0 as 1
	EndWidth   float64 // how wide its ends are, if that is more than usual
	Tail, Head float64 // the room for the ends, within which the line is straight

	Path []Curve // the result, from From to To; interrupted where the label stands
	At   Point   // the middle of the label
}

// Graph is what is placed. Parents and ends must be boxes of the graph, parents
// without circles, and no line may lead from a box to one around it.
type Graph struct {
	Boxes     []Box
	Edges     []Edge
	Direction Direction

	Size Size // the result
}

// The distances of the pictures.
const (
	boxGap      = 34 // between boxes of a layer
	boxGapLow   = 18 // the same where layers are columns
	lineGap     = 14 // between lines that pass a layer
	layerGap    = 40 // between layers
	layerGapMax = 110
	blockGap    = 36 // between parts that are not connected
	padding     = 18 // in a group
	endGap      = 20 // between the ends of lines at a box
)

// Place fills the results of g.
func (g *Graph) Place() {
	t := newTree(g)
	t.orient()
	for _, group := range t.insideOut() {
		t.insides[group] = t.placeInside(group)
	}
	t.settle()
}
