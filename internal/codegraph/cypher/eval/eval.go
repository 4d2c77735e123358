// Package eval turns the expressions of a query into functions over rows.
package eval

import (
	"context"
	"maps"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// Row holds values by slot.
type Row = []value.Value

// Expr is an expression, ready to be evaluated. It does not change the row, but for
// the slots that are its own (see [Scope.Local]); a row is so for one goroutine.
type Expr func(ctx context.Context, r Row) (value.Value, error)

// Graph is what expressions ask of a graph.
type Graph interface {
	// Labels returns the labels of some nodes.
	Labels(ctx context.Context, ids []codegraph.ID) ([][]string, error)
	// Properties returns the values of some properties of some nodes, by node and then
	// by key; nil for what is not there.
	Properties(ctx context.Context, ids []codegraph.ID, keys ...string) ([][]value.Value, error)
	// Keys returns the names of the properties that are there, sorted, for each node.
	Keys(ctx context.Context, ids []codegraph.ID) ([][]string, error)
}

// Compiler compiles the expressions of one query that is about to run.
type Compiler struct {
	Graph      Graph
	Parameters map[string]value.Value
	// Subquery compiles what holds patterns: *syntax.PatternComprehension,
	// *syntax.PatternPredicate and *syntax.Exists. Variables that the scope does not
	// have are the pattern's own.
	Subquery func(e syntax.Expr, s *Scope) (Expr, error)
}

// Scope says in which slot of a row each name is.
type Scope struct {
	slots  map[string]int
	loaded map[property]int
	width  *int
}

// property is a property of a variable.
type property struct{ variable, key string }

// NewScope returns a scope without names.
func NewScope() *Scope {
	return &Scope{slots: map[string]int{}, loaded: map[property]int{}, width: new(int)}
}

// Slot returns the slot of a name.
func (s *Scope) Slot(name string) (slot int, ok bool) {
	slot, ok = s.slots[name]
	return slot, ok
}

// Add gives a name a slot.
func (s *Scope) Add(name string) int {
	slot := s.Hidden()
	s.slots[name] = slot
	return slot
}

// Hidden gives out a slot without a name.
func (s *Scope) Hidden() int {
	*s.width++
	return *s.width - 1
}

// Loaded returns the slot that has a property of a variable, which then need not be
// asked of the graph.
func (s *Scope) Loaded(variable, key string) (slot int, ok bool) {
	slot, ok = s.loaded[property{variable, key}]
	return slot, ok
}

// Load says that a slot has a property of a variable.
func (s *Scope) Load(variable, key string, slot int) { s.loaded[property{variable, key}] = slot }

// Inner returns a scope over the same rows. Names that it is given later are its own.
func (s *Scope) Inner() *Scope {
	return &Scope{slots: maps.Clone(s.slots), loaded: maps.Clone(s.loaded), width: s.width}
}

// Bind gives a name a slot that is there. What was loaded for the name is forgotten.
func (s *Scope) Bind(name string, slot int) {
	maps.DeleteFunc(s.loaded, func(p property, _ int) bool { return p.variable == name })
	s.slots[name] = slot
}

// Local returns a scope that has one name more, which may hide one that is there; its
// rows are the same.
func (s *Scope) Local(name string) (inner *Scope, slot int) {
	inner, slot = s.Inner(), s.Hidden()
	inner.Bind(name, slot)
	return inner, slot
}

// Names returns the names of the scope, sorted.
func (s *Scope) Names() []string {
	return slices.Sorted(maps.Keys(s.slots))
}

// Width returns how many slots a row has, once all is compiled.
func (s *Scope) Width() int { return *s.width }
