// Package eval compiles the expressions of a query to functions over rows.
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

// Expr is a compiled expression. It modifies only its own slots of the row (see [Scope.Local]), so a row must not
// be used concurrently.
type Expr func(ctx context.Context, r Row) (value.Value, error)

// Graph is the part of a graph that expressions read.
type Graph interface {
	// Labels returns the labels of each node.
	Labels(ctx context.Context, ids []codegraph.ID) ([][]string, error)
	// Properties returns the values of properties, by node and key; nil for missing ones.
	Properties(ctx context.Context, ids []codegraph.ID, keys ...string) ([][]value.Value, error)
	// Keys returns the sorted names of each node's properties.
	Keys(ctx context.Context, ids []codegraph.ID) ([][]string, error)
}

// Compiler compiles the expressions of one query.
type Compiler struct {
	Graph      Graph
	Parameters map[string]value.Value
	// Subquery compiles expressions with patterns: *syntax.PatternComprehension, *syntax.PatternPredicate and
	// *syntax.Subquery. Variables that are not in the scope belong to the pattern.
	Subquery func(e syntax.Expr, s *Scope) (Expr, error)
}

// Scope maps names to slots of a row.
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

// Add allocates a slot for a name.
func (s *Scope) Add(name string) int {
	slot := s.Hidden()
	s.slots[name] = slot
	return slot
}

// Hidden allocates a slot without a name.
func (s *Scope) Hidden() int {
	*s.width++
	return *s.width - 1
}

// Loaded returns the slot that holds a property of a variable, if it has been loaded.
func (s *Scope) Loaded(variable, key string) (slot int, ok bool) {
	slot, ok = s.loaded[property{variable, key}]
	return slot, ok
}

// Load records that a slot holds a property of a variable.
func (s *Scope) Load(variable, key string, slot int) { s.loaded[property{variable, key}] = slot }

// Inner returns a scope over the same rows. Names added to it are not visible in s.
func (s *Scope) Inner() *Scope {
	return &Scope{slots: maps.Clone(s.slots), loaded: maps.Clone(s.loaded), width: s.width}
}

// Bind assigns an existing slot to a name. Properties loaded for the name are forgotten.
func (s *Scope) Bind(name string, slot int) {
	maps.DeleteFunc(s.loaded, func(p property, _ int) bool { return p.variable == name })
	s.slots[name] = slot
}

// Keep removes all names from the scope except the given ones.
func (s *Scope) Keep(names []string) {
	maps.DeleteFunc(s.slots, func(name string, _ int) bool { return !slices.Contains(names, name) })
	maps.DeleteFunc(s.loaded, func(p property, _ int) bool { return !slices.Contains(names, p.variable) })
}

// Local returns a scope over the same rows with one more name, which may shadow another.
func (s *Scope) Local(name string) (inner *Scope, slot int) {
	inner, slot = s.Inner(), s.Hidden()
	inner.Bind(name, slot)
	return inner, slot
}

// Names returns the sorted names of the scope.
func (s *Scope) Names() []string {
	return slices.Sorted(maps.Keys(s.slots))
}

// Width returns the number of slots of a row, after everything is compiled.
func (s *Scope) Width() int { return *s.width }
