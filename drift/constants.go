package drift

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// maxShift limits the shifts that are evaluated.
const maxShift = 4096

// constant returns the value of a Go constant computed from literals, iota and other constants
// of its folder, or nil if it depends on anything else.
func (g goTypes) constant(s *code.Symbol, depth int) constant.Value {
	text, iota := s.Value, int64(-1)
	if head, tail, ok := strings.Cut(s.Value, " (iota = "); ok {
		n, err := strconv.ParseInt(strings.TrimSuffix(tail, ")"), 10, 64)
		if err != nil {
			return nil
		}
		text, iota = head, n
	}
	expr, err := parser.ParseExpr(text)
	if err != nil || depth == 0 {
		return nil
	}
	return evaluator{g, path.Dir(s.File), iota, depth}.value(expr)
}

// evaluator evaluates constant expressions.
type evaluator struct {
	types  goTypes
	folder string
	iota   int64 // -1 outside a group that uses it
	depth  int
}

func (v evaluator) value(e ast.Expr) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		return known(constant.MakeFromLiteral(e.Value, e.Kind, 0))
	case *ast.ParenExpr:
		return v.value(e.X)
	case *ast.Ident:
		return v.name(e.Name)
	case *ast.UnaryExpr:
		x := v.value(e.X)
		if x == nil || e.Op == token.NOT != (x.Kind() == constant.Bool) || x.Kind() == constant.String || e.Op == token.XOR {
			return nil // ^x depends on the type's width
		}
		return known(constant.UnaryOp(e.Op, x, 0))
	case *ast.BinaryExpr:
		return v.binary(e.Op, v.value(e.X), v.value(e.Y))
	case *ast.CallExpr: // a conversion
		if id, ok := e.Fun.(*ast.Ident); ok && len(e.Args) == 1 && id.Name != "len" && id.Name != "cap" {
			return v.value(e.Args[0])
		}
	}
	return nil
}

func known(x constant.Value) constant.Value {
	if x == nil || x.Kind() == constant.Unknown {
		return nil
	}
	return x
}

func (v evaluator) name(name string) constant.Value {
	switch {
	case name == "true" || name == "false":
		return constant.MakeBool(name == "true")
	case name == "iota" && v.iota >= 0:
		return constant.MakeInt64(v.iota)
	}
	s := v.types.symbols[id(v.folder, name)]
	if s == nil || s.Kind != code.Const {
		return nil
	}
	return v.types.constant(s, v.depth-1)
}

// binary evaluates x op y if Go permits it.
func (v evaluator) binary(op token.Token, x, y constant.Value) constant.Value {
	if x == nil || y == nil {
		return nil
	}
	if op == token.SHL || op == token.SHR {
		return shift(x, op, y)
	}
	if !permitted(op, x, y) {
		return nil
	}
	if op == token.QUO && x.Kind() == constant.Int && y.Kind() == constant.Int {
		op = token.QUO_ASSIGN // go/constant's sign for integer division
	}
	return known(constant.BinaryOp(x, op, y))
}

// permitted reports whether Go permits an operator between two constants.
func permitted(op token.Token, x, y constant.Value) bool {
	integers := x.Kind() == constant.Int && y.Kind() == constant.Int
	switch op {
	case token.QUO:
		return numeric(x) && numeric(y) && constant.Sign(y) != 0
	case token.REM:
		return integers && constant.Sign(y) != 0
	case token.ADD:
		return numeric(x) && numeric(y) || x.Kind() == constant.String && y.Kind() == constant.String
	case token.SUB, token.MUL:
		return numeric(x) && numeric(y)
	case token.AND, token.OR, token.XOR, token.AND_NOT:
		return integers
	default:
		return false
	}
}

func shift(x constant.Value, op token.Token, y constant.Value) constant.Value {
	n, exact := constant.Uint64Val(constant.ToInt(y))
	if x = constant.ToInt(x); !exact || n > maxShift || x.Kind() != constant.Int {
		return nil
	}
	return constant.Shift(x, op, uint(n))
}

func numeric(x constant.Value) bool {
	return x.Kind() == constant.Int || x.Kind() == constant.Float
}

// sameConstant compares two Go constants by value. ok is false if one of them cannot be
// evaluated.
func (d *differ) sameConstant(p pair) (same, ok bool) {
	a, b := d.goBase.constant(p.old, maxAliases), d.goNow.constant(p.now, maxAliases)
	if a == nil || b == nil {
		return false, false
	}
	if a.Kind() != b.Kind() && (!numeric(a) || !numeric(b)) {
		return false, true
	}
	return constant.Compare(a, token.EQL, b), true
}

// equalConstants reports whether two Go constants are known to be equal.
func (d *differ) equalConstants(p pair) bool {
	if !p.compat.exact {
		return false
	}
	same, ok := d.sameConstant(p)
	return same && ok
}
