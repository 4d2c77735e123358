package layout

import "math"

// pack places blocks in rows about as wide as a page, in order; blocks of a single box come
// last, in a grid.
func pack(blocks []*block) *block {
	var large, single []*block
	for _, b := range blocks {
		if len(b.boxes) == 1 {
			single = append(single, b)
		} else {
			large = append(large, b)
		}
	}
	if len(single) > 0 {
		large = append(large, grid(single))
	}
	return rows(large)
}

// pageShape is the preferred ratio of width to height.
const pageShape = 1.7

func rows(blocks []*block) *block {
	var area, widest float64
	for _, b := range blocks {
		area += (b.size.W + blockGap) * (b.size.H + blockGap)
		widest = math.Max(widest, b.size.W)
	}
	limit := math.Max(widest, math.Sqrt(area*pageShape))
	out := newBlock()
	var at Point
	var high float64
	for _, b := range blocks {
		if at.X > 0 && at.X+b.size.W > limit {
			at = Point{0, at.Y + high + blockGap}
			high = 0
		}
		out.add(b, at)
		at.X += b.size.W + blockGap
		high = math.Max(high, b.size.H)
	}
	return out
}

// grid places blocks in columns.
func grid(blocks []*block) *block {
	best, bestShape := newBlock(), math.Inf(1)
	for columns := 1; columns <= min(len(blocks), 40); columns++ {
		rows := (len(blocks) + columns - 1) / columns
		var w, h float64
		widths, heights := make([]float64, columns), make([]float64, rows)
		for i, b := range blocks {
			widths[i%columns] = math.Max(widths[i%columns], b.size.W)
			heights[i/columns] = math.Max(heights[i/columns], b.size.H)
		}
		for _, x := range widths {
			w += x + blockGap/2
		}
		for _, x := range heights {
			h += x + blockGap/2
		}
		empty := 1 + 0.3*float64(rows*columns-len(blocks))/float64(len(blocks))
		if shape := math.Max(w/(h*pageShape), h*pageShape/w) * empty; shape < bestShape {
			best, bestShape = inGrid(blocks, widths, heights), shape
		}
	}
	return best
}

func inGrid(blocks []*block, widths, heights []float64) *block {
	out := newBlock()
	var at Point
	for i, b := range blocks {
		column, row := i%len(widths), i/len(widths)
		if i > 0 && column == 0 {
			at = Point{0, at.Y + heights[row-1] + blockGap/2}
		}
		out.add(b, at.plus(Point{(widths[column] - b.size.W) / 2, 0}))
		at.X += widths[column] + blockGap/2
	}
	return out
}
