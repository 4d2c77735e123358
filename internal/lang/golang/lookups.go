package golang

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// leastLookup is the number of rows from which a literal is a table.
const leastLookup = 2

// lookup records the table that a literal is, and the pattern that a call compiles.
func (b *bodyReader) lookup(n ast.Node) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		b.table(n)
	case *ast.CallExpr:
		b.compiled(n)
	}
}

// table records a literal of an array or a map whose elements have literals.
func (b *bodyReader) table(n *ast.CompositeLit) {
	from := b.offset(b.pos(n))
	if from < b.known || len(n.Elts) < leastLookup {
		return
	}
	l := code.Lookup{Kind: code.LookupList, In: b.in(n), Name: b.assigned(n), Line: b.line(b.pos(n))}
	switch n.Type.(type) {
	case *ast.ArrayType:
	case *ast.MapType:
		l.Kind = code.LookupMap
	case *ast.Ident: // of type table map[string]int
		if !holdsValues(n) {
			return
		}
	default:
		return
	}
	for _, x := range n.Elts {
		if len(l.Rows) == code.MaxLookupRows {
			break
		}
		pair, keyed := x.(*ast.KeyValueExpr)
		if _, field := x.(*ast.KeyValueExpr); field && l.Kind == code.LookupList && !isArray(n.Type) {
			return // a struct
		}
		if !keyed {
			if !b.isData(x) {
				return
			}
			l.Rows = append(l.Rows, code.LookupRow{Value: b.row(x)})
			continue
		}
		if !b.isData(pair.Value) {
			return
		}
		l.Rows = append(l.Rows, code.LookupRow{Keys: []string{b.row(pair.Key)}, Value: b.row(pair.Value)})
		l.Kind = code.LookupMap
	}
	b.known = b.offset(b.endPos(n))
	b.out.Lookups = append(b.out.Lookups, l)
}

func isArray(x ast.Expr) bool {
	_, is := x.(*ast.ArrayType)
	return is
}

// holdsValues reports whether a literal of a named type is one of an array or a map: its elements or keys are literals.
func holdsValues(n *ast.CompositeLit) bool {
	first := n.Elts[0]
	if pair, ok := first.(*ast.KeyValueExpr); ok {
		first = pair.Key
	}
	switch first.(type) {
	case *ast.BasicLit, *ast.CompositeLit:
		return true
	}
	return false
}

// isData reports whether an expression says something by itself: a literal, a constant, a composite of such, a function.
func (b *bodyReader) isData(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return x.Name != "nil" || b.File.Test
	case *ast.SelectorExpr:
		return true
	case *ast.UnaryExpr:
		return b.isData(x.X)
	case *ast.BinaryExpr:
		return b.isData(x.X) && b.isData(x.Y)
	case *ast.CompositeLit:
		for _, e := range x.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				e = pair.Value
			}
			if !b.isData(e) {
				return false
			}
		}
		return len(x.Elts) > 0 || b.File.Test // a result may be empty
	case *ast.CallExpr:
		return len(x.Args) > 0 && !slices.ContainsFunc(x.Args, func(a ast.Expr) bool { return !b.isData(a) })
	}
	return false
}

func (b *bodyReader) row(x ast.Node) string {
	text := core.JoinedLines(b.withoutComments(x)) // spaces in a text count
	if len(text) > code.MaxLookupText {
		text = text[:code.MaxLookupText] + "…"
	}
	return text
}

// compiled records the pattern that regexp.MustCompile is given.
func (b *bodyReader) compiled(n *ast.CallExpr) {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok || len(n.Args) != 1 {
		return
	}
	of, ok := sel.X.(*ast.Ident)
	if !ok || of.Name != "regexp" {
		return
	}
	if lit, ok := n.Args[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
		b.out.Lookups = append(b.out.Lookups, code.Lookup{Kind: code.LookupPattern, In: b.in(n), Name: b.assigned(n), Rows: []code.LookupRow{{Value: b.row(lit)}}, Line: b.line(b.pos(n))})
	}
}

// rowsOf records the table that a test iterates over, with the names by which the test knows its parts.
func (b *bodyReader) rowsOf(n ast.Node) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		before := len(b.out.Lookups)
		b.table(n)
		if len(b.out.Lookups) > before {
			b.out.Lookups[before].Columns = b.columnsOf(n)
		}
	case *ast.AssignStmt: // tt := tests[i]
		b.indexed(n)
	case *ast.RangeStmt:
		name, direct := n.X.(*ast.Ident)
		if !direct { // the literal is visited next
			if lit, ok := n.X.(*ast.CompositeLit); ok {
				b.rowsOf(lit)
				b.ranged(n, len(b.out.Lookups)-1)
			}
			return
		}
		for i := len(b.out.Lookups) - 1; i >= 0; i-- {
			if l := &b.out.Lookups[i]; l.Name == name.Name && l.In == b.in(n) {
				b.ranged(n, i)
				return
			}
		}
		for i := range b.out.Lookups { // of the file, over which several tests may iterate
			if l := &b.out.Lookups[i]; l.Name == name.Name && (l.In == "" || l.In == l.Name) {
				own := *l
				own.In, own.Line = b.in(n), b.line(b.pos(n))
				b.out.Lookups = append(b.out.Lookups, own)
				b.ranged(n, len(b.out.Lookups)-1)
				return
			}
		}
	}
}

// indexed sets the variable that has the row, if that is taken by the index of the loop.
func (b *bodyReader) indexed(n *ast.AssignStmt) {
	if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
		return
	}
	row := n.Rhs[0]
	if address, ok := row.(*ast.UnaryExpr); ok {
		row = address.X
	}
	index, ok := row.(*ast.IndexExpr)
	if !ok || len(b.out.Lookups) == 0 {
		return
	}
	of, ok1 := index.X.(*ast.Ident)
	at, ok2 := index.Index.(*ast.Ident)
	to, ok3 := n.Lhs[0].(*ast.Ident)
	if l := &b.out.Lookups[len(b.out.Lookups)-1]; ok1 && ok2 && ok3 && l.Name == of.Name && l.Key == at.Name && l.Each == "" {
		l.Key, l.Each = "", to.Name
	}
}

// ranged sets the variables of a loop over the lookup with an index.
func (b *bodyReader) ranged(n *ast.RangeStmt, at int) {
	if at < 0 {
		return
	}
	l := &b.out.Lookups[at]
	if id, ok := n.Key.(*ast.Ident); ok {
		l.Key = id.Name
	}
	if id, ok := n.Value.(*ast.Ident); ok {
		l.Each = id.Name
	}
}

// columnsOf returns the fields of the rows of a table, if their type is written in it or in the file.
func (b *bodyReader) columnsOf(n *ast.CompositeLit) []string {
	var row ast.Expr
	switch t := n.Type.(type) {
	case *ast.ArrayType:
		row = t.Elt
	case *ast.MapType:
		row = t.Value
	}
	if star, ok := row.(*ast.StarExpr); ok {
		row = star.X
	}
	if name, ok := row.(*ast.Ident); ok {
		return b.fieldsOf(name.Name)
	}
	fields, ok := row.(*ast.StructType)
	if !ok {
		return nil
	}
	var out []string
	for _, f := range fields.Fields.List {
		for _, name := range f.Names {
			out = append(out, name.Name)
		}
	}
	return out
}

// fieldsOf returns the fields of a struct that the file declares.
func (b *bodyReader) fieldsOf(name string) []string {
	var out []string
	for i := range b.File.Symbols {
		if s := &b.File.Symbols[i]; s.Name == name && s.Kind == code.Struct {
			for j := range s.Members {
				if m := &s.Members[j]; m.Kind != code.Method && m.Kind != code.Function {
					out = append(out, m.Name)
				}
			}
		}
	}
	return out
}
