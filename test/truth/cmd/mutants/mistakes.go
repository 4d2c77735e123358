package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mistake is a change of one place of a file.
type mistake struct {
	file      string
	from, to  int // offsets
	text      string
	what      string
	signature bool // of the function's head
}

func (m mistake) String() string { return filepath.Base(m.file) + ": " + m.what }

// mistakes are all that can be made in the exported functions of a package, as they
// stand in its files.
func mistakes(dir string) ([]mistake, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []mistake
	for _, f := range files {
		ours, err := build.Default.MatchFile(dir, f.Name())
		if err != nil || !ours || !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		m := maker{file: filepath.Join(dir, f.Name()), set: token.NewFileSet()}
		if err := m.read(); err != nil {
			return nil, err
		}
		out = append(out, m.out...)
	}
	return out, nil
}

// maker finds the places in one file.
type maker struct {
	file string
	src  string
	set  *token.FileSet
	fn   *ast.FuncDecl
	out  []mistake
}

func (m *maker) read() error {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return err
	}
	m.src = string(text)
	f, err := parser.ParseFile(m.set, m.file, text, 0)
	if err != nil {
		return err
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || !fn.Name.IsExported() || !ast.IsExported(receiver(fn)) {
			continue
		}
		m.fn = fn
		m.head()
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			m.node(n)
			return n != nil
		})
	}
	return nil
}

// receiver is the name of a method's type; of a function its own.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// put notes a mistake: what stands between two places is replaced.
func (m *maker) put(from, to token.Pos, text, what string, signature bool) {
	name := m.fn.Name.Name
	if m.fn.Recv != nil {
		name = receiver(m.fn) + "." + name
	}
	m.out = append(m.out, mistake{
		file: m.file, from: m.set.Position(from).Offset, to: m.set.Position(to).Offset, text: text,
		what: fmt.Sprintf("%s, line %d: %s", name, m.set.Position(from).Line, what), signature: signature,
	})
}

// source is the text of a node.
func (m *maker) source(n ast.Node) string {
	return m.src[m.set.Position(n.Pos()).Offset:m.set.Position(n.End()).Offset]
}

// head makes the mistakes in a function's signature.
func (m *maker) head() {
	fn := m.fn
	m.put(fn.Name.Pos(), fn.Name.End(), fn.Name.Name+"Renamed", "it is renamed", true)
	m.put(fn.Pos(), fn.End(), "", "it is removed", true)
	for _, p := range fn.Type.Params.List {
		if _, variadic := p.Type.(*ast.Ellipsis); !variadic {
			m.put(p.Type.Pos(), p.Type.End(), "[]"+m.source(p.Type), "a parameter has another type", true)
		}
	}
	if fn.Type.Results == nil {
		m.put(fn.Type.Params.End(), fn.Type.Params.End(), " error", "it has a result", true)
		return
	}
	for _, r := range fn.Type.Results.List {
		m.put(r.Type.Pos(), r.Type.End(), "*"+m.source(r.Type), "a result has another type", true)
	}
}

// swapped is what each operator is mistaken for.
var swapped = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.LEQ, token.LEQ: token.LSS,
	token.GTR: token.GEQ, token.GEQ: token.GTR, token.ADD: token.SUB, token.SUB: token.ADD,
	token.MUL: token.QUO, token.QUO: token.MUL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR, token.OR: token.AND,
}

// node makes the mistakes in one node of a body.
func (m *maker) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		m.put(n.Cond.Pos(), n.Cond.End(), "!("+m.source(n.Cond)+")", "a condition is negated", false)
	case *ast.BinaryExpr:
		if other, ok := swapped[n.Op]; ok {
			end := n.OpPos + token.Pos(len(n.Op.String()))
			m.put(n.OpPos, end, other.String(), n.Op.String()+" is "+other.String(), false)
		}
	case *ast.BasicLit:
		if value, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
			m.put(n.Pos(), n.End(), strconv.Itoa(value+1), n.Value+" is one more", false)
		}
	case *ast.ExprStmt, *ast.IncDecStmt:
		m.put(n.Pos(), n.End(), "", "a statement is dropped: "+m.source(n), false)
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			m.put(n.Pos(), n.End(), "", "a statement is dropped: "+m.source(n), false)
		}
	case *ast.ReturnStmt:
		m.zero(n)
	}
}

// zero makes a function return nothing but zero values.
func (m *maker) zero(n *ast.ReturnStmt) {
	results := m.fn.Type.Results
	if results == nil || len(n.Results) == 0 {
		return
	}
	var zeros []string
	for _, r := range results.List {
		for range max(len(r.Names), 1) {
			zeros = append(zeros, "*new("+m.source(r.Type)+")")
		}
	}
	if text := strings.Join(zeros, ", "); len(zeros) == len(n.Results) && !m.isZero(n) {
		m.put(n.Results[0].Pos(), n.End(), text, "zero is returned", false)
	}
}

// isZero reports whether a return statement returns what are zero values already.
func (m *maker) isZero(n *ast.ReturnStmt) bool {
	for _, r := range n.Results {
		switch m.source(r) {
		case "nil", "0", "false", `""`:
		default:
			return false
		}
	}
	return true
}
