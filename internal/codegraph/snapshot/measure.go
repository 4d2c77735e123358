package snapshot

import "math"

// field is a searchable part of a node.
type field int

// The fields.
const (
	inName      field = iota
	inQualified       // the names of the enclosing declarations
	inSignature
	inDoc
	inBody
	inPath
	fields
)

// times counts the occurrences of a term in each field of a node, in a few bits per field to save memory.
type times uint32

// room is the number of bits of each field.
var room = [fields]uint{inName: 4, inQualified: 3, inSignature: 5, inDoc: 5, inBody: 12, inPath: 3}

// shifts are where the bits of each field begin.
var shifts = func() (at [fields]uint) {
	next := uint(0)
	for in, bits := range room {
		at[in] = next
		next += bits
	}
	return at
}()

// sizes are the numbers of words in each field of a node.
type sizes [fields]uint32

// profile holds the parameters of BM25F (Robertson and Zaragoza, 2009) for some nodes: the weight of each field,
// its length normalisation, and the saturation. docs/retrieval.md has the measurements they were chosen by.
type profile struct {
	weight, length [fields]float64
	half           float64
}

// symbolProfile is for symbols, fileProfile for modules, which stand for files.
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

// measures computes the impacts of terms on nodes.
type measures struct {
	sizes   []sizes // by place
	modules []bool
	symbol  measure
	file    measure
	node    impacts
}

// measure is a profile with the mean sizes of its nodes.
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
		m.file.mean[in] = rounded(m.file.mean[in] / float64(max(1, n)))
		m.symbol.mean[in] = rounded(m.symbol.mean[in] / float64(max(1, len(sizes)-n)))
	}
	return m
}

// meanStep is the ratio of two means that are not the same.
const meanStep = 1.05

// rounded returns the nearest power of meanStep, so that most updates of a graph leave the impacts of what they do not touch as they are.
func rounded(mean float64) float64 {
	if mean <= 0 {
		return 0
	}
	return math.Pow(meanStep, math.Round(math.Log(mean)/math.Log(meanStep)))
}

// agree reports whether a term has the same impact by both on a node of one size.
func (m *measures) agree(other *measures) bool {
	return m.symbol.mean == other.symbol.mean && m.file.mean == other.file.mean
}

// of returns the measure for the node at a place.
func (m *measures) of(place uint32) *measure {
	if m.modules[place] {
		return &m.file
	}
	return &m.symbol
}

// maxImpact is the impact of a term that fills a node.
const maxImpact = math.MaxUint8

// impacts computes the impacts of terms on one node.
type impacts struct {
	*measure
	long [fields]float64 // what the size of each field divides its weight by
	// The impacts that were asked for last.
	times [1 << knownBits]times
	known [1 << knownBits]uint8
}

// knownBits is the logarithm of the number of impacts that are kept: many terms occur as often in a node.
const knownBits = 4

// at returns the impacts on the node at a place, valid until it is called again.
func (m *measures) at(place uint32) *impacts {
	x, size := m.of(place), &m.sizes[place]
	m.node = impacts{measure: x}
	for in := range fields {
		long := float64(size[in]) / max(x.mean[in], 1e-9)
		m.node.long[in] = 1 - x.length[in] + x.length[in]*long
	}
	return &m.node
}

// of returns the impact of a term, from 1 to most.
func (m *impacts) of(t times) uint8 {
	at := uint32(t) * 0x9e3779b1 >> (32 - knownBits)
	if m.times[at] == t && t != 0 {
		return m.known[at]
	}
	sum, left := 0.0, t
	for in := 0; left != 0; in++ {
		if n := left & (1<<room[in] - 1); n > 0 {
			sum += m.weight[in] * float64(n) / m.long[in]
		}
		left >>= room[in]
	}
	m.times[at], m.known[at] = t, uint8(max(1, math.Round(maxImpact*sum/(sum+m.half))))
	return m.known[at]
}
