package eval

import (
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// moments are the count, the mean and the sum of squared deviations, updated by Welford's method, which does not
// lose precision as a sum of squares would.
type moments struct {
	n       int64
	mean    float64
	squares float64 // sum of squared deviations from the mean
	of      func(m *moments) value.Value
}

func (m *moments) Add(args ...value.Value) error {
	x, ok := value.Float64(args[0])
	if !ok {
		return &argumentError{message.Key("numbers"), args[0]}
	}
	m.n++
	away := x - m.mean
	m.mean += away / float64(m.n)
	m.squares += away * (x - m.mean)
	return nil
}

func (m *moments) Result() value.Value { return m.of(m) }
func (m *moments) Size() int64         { return sizeFixed }

// mean returns the mean; null if there are no numbers.
func mean(m *moments) value.Value {
	if m.n == 0 {
		return nil
	}
	return m.mean
}

// deviation returns the population standard deviation.
func deviation(m *moments) value.Value {
	return math.Sqrt(m.squares / float64(max(m.n, 1)))
}

// sampleDeviation returns the sample standard deviation; 0 for fewer than two numbers.
func sampleDeviation(m *moments) value.Value {
	return math.Sqrt(m.squares / float64(max(m.n-1, 1)))
}

// percentile holds all numbers and the requested fraction.
type percentile struct {
	numbers value.List
	part    float64
	of      func(sorted value.List, part float64) value.Value
}

func (p *percentile) Add(args ...value.Value) error {
	if _, ok := value.Float64(args[0]); !ok {
		return &argumentError{message.Key("numbers"), args[0]}
	}
	part, ok := value.Float64(args[1])
	if !ok {
		return &argumentError{message.Key("a number from 0 to 1"), args[1]}
	}
	if !(part >= 0 && part <= 1) {
		return outOfRange(message.New("a percentile is a number from 0 to 1, not %s", value.Format(args[1])))
	}
	if len(p.numbers) >= value.MaxList {
		return value.ErrTooLarge
	}
	p.part = part
	p.numbers = append(p.numbers, args[0])
	return nil
}

// sizeNumber is the size of a boxed number in a list.
const sizeNumber = 24

func (p *percentile) Size() int64 { return sizeFixed + sizeNumber*int64(len(p.numbers)) }

func (p *percentile) Result() value.Value {
	if len(p.numbers) == 0 {
		return nil
	}
	sorted := slices.SortedFunc(slices.Values(p.numbers), value.Order)
	return p.of(sorted, p.part)
}

// nearestRank returns one of the numbers.
func nearestRank(sorted value.List, part float64) value.Value {
	rank := int(math.Ceil(part * float64(len(sorted))))
	return sorted[max(rank-1, 0)]
}

// between interpolates between two numbers.
func between(sorted value.List, part float64) value.Value {
	position := part * float64(len(sorted)-1)
	low, high := int(math.Floor(position)), int(math.Ceil(position))
	a, _ := value.Float64(sorted[low])
	b, _ := value.Float64(sorted[high])
	if low == high {
		return a
	}
	return a + (b-a)*(position-float64(low))
}
