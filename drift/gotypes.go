package drift

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// goTypes writes the Go types of one skeleton in a canonical form: without parameter names,
// aliases resolved, packages by import path. It reads type expressions in the skeleton, never
// source files.
type goTypes struct {
	read     func(text string) code.Type
	aliases  map[string]map[string]code.Type // folder -> name -> aliased type
	symbols  map[string]*code.Symbol         // folder and name -> symbol, also internal ones
	imports  map[string][]string             // local name -> import paths
	folders  []string                        // with Go files
	formerly map[string]string               // folder and name of a renamed internal type -> its old name

	outside func(folder, importPath string) *code.Skeleton // a package outside the skeleton; nil if none is known
	foreign map[string]map[string][]string                 // folder of such a package -> what imports is for the skeleton
}

func newGoTypes(s *code.Skeleton, types *lang.Types, outside func(folder, importPath string) *code.Skeleton) goTypes {
	g := goTypes{
		read:    func(text string) code.Type { return types.Of("go", text) },
		aliases: map[string]map[string]code.Type{}, symbols: map[string]*code.Symbol{}, imports: importNames(s.Imports),
		outside: outside, foreign: map[string]map[string][]string{},
	}
	g.folders = g.learn(s)
	return g
}

// learn adds the symbols of a skeleton to the known ones, and returns their folders.
func (g goTypes) learn(s *code.Skeleton) []string {
	var folders []string
	for _, list := range [][]code.Symbol{s.Internals, s.Exports} {
		for i := range list {
			sym := &list[i]
			if !compatOf(sym.File, s.Language).exact {
				continue
			}
			dir := path.Dir(sym.File)
			g.symbols[id(dir, sym.Name)] = sym
			if !slices.Contains(folders, dir) {
				folders = append(folders, dir)
			}
			if to, ok := aliasOf(sym); ok {
				if g.aliases[dir] == nil {
					g.aliases[dir] = map[string]code.Type{}
				}
				g.aliases[dir][sym.Name] = g.read(to)
			}
		}
	}
	return folders
}

// aliasOf returns the type of a Go alias declaration without type parameters.
func aliasOf(s *code.Symbol) (string, bool) {
	if s.Kind == code.Function || s.Kind == code.Const || s.Kind == code.Variable || len(s.TypeParameters) > 0 {
		return "", false
	}
	_, after, ok := strings.Cut(s.Signature, s.Name)
	to, isAlias := strings.CutPrefix(strings.TrimSpace(after), "=")
	return strings.TrimSpace(to), ok && isAlias
}

var majorVersion = lazyregexp.New(`^v[0-9]+$`)

// importNames maps package names to import paths.
func importNames(list []code.Import) map[string][]string {
	out := map[string][]string{}
	for _, i := range list {
		name := i.Namespace
		if name == "" {
			name = path.Base(i.Module)
			if majorVersion.MatchString(name) {
				name = path.Base(path.Dir(i.Module))
			}
			name, _, _ = strings.Cut(strings.TrimPrefix(name, "go-"), ".")
		}
		if !slices.Contains(out[name], i.Module) {
			out[name] = append(out[name], i.Module)
		}
	}
	return out
}

// formerNames finds unexported types that were only renamed and maps the new name to the old
// one, because users see no change.
func (g *goTypes) formerNames(base goTypes) {
	g.formerly = map[string]string{}
	print := func(s *code.Symbol) string {
		return id(path.Dir(s.File), string(s.Kind), nameless(squeeze(s.Signature), s.Name), digestOf(s.Members))
	}
	gone := map[string][]*code.Symbol{}
	for k, s := range base.symbols {
		if group(s.Kind) == "type" && !s.Exported && g.symbols[k] == nil {
			gone[print(s)] = append(gone[print(s)], s)
		}
	}
	if len(gone) == 0 {
		return
	}
	come := map[string][]*code.Symbol{}
	for k, s := range g.symbols {
		if group(s.Kind) == "type" && base.symbols[k] == nil {
			come[print(s)] = append(come[print(s)], s)
		}
	}
	for text, olds := range gone {
		if news := come[text]; len(olds) == 1 && len(news) == 1 {
			g.formerly[id(path.Dir(news[0].File), news[0].Name)] = olds[0].Name
		}
	}
}

// canon returns the canonical form of a type that is written in s's file.
func (g goTypes) canon(s *code.Symbol, text string) string {
	if strings.HasPrefix(text, "...") {
		return "..." + g.canon(s, text[3:])
	}
	return g.writer(s).text(g.read(text))
}

func (g goTypes) writer(s *code.Symbol) goWriter {
	w := goWriter{types: g, folder: path.Dir(s.File), names: map[string]string{}, depth: maxAliases}
	for i, name := range typeNames(s.TypeParameters) {
		w.names[name] = "$" + strconv.Itoa(i)
	}
	return w
}

// typeNames returns the names of type parameters: "K, V any" gives two.
func typeNames(list []string) []string {
	var out []string
	for _, text := range list {
		for part := range strings.SplitSeq(text, ",") {
			if f := strings.Fields(part); len(f) > 0 {
				out = append(out, f[0])
			}
		}
	}
	return out
}

// params returns the types of a parameter list.
func (g goTypes) params(s *code.Symbol, list []code.Param) string {
	out := make([]string, len(list))
	for i, q := range list {
		t := strings.TrimPrefix(q.Type, "...")
		out[i] = g.canon(s, t)
		if q.Variadic {
			out[i] = "..." + out[i]
		}
	}
	return strings.Join(out, ",")
}

// result returns the types of a result list as text: "error", "(n int, err error)".
func (g goTypes) result(s *code.Symbol, text string) string {
	if text == "" {
		return ""
	}
	return g.canon(s, "func() "+text)
}

// constraints returns the constraints of a symbol's type parameters.
func (g goTypes) constraints(s *code.Symbol) string {
	out := make([]string, len(s.TypeParameters))
	for i, text := range s.TypeParameters {
		name, bound, _ := strings.Cut(strings.TrimSpace(text), " ")
		if strings.HasSuffix(name, ",") {
			out[i] = squeeze(text)
			continue
		}
		out[i] = g.canon(s, bound)
	}
	return strings.Join(out, ",")
}

// valueType returns the type of a constant or variable, as written or as inferred from its
// value, and its canonical form; "" if neither is possible.
func (g goTypes) valueType(s *code.Symbol) (text, canonical string) {
	switch {
	case s.Kind == code.Function:
		canonical = g.params(s, s.Params) + "->" + g.result(s, s.Returns)
	case s.Returns != "" || s.Kind == code.Const:
		return s.Returns, g.canon(s, s.Returns)
	default:
		if expr, err := parser.ParseExpr(s.Value); err == nil {
			w := goWriter{types: g, folder: path.Dir(s.File), value: s.Value, depth: maxAliases}
			canonical = g.infer(w, expr)
		}
	}
	return canonical, canonical
}

// infer returns the type of an expression whose type is evident.
func (g goTypes) infer(w goWriter, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.CompositeLit:
		if e.Type != nil {
			return w.at(e.Type)
		}
	case *ast.UnaryExpr:
		if inner := g.infer(w, e.X); e.Op == token.AND && inner != "" {
			return "*" + inner
		}
	case *ast.FuncLit:
		return w.at(e.Type)
	case *ast.BasicLit:
		return map[token.Token]string{token.INT: "int", token.FLOAT: "float64", token.STRING: "string", token.CHAR: "int32"}[e.Kind]
	case *ast.CallExpr:
		return g.inferCall(w, e)
	}
	return ""
}

func (g goTypes) inferCall(w goWriter, e *ast.CallExpr) string {
	switch f := e.Fun.(type) {
	case *ast.Ident:
		switch {
		case f.Name == "make" && len(e.Args) > 0:
			return w.at(e.Args[0])
		case f.Name == "new" && len(e.Args) == 1:
			return "*" + w.at(e.Args[0])
		}
		s := g.symbols[id(w.folder, f.Name)]
		switch {
		case s == nil:
		case s.Kind == code.Function && s.Returns != "" && len(s.TypeParameters) == 0:
			return strings.TrimPrefix(g.canon(s, s.Returns), "func()")
		case group(s.Kind) == "type":
			return w.at(f)
		}
	case *ast.SelectorExpr:
		if text := w.at(f); text == "errors.New" || text == "fmt.Errorf" {
			return "error"
		}
	case *ast.ArrayType, *ast.MapType, *ast.FuncType, *ast.ParenExpr:
		return w.at(f)
	}
	return ""
}

// maxAliases limits chains of aliases.
const maxAliases = 8

// numbers lists Go's number types, each after those it can hold.
var numbers = [][]string{
	{"uint8", "uint16", "uint32", "uint", "uint64"},
	{"int8", "int16", "int32", "int", "int64"},
	{"float32", "float64"},
	{"complex64", "complex128"},
}

// widerNumber reports whether b is a number type that holds all of a.
func widerNumber(a, b string) bool {
	for _, row := range numbers {
		i, j := slices.Index(row, a), slices.Index(row, b)
		if i >= 0 && j > i {
			return true
		}
	}
	return false
}

// importedAs returns the packages that a name may mean in a folder: those that files of it import.
func (g goTypes) importedAs(folder, name string) []string {
	if own, ok := g.foreign[folder]; ok {
		return own[name]
	}
	return g.imports[name]
}

// elsewhere returns a type of a package that a folder imports. ok is false if the package cannot be read.
func (g goTypes) elsewhere(folder, importPath, name string) (t *code.Symbol, ok bool) {
	if g.outside == nil {
		return nil, false
	}
	s := g.outside(folder, importPath)
	if s == nil {
		return nil, false
	}
	if _, known := g.foreign[s.FilePath]; !known && !slices.Contains(g.folders, s.FilePath) {
		g.foreign[s.FilePath] = importNames(s.Imports)
		g.learn(s)
	}
	return g.symbols[id(s.FilePath, name)], true
}
