package golang

import (
	"go/ast"
	"go/token"
)

// A node of go/ast finds where it starts by asking its first part, and so on: the
// last link of a chain asks all links. Here each is asked once.

// longWay is after how many parts a position is kept.
const longWay = 16

// pos is where n starts.
func (g *goReader) pos(n ast.Node) token.Pos { return g.edge(n, g.starts, goFirstPart, ast.Node.Pos) }

// endPos is where n ends.
func (g *goReader) endPos(n ast.Node) token.Pos { return g.edge(n, g.ends, goLastPart, ast.Node.End) }

// edge follows part from n to what has none, whose position it returns. It keeps
// the position of every node that is a long way from there.
func (g *goReader) edge(n ast.Node, known map[ast.Node]token.Pos, part func(ast.Node) ast.Node, at func(ast.Node) token.Pos) token.Pos {
	var few [longWay]ast.Node
	way := few[:0]
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

// goFirstPart is the expression that n starts with; nil where n starts by itself.
func goFirstPart(n ast.Node) ast.Node {
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

// goLastPart is what n ends with; nil where it ends by itself.
func goLastPart(n ast.Node) ast.Node {
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

// each is [ast.Inspect], its steps counted.
func (g *goReader) each(n ast.Node, f func(ast.Node) bool) {
	m := g.Meter()
	ast.Inspect(n, func(part ast.Node) bool {
		m.Add(1)
		return f(part)
	})
}
