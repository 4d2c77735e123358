package eval

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Aggregate makes one value of those of many rows. It is for one goroutine.
type Aggregate interface {
	// Add takes in the values that the arguments have in one row.
	Add(args ...value.Value) error
	// Result returns the value so far.
	Result() value.Value
	// Size returns about how many bytes it holds.
	Size() int64
}

// Aggregation is a call that aggregates.
type Aggregation struct {
	// Args are the arguments, to be compiled in the scope of the rows; none for
	// count(*).
	Args []syntax.Expr
	// New begins a group.
	New func() Aggregate
}

// aggregate is a function that aggregates.
type aggregate struct {
	name string
	args int
	new  func() Aggregate
}

// aggregates are the functions that aggregate, by their names in small letters.
var aggregates = map[string]*aggregate{
	"count":          {"count", 1, func() Aggregate { return &count{} }},
	"collect":        {"collect", 1, func() Aggregate { return &collect{builder{list: value.List{}}} }},
	"sum":            {"sum", 1, func() Aggregate { return &sum{total: int64(0)} }},
	"avg":            {"avg", 1, func() Aggregate { return &moments{of: mean} }},
	"min":            {"min", 1, func() Aggregate { return &extreme{sign: -1} }},
	"max":            {"max", 1, func() Aggregate { return &extreme{sign: 1} }},
	"stdev":          {"stDev", 1, func() Aggregate { return &moments{of: sampleDeviation} }},
	"stdevp":         {"stDevP", 1, func() Aggregate { return &moments{of: deviation} }},
	"percentilecont": {"percentileCont", 2, func() Aggregate { return &percentile{of: between} }},
	"percentiledisc": {"percentileDisc", 2, func() Aggregate { return &percentile{of: nearestRank} }},
}

// IsAggregate says whether a function aggregates; the case of its name does not matter.
func IsAggregate(name string) bool {
	_, ok := aggregates[strings.ToLower(name)]
	return ok
}

// NewAggregation returns what a *[syntax.Call] or *[syntax.CountStar] aggregates; nil when
// the expression is none that does. The fault is a wrong number of arguments.
func NewAggregation(e syntax.Expr) (*Aggregation, error) {
	if _, ok := e.(*syntax.CountStar); ok {
		return &Aggregation{New: func() Aggregate { return &count{} }}, nil
	}
	call, ok := e.(*syntax.Call)
	if !ok || !IsAggregate(call.Name) {
		return nil, nil
	}
	a := aggregates[strings.ToLower(call.Name)]
	if err := checkCount(call, a.name, a.args, a.args); err != nil {
		return nil, err
	}
	return &Aggregation{Args: call.Args, New: func() Aggregate {
		if call.Distinct {
			return &onNamed{call, &distinct{seen: map[string]struct{}{}, of: a.new()}}
		}
		return &onNamed{call, a.new()}
	}}, nil
}

// onNamed passes on what is not null, and gives faults their place.
type onNamed struct {
	call *syntax.Call
	Aggregate
}

func (a *onNamed) Add(args ...value.Value) error {
	if args[0] == nil {
		return nil
	}
	return at(a.call.At, named(a.call.Name, a.Aggregate.Add(args...)))
}

// distinct passes on what is not the same as anything before.
type distinct struct {
	seen map[string]struct{}
	key  []byte
	size int64
	of   Aggregate
}

// sizeSeen is what an entry takes besides its key.
const sizeSeen = 40

func (d *distinct) Add(args ...value.Value) error {
	d.key = value.AppendKey(d.key[:0], args[0])
	if _, ok := d.seen[string(d.key)]; ok {
		return nil
	}
	d.seen[string(d.key)] = struct{}{}
	d.size += int64(len(d.key)) + sizeSeen
	return d.of.Add(args...)
}

func (d *distinct) Result() value.Value { return d.of.Result() }
func (d *distinct) Size() int64         { return d.size + d.of.Size() }

// sizeFixed is what an aggregate takes that holds a few numbers.
const sizeFixed = 64

// count counts what it is given.
type count struct{ n int64 }

func (c *count) Add(...value.Value) error {
	c.n++
	return nil
}

func (c *count) Result() value.Value { return c.n }
func (c *count) Size() int64         { return sizeFixed }

type collect struct{ builder }

func (c *collect) Add(args ...value.Value) error { return c.add(args[0]) }
func (c *collect) Result() value.Value           { return c.list }
func (c *collect) Size() int64                   { return sizeFixed + c.size }

// sum is an integer as long as all are.
type sum struct{ total value.Value }

func (s *sum) Add(args ...value.Value) error {
	if _, ok := value.Float64(args[0]); !ok {
		return &argumentError{message.Key("numbers"), args[0]}
	}
	total, err := value.Add(s.total, args[0])
	if err == nil {
		s.total = total
	}
	return err
}

func (s *sum) Result() value.Value { return s.total }
func (s *sum) Size() int64         { return sizeFixed }

// extreme is the last value in one direction of the order.
type extreme struct {
	sign int // 1 for the greatest
	best value.Value
	size int64
}

func (x *extreme) Add(args ...value.Value) error {
	if x.best == nil || value.Order(args[0], x.best)*x.sign > 0 {
		x.best, x.size = args[0], value.SizeOf(args[0])
	}
	return nil
}

func (x *extreme) Result() value.Value { return x.best }
func (x *extreme) Size() int64         { return sizeFixed + x.size }
