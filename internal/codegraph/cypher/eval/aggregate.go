package eval

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Aggregate computes one value from many rows. It is not safe for concurrent use.
type Aggregate interface {
	// Add adds the values of the arguments in one row.
	Add(args ...value.Value) error
	// Result returns the value so far.
	Result() value.Value
	// Size returns the approximate memory in use, in bytes.
	Size() int64
}

// Aggregation is a call of an aggregate function.
type Aggregation struct {
	// Args are the arguments, evaluated per row; nil for count(*).
	Args []syntax.Expr
	// New returns the aggregate of a new group.
	New func() Aggregate
}

// aggregate is an aggregate function.
type aggregate struct {
	name string
	args int
	new  func() Aggregate
}

// aggregates are the aggregate functions by lower-case name.
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

// IsAggregate reports whether name is that of an aggregate function, ignoring case.
func IsAggregate(name string) bool {
	_, ok := aggregates[strings.ToLower(name)]
	return ok
}

// Subjects returns the variables of the map projections in an expression, outside its aggregates. They are keys of the
// grouping: n {.name, all: collect(m)} is one value for each n.
func Subjects(e syntax.Expr) (variables []syntax.Expr) {
	syntax.Walk(e, func(e syntax.Expr) bool {
		switch e := e.(type) {
		case *syntax.MapProjection:
			variables = append(variables, e.Of)
		case *syntax.Call:
			return !IsAggregate(e.Name)
		case *syntax.Subquery:
			return false
		}
		return true
	})
	return variables
}

// NewAggregation returns the aggregation of a *[syntax.Call] or *[syntax.CountStar]; nil if the expression is not
// one. The error says that the number of arguments is wrong.
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
			return &namedAggregate{call, &distinct{seen: map[string]struct{}{}, of: a.new()}}
		}
		return &namedAggregate{call, a.new()}
	}}, nil
}

// namedAggregate skips null, and adds the function's name to errors.
type namedAggregate struct {
	call *syntax.Call
	Aggregate
}

func (a *namedAggregate) Add(args ...value.Value) error {
	if args[0] == nil {
		return nil
	}
	return at(a.call.At, named(a.call.Name, a.Aggregate.Add(args...)))
}

// distinct skips values that were added before.
type distinct struct {
	seen map[string]struct{}
	key  []byte
	size int64
	of   Aggregate
}

// sizeSeen is the size of a map entry without its key.
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

// sizeFixed is the size of an aggregate with a few numbers.
const sizeFixed = 64

// count counts values.
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

// sum is an integer as long as all values are.
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

// extreme is the minimum or maximum.
type extreme struct {
	sign int // 1 for the maximum
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
