package snapshot

import "math"

// field is a part of what a node is described by.
type field int

// The fields.
const (
	inName      field = iota
	inQualified       // the names of what is around it
	inSignature
	inDoc
	inBody
	inPath
	fields
)

// times counts a term in each field of a node: a few bits each, so that there is
// room for the postings of a large graph.
type times uint32

// room is how many bits there are for each field.
var room = [fields]uint{inName: 4, inQualified: 3, inSignature: 5, inDoc: 5, inBody: 12, inPath: 3} //nolint:gochecknoglobals // a table

// once counts a term that is n times in a field.
func once(in field, n int) times {
	shift := uint(0)
	for f := range in {
		shift += room[f]
	}
	return times(min(n, 1<<room[in]-1)) << shift
}

// each calls f with the fields that the term is in.
func (t times) each(f func(in field, n int)) {
	for in := range fields {
		if n := int(t & (1<<room[in] - 1)); n > 0 {
			f(in, n)
		}
		t >>= room[in]
	}
}

// plus adds two counts.
func (t times) plus(u times) (sum times) {
	var counts [fields]int
	for _, x := range []times{t, u} {
		x.each(func(in field, n int) { counts[in] += n })
	}
	for in, n := range counts {
		sum |= once(field(in), n)
	}
	return sum
}

// sizes are how many words a node has in each field.
type sizes [fields]uint32

// profile says how the words of some nodes count, by BM25F (Robertson and Zaragoza,
// 2009): the weight of each field, how much it counts for less where there is more of
// it, and how much text makes a term count half. docs/retrieval.md has the figures
// that they were chosen by.
type profile struct {
	weight, length [fields]float64
	half           float64
}

// symbolProfile is for symbols, fileProfile for modules, which stand for files.
//
//nolint:gochecknoglobals // tables
var (
	symbolProfile = profile{
		weight: [fields]float64{inName: 3, inQualified: 1.7, inSignature: 1, inDoc: 0.7, inBody: 0.45, inPath: 2.2},
		length: [fields]float64{inName: 0.5, inQualified: 1, inSignature: 0.75, inDoc: 0.75, inBody: 0.75, inPath: 0.35},
		half:   2,
	}
	fileProfile = profile{
		weight: [fields]float64{inName: 4, inQualified: 1, inSignature: 0.5, inDoc: 1, inBody: 1, inPath: 4},
		length: [fields]float64{inName: 0.75, inQualified: 0.75, inSignature: 0.75, inDoc: 0.75, inBody: 0.33, inPath: 0.75},
		half:   3,
	}
)

// measures tells how much a term counts for a node.
type measures struct {
	sizes   []sizes // by place
	modules []bool
	symbol  measure
	file    measure
}

// measure is a profile, and the mean sizes of its nodes.
type measure struct {
	profile
	mean [fields]float64
}

func newMeasures(sizes []sizes, modules []bool) *measures {
	m := &measures{sizes: sizes, modules: modules, symbol: measure{profile: symbolProfile}, file: measure{profile: fileProfile}}
	n := 0
	for place := range sizes {
		to := m.of(uint32(place))
		if modules[place] {
			n++
		}
		for in, size := range sizes[place] {
			to.mean[in] += float64(size)
		}
	}
	for in := range fields {
		m.file.mean[in] /= float64(max(1, n))
		m.symbol.mean[in] /= float64(max(1, len(sizes)-n))
	}
	return m
}

// of returns the measure for the node of a place.
func (m *measures) of(place uint32) *measure {
	if m.modules[place] {
		return &m.file
	}
	return &m.symbol
}

// most is what a term counts that fills a node.
const most = math.MaxUint8

// impact returns how much a term counts, from 1 to most.
func (m *measures) impact(place uint32, t times) uint8 {
	x, size, sum := m.of(place), &m.sizes[place], 0.0
	t.each(func(in field, n int) {
		long := float64(size[in]) / max(x.mean[in], 1e-9)
		sum += x.weight[in] * float64(n) / (1 - x.length[in] + x.length[in]*long)
	})
	return uint8(max(1, math.Round(most*sum/(sum+x.half))))
}
