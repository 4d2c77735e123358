package golang

import (
	"go/ast"
	"go/token"
)

// A node of go/ast computes its start from its first part, recursively, which is quadratic for
// all nodes of a call chain. The functions below compute each position once.

// longWay is the number of steps from which a position is cached.
const longWay = 16

// pos returns the start of n.
func (g *reader) pos(n ast.Node) token.Pos { return g.edge(n, g.starts, firstPart, ast.Node.Pos) }

// endPos returns the end of n.
func (g *reader) endPos(n ast.Node) token.Pos { return g.edge(n, g.ends, lastPart, ast.Node.End) }

// edge follows part from n to a node that has none, and returns its position. The positions of
// nodes more than longWay steps away are cached in known.
func (g *reader) edge(n ast.Node, known map[ast.Node]token.Pos, part func(ast.Node) ast.Node, at func(ast.Node) token.Pos) token.Pos {
	x := n
	for range longWay {
		next := part(x)
		if next == nil {
			return at(x)
		}
		x = next
		g.Meter().Add(1)
	}
	return g.farEdge(n, known, part, at)
}

// farEdge is edge for nodes that may be far from it.
func (g *reader) farEdge(n ast.Node, known map[ast.Node]token.Pos, part func(ast.Node) ast.Node, at func(ast.Node) token.Pos) token.Pos {
	var way []ast.Node
	found := token.NoPos
	for x := n; ; {
		p, ok := known[x]
		if ok {
			found = p
			break
		}
		next := part(x)
		if next == nil {
			found = at(x)
			break
		}
		way = append(way, x)
		x = next
		g.Meter().Add(1)
	}
	for i, x := range way {
		if len(way)-i > longWay && i%longWay == 0 {
			known[x] = found
		}
	}
	return found
}

// firstPart returns the expression at the start of n; nil if n has its own start.
func firstPart(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.CallExpr:
		return n.Fun
	case *ast.SelectorExpr:
		return n.X
	case *ast.IndexExpr:
		return n.X
	case *ast.IndexListExpr:
		return n.X
	case *ast.SliceExpr:
		return n.X
	case *ast.TypeAssertExpr:
		return n.X
	case *ast.BinaryExpr:
		return n.X
	case *ast.ExprStmt:
		return n.X
	}
	return nil
}

// lastPart returns the node at the end of n; nil if n has its own end.
func lastPart(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return n.Y
	case *ast.UnaryExpr:
		return n.X
	case *ast.StarExpr:
		return n.X
	case *ast.ArrayType:
		return n.Elt
	case *ast.MapType:
		return n.Value
	case *ast.ChanType:
		return n.Value
	case *ast.KeyValueExpr:
		return n.Value
	case *ast.ExprStmt:
		return n.X
	case *ast.LabeledStmt:
		return n.Stmt
	case *ast.IfStmt:
		if n.Else != nil {
			return n.Else
		}
	}
	return nil
}

// each is like [ast.Inspect] and counts the steps.
func (g *reader) each(n ast.Node, f func(ast.Node) bool) {
	m := g.Meter()
	ast.Inspect(n, func(part ast.Node) bool {
		m.Add(1)
		return f(part)
	})
}
