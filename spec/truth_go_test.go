package spec_test

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// standardPackages are always compared with go/types.
var standardPackages = strings.Fields(`
	archive/tar archive/zip bufio bytes compress/gzip container/heap context crypto/tls crypto/x509 database/sql
	encoding/binary encoding/json encoding/xml errors flag fmt go/ast go/types hash/maphash html/template image io
	io/fs iter log/slog maps math math/big net net/http net/url os os/exec path/filepath reflect regexp runtime
	slices sort strconv strings sync sync/atomic testing text/template time unicode/utf8`)

// morePackages are also compared if REVERSE_SPEC_TRUTH is set, by make truth.
var morePackages = strings.Fields(`
	cmp compress/bzip2 compress/flate compress/lzw compress/zlib container/list container/ring crypto crypto/aes
	crypto/cipher crypto/des crypto/dsa crypto/ecdh crypto/ecdsa crypto/ed25519 crypto/elliptic crypto/hmac crypto/md5
	crypto/rand crypto/rsa crypto/sha256 crypto/sha512 crypto/subtle crypto/x509/pkix database/sql/driver debug/buildinfo
	debug/dwarf debug/elf debug/gosym debug/macho debug/pe embed encoding encoding/ascii85 encoding/asn1 encoding/base32
	encoding/base64 encoding/csv encoding/gob encoding/hex encoding/pem expvar go/build go/constant go/doc go/format
	go/importer go/parser go/printer go/scanner go/token go/version hash hash/adler32 hash/crc32 hash/fnv html image/color
	image/draw image/gif image/jpeg image/png index/suffixarray io/ioutil log math/bits math/cmplx math/rand math/rand/v2
	mime mime/multipart mime/quotedprintable net/http/cookiejar net/http/httptest net/http/httputil net/mail net/netip
	net/rpc net/smtp net/textproto os/signal os/user path plugin regexp/syntax runtime/debug runtime/metrics runtime/pprof
	runtime/trace structs testing/fstest testing/iotest testing/quick testing/slogtest testing/synctest text/scanner
	text/tabwriter text/template/parse time/tzdata unicode/utf16 unique weak`)

// TestSpecsOfTheStandardLibraryAgreeWithGoTypes generates specs and compares every exported
// declaration in them with the type checker: nothing missing, nothing extra, equal types.
func TestSpecsOfTheStandardLibraryAgreeWithGoTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: type-checks 47 packages and what they import")
	}
	root := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // the tests' own toolchain is meant
	if _, err := os.Stat(root); err != nil {
		t.Skipf("the standard library's sources are not installed: %v", err)
	}
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = "linux", "amd64", true
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "source", nil)
	packages, count := standardPackages, 0
	if os.Getenv("REVERSE_SPEC_TRUTH") != "" {
		packages = slices.Concat(packages, morePackages)
	}
	for _, path := range packages {
		t.Run(path, func(t *testing.T) {
			pkg := checked(t, &ctx, fset, imp, filepath.Join(root, path), path)
			p := packageProject(t, filepath.Join(root, path), path)
			s, _ := generate(t, p, path, spec.GenerateOptions{All: true})
			count += compare(t, pkg, p, s)
		})
	}
	t.Logf("%d packages, %d exported declarations", len(packages), count)
}

// compare compares a package's spec with go/types, and returns the number of declarations.
func compare(t *testing.T, pkg *types.Package, p *project.Project, s *spec.Spec) int {
	t.Helper()
	want := described(pkg)
	said, read, lacking := saysOf(t, p, s)
	if diff := cmp.Diff(want, valued(pkg, said)); diff != "" {
		t.Errorf("(-go/types +spec):\n%s", diff)
	}
	if diff := cmp.Diff(want, valued(pkg, read)); diff != "" {
		t.Errorf("section 3 read back (-go/types +spec):\n%s", diff)
	}
	for name, signature := range lacking {
		t.Errorf("%s: the spec's text lacks %s", name, signature)
	}
	return len(want)
}

// length matches a name as array length or type argument.
var length = regexp.MustCompile(`\[(?:(\w+)\.)?([A-Za-z_]\w*)\]`)

// valued replaces constants in array lengths by their values, because go/types knows only
// those.
func valued(pkg *types.Package, said map[string]string) map[string]string {
	scopes := map[string]*types.Scope{"": pkg.Scope()}
	for _, i := range pkg.Imports() {
		scopes[i.Name()] = i.Scope()
	}
	out := map[string]string{}
	for name, text := range said {
		out[name] = length.ReplaceAllStringFunc(text, func(found string) string {
			part := length.FindStringSubmatch(found)
			if scope := scopes[part[1]]; scope != nil {
				if c, ok := scope.Lookup(part[2]).(*types.Const); ok {
					return "[" + c.Val().ExactString() + "]"
				}
			}
			return found
		})
	}
	return out
}

// checked returns a package as go/types describes it.
func checked(t *testing.T, ctx *build.Context, fset *token.FileSet, imp types.Importer, dir, path string) *types.Package {
	t.Helper()
	p, err := ctx.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: imp, FakeImportC: true, IgnoreFuncBodies: true, Error: func(error) {}}
	pkg, _ := conf.Check(path, fset, files, nil) // names of cgo stay unresolved
	return pkg
}

// described returns the declarations of a package: name -> "kind type".
func described(pkg *types.Package) map[string]string {
	out := map[string]string{}
	for _, name := range pkg.Scope().Names() {
		if obj := pkg.Scope().Lookup(name); obj.Exported() {
			describe(out, obj, func(p *types.Package) string {
				if p == pkg {
					return ""
				}
				return p.Name()
			})
		}
	}
	return out
}

func describe(out map[string]string, obj types.Object, q types.Qualifier) {
	name := obj.Name()
	switch o := obj.(type) {
	case *types.Func:
		out[name] = "function " + signature(o.Signature(), q)
	case *types.Const:
		out[name] = "const"
	case *types.Var:
		out[name] = "variable"
	case *types.TypeName:
		out[name] = "type"
		if named, ok := o.Type().(*types.Named); ok {
			for m := range named.Methods() {
				if m.Exported() {
					out[name+"."+m.Name()] = "method " + signature(m.Signature(), q)
				}
			}
			members(out, name, named.Underlying(), q)
		} else if o.IsAlias() {
			members(out, name, o.Type().(*types.Alias).Rhs(), q) // of an unnamed type
		}
	}
}

// members describes the members of a struct or an interface.
func members(out map[string]string, name string, typ types.Type, q types.Qualifier) {
	switch u := typ.(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() {
				out[name+"."+f.Name()] = "field " + squeeze(types.TypeString(f.Type(), q))
			}
		}
	case *types.Interface:
		for m := range u.ExplicitMethods() {
			if m.Exported() {
				out[name+"."+m.Name()] = "method " + signature(m.Signature(), q)
			}
		}
	}
}

func signature(s *types.Signature, q types.Qualifier) string {
	var params, results []string
	for i := range s.Params().Len() {
		text := types.TypeString(s.Params().At(i).Type(), q)
		if s.Variadic() && i == s.Params().Len()-1 {
			text = "..." + strings.TrimPrefix(text, "[]")
		}
		params = append(params, squeeze(text))
	}
	for r := range s.Results().Variables() {
		results = append(results, squeeze(types.TypeString(r.Type(), q)))
	}
	return "(" + strings.Join(params, ",") + ")" + squeeze(joined(results))
}

func joined(results []string) string {
	if len(results) > 1 {
		return "(" + strings.Join(results, ",") + ")"
	}
	return strings.Join(results, "")
}

var layout = regexp.MustCompile(`[\s;]+`)

// ungrouped formats a type like go/types: "func(i, j int)" as "func(i int, j int)", without
// comments.
func ungrouped(typ string) string {
	rest, variadic := strings.CutPrefix(typ, "...")
	results := strings.HasPrefix(rest, "(")
	if results {
		rest = "func() " + rest
	}
	x, err := parser.ParseExpr(rest)
	if err != nil {
		return typ
	}
	ast.Inspect(x, func(n ast.Node) bool {
		if list, ok := n.(*ast.FieldList); ok {
			var out []*ast.Field
			for _, f := range list.List {
				if len(f.Names) < 2 {
					out = append(out, f)
					continue
				}
				for _, id := range f.Names {
					out = append(out, &ast.Field{Names: []*ast.Ident{id}, Type: f.Type})
				}
			}
			list.List = out
		}
		return true
	})
	text := types.ExprString(x)
	if results {
		text = strings.TrimPrefix(text, "func() ")
	}
	if variadic {
		text = "..." + text
	}
	return text
}

// squeeze removes the layout from a type.
func squeeze(text string) string { return layout.ReplaceAllString(text, "") }

// saysOf returns the declarations in the baseline, those parsed from section 3, and the
// signatures of the baseline that are missing in the Markdown.
func saysOf(t *testing.T, p *project.Project, s *spec.Spec) (said, read, lacking map[string]string) {
	t.Helper()
	said, lacking = map[string]string{}, map[string]string{}
	renames := importNames(t, p, s)
	for i := range s.Baseline.Exports {
		say(said, lacking, s.Interface, "", &s.Baseline.Exports[i], renames)
	}
	return said, readBack(t, s.Interface, renames), lacking
}

// packageProject copies a folder's own files into a project.
func packageProject(t *testing.T, dir, path string) *project.Project {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[path+"/"+filepath.Base(name)] = text
	}
	return openProject(t, files)
}

// importNames maps file and import name to the imported package's name, for renamed imports.
func importNames(t *testing.T, p *project.Project, s *spec.Spec) map[string]map[string]string {
	t.Helper()
	out := map[string]map[string]string{}
	for _, file := range s.Front.RelatedFiles {
		text, err := p.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
		if err != nil {
			continue
		}
		out[file] = map[string]string{}
		for _, i := range f.Imports {
			if i.Name != nil && i.Name.Name != "_" && i.Name.Name != "." {
				path := strings.Trim(i.Path.Value, `"`)
				out[file][i.Name.Name] = path[strings.LastIndexByte(path, '/')+1:]
			}
		}
	}
	return out
}

func say(said, lacking map[string]string, text, owner string, s *code.Symbol, renames map[string]map[string]string) {
	if !s.Exported || s.Kind == code.Embedded && owner != "" && strings.ContainsAny(s.Name, "|~ ") {
		return
	}
	name := s.Name
	if owner != "" {
		name = owner + "." + name
	}
	in := func(typ string) string {
		for from, to := range renames[s.File] {
			typ = regexp.MustCompile(`\b`+from+`\.`).ReplaceAllString(typ, to+".")
		}
		return squeeze(ungrouped(typ))
	}
	switch s.Kind {
	case code.Function, code.Method:
		var params []string
		for _, p := range s.Params {
			params = append(params, in(p.Type))
		}
		said[name] = string(s.Kind) + " (" + strings.Join(params, ",") + ")" + in(s.Returns)
	case code.Const, code.Variable:
		said[name] = string(s.Kind)
	case code.Property, code.Embedded:
		if s.Returns != "" { // an embedded type in an interface is not a field
			said[name] = "field " + in(s.Returns)
		}
	default:
		said[name] = "type"
	}
	if _, ok := said[name]; ok && !strings.Contains(squeeze(text), squeeze(s.Signature)) {
		lacking[name] = s.Signature
	}
	for i := range s.Members {
		say(said, lacking, text, name, &s.Members[i], renames)
	}
}
