package drift

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// unit is what a user's import refers to.
type unit string

const (
	byFile        unit = "file"     // the file's path
	byFolder      unit = "folder"   // the folder, whatever the file in it
	byDeclaration unit = "declared" // a name declared in the text; the path does not matter
)

// compatRules decide in one language whether a change is breaking.
type compatRules struct {
	stopped    func() bool // reports whether the caller wants no more; nil for one who waits
	name       string
	extensions []string
	// exact: any change of a function's parameters or results breaks a user, because functions
	// are assigned by type (Go).
	exact bool
	// named: callers may pass arguments by name.
	named bool
	// inferred: a type that is not written may still be the same.
	inferred bool
	// unions: types form unions, written a | b, so that narrowing and widening can be told
	// apart.
	unions  bool
	imports unit
	// literalConst: compilers compare the values of constants.
	literalConst bool
	// openTypes: adding a required member to a type that others implement does not break its
	// readers, and only they count (TypeScript, as tsc does).
	openTypes bool
	// closedEnums: matches over an enumeration must be exhaustive.
	closedEnums bool
	// arrayArgs: an array may be passed for a variadic parameter.
	arrayArgs bool
	// optionalReads: reading a member that became optional needs a check.
	optionalReads bool
	// erased: type arguments are unknown to compiled code (Java).
	erased bool
	// nullable: "T?" holds the values of T and null.
	nullable bool
	// unwraps: optional values must be unwrapped, others must not (Swift).
	unwraps bool
	// promises: a function's result type says that it is asynchronous; the async keyword
	// concerns only its implementation (C#).
	promises bool
	// awaits: an asynchronous function can be called wherever another one can.
	awaits bool
	// headers: users include headers and see no other file.
	headers bool
	// labels: a parameter's label is its interface; the name in the body is not.
	labels bool
	// catchAll: *args and **kwargs take what no other parameter takes (Python).
	catchAll bool
	// defaults: callers that leave an argument out get another one when its default changes, which griffe calls breaking.
	defaults bool
	// inherits: a member that a base class of the same surface has need not be declared.
	inherits bool
	// attributes: a property is a reader and a writer method (Ruby).
	attributes bool
	// limits are keywords of a declaration that restrict users, offers those that give them
	// more.
	limits, offers []string
	// extends are the constraints of type parameters that stand for any type while signatures are compared; zero for none.
	extends map[string]code.Type
	// declared returns what is declared under a name, and reads types in it; nil if nothing is known.
	declared func(name string) (s *code.Symbol, read func(text string) code.Type)
	// alias returns what a name is an alias of, if types are compared with the names of aliases; nil if they were replaced.
	alias func(name string) (alias tsAlias, ok bool)
	// assumed are the comparisons that are being made, by the texts of both types: what a type says of itself holds.
	assumed map[string]bool
	// taking: what is compared is given to functions, where any and unknown are the same; loose: everywhere. What is read as any can be
	// used, what is unknown cannot.
	taking, loose bool
	// steps is how many comparisons may still be made where aliases have their names: types that name themselves have no end.
	steps *int
	// valued returns the type of a declared value, the zero value if it is not known; nil if nothing is known.
	valued func(name string) code.Type
	// foreign reports whether a name is that of a type of another package; nil if that is not known.
	foreign func(name string) bool
	// known are the keys of types of which the text was seen; nil if they are not kept.
	known map[string]string
	// read reads a type, "" as the zero value; nil if no more than trees is compared.
	read func(text string) code.Type
}

var languages = []compatRules{
	{name: "go", extensions: []string{".go"}, exact: true, imports: byFolder, literalConst: true},
	{
		name: "typescript", inherits: true, extensions: []string{".ts", ".tsx", ".mts", ".cts"}, inferred: true, unions: true,
		imports: byFile, literalConst: true, openTypes: true, optionalReads: true,
	},
	{name: "javascript", extensions: []string{".js", ".jsx", ".mjs", ".cjs"}, inferred: true, imports: byFile, openTypes: true},
	{
		name: "python", extensions: []string{".py", ".pyi", ".pyw"}, named: true, inferred: true, unions: true, imports: byFile,
		catchAll: true, defaults: true, inherits: true,
	},
	{name: "java", extensions: []string{".java"}, imports: byFolder, arrayArgs: true, erased: true},
	{
		name: "rust", extensions: []string{".rs"}, imports: byFile, closedEnums: true,
		limits: []string{"unsafe"}, offers: []string{"const"},
	},
	{
		name: "kotlin", extensions: []string{".kt", ".kts"}, named: true, inferred: true, imports: byFolder,
		closedEnums: true, nullable: true, awaits: true, inherits: true,
		limits: []string{"final"}, offers: []string{"open", "infix", "operator", "data"},
	},
	{
		name: "scala", extensions: []string{".scala", ".sc", ".sbt"}, named: true, inferred: true, imports: byFolder, inherits: true,
		limits: []string{"final", "sealed"}, offers: []string{"open", "infix", "implicit", "case"},
	},
	{
		name: "csharp", extensions: []string{".cs", ".csx"}, named: true, imports: byDeclaration, arrayArgs: true,
		nullable: true, promises: true, inherits: true, limits: []string{"sealed", "required"}, offers: []string{"virtual"},
	},
	{
		name: "swift", extensions: []string{".swift", ".swiftinterface"}, inferred: true, imports: byDeclaration,
		closedEnums: true, nullable: true, unwraps: true, awaits: true, labels: true, inherits: true,
		limits: []string{"final", "mutating", "throws", "rethrows", "required"}, offers: []string{"open", "nonisolated"},
	},
	{
		name: "php", extensions: []string{".php", ".phtml"}, named: true, inferred: true, unions: true, imports: byFolder, inherits: true,
		limits: []string{"final"},
	},
	{
		name: "ruby", extensions: []string{".rb", ".rake", ".gemspec", ".ru", ".podspec", ".jbuilder", ".thor"}, inferred: true,
		imports: byFile, attributes: true, inherits: true,
	},
	{name: "dart", extensions: []string{".dart"}, inferred: true, imports: byFile},
	{ // C++ headers are called .h, too
		name: "c", extensions: []string{".c", ".h"}, imports: byFile, headers: true,
		limits: []string{"final", "explicit"}, offers: []string{"virtual", "const", "constexpr"},
	},
	{
		name: "cpp", imports: byFile, headers: true,
		extensions: []string{
			".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".txx", ".tcc", ".inl",
			".cppm", ".ixx", ".ccm", ".cxxm", ".c++m", ".mpp", ".cu", ".cuh",
		},
		limits: []string{"final", "explicit"}, offers: []string{"virtual", "const", "constexpr"},
	},
}

// compatOf returns the rules for the language of a file, by its extension or else by the
// language's name; the zero value if unknown.
func compatOf(file, language string) compatRules {
	ext := strings.ToLower(path.Ext(file))
	for _, h := range languages {
		if slices.Contains(h.extensions, ext) {
			return h
		}
	}
	for _, h := range languages {
		if h.name == strings.ToLower(language) {
			return h
		}
	}
	return compatRules{name: language, imports: byFile}
}

// sourceRoots are folders above packages that are not part of their names.
var sourceRoots = []string{"src/main/java/", "src/main/kotlin/", "src/main/scala/", "src/test/java/", "src/"}

// folderOf returns the folder that names a file's package.
func folderOf(file string) string {
	dir := path.Dir(file) + "/"
	for _, root := range sourceRoots {
		if i := strings.LastIndex("/"+dir, "/"+root); i >= 0 {
			return strings.TrimSuffix(belowSet(dir[min(len(dir), i+len(root)):]), "/")
		}
	}
	return strings.TrimSuffix(dir, "/")
}

// belowSet returns the path below a source set such as commonMain/kotlin/, which is not part
// of a package.
func belowSet(dir string) string {
	_, below, _ := strings.Cut(dir, "/")
	for _, root := range []string{"kotlin/", "java/", "scala/"} {
		if rest, ok := strings.CutPrefix(below, root); ok {
			return rest
		}
	}
	return dir
}

// samePlace reports whether the same import reaches a symbol in both files.
func (h compatRules) samePlace(a, b string) bool {
	switch h.imports {
	case byFolder:
		if h.exact { // a Go import path is the folder, from the module's root
			return path.Dir(a) == path.Dir(b)
		}
		return folderOf(a) == folderOf(b)
	case byDeclaration:
		return true
	case byFile:
	}
	return a == b || h.headers && compiled(a) && compiled(b)
}

// compiled reports whether a C or C++ file is compiled, not included.
func compiled(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".c", ".cc", ".cpp", ".cxx", ".c++", ".cu":
		return true
	}
	return false
}

// visible reports whether users of a type see the member.
func visible(m code.Symbol, owner code.Kind, h compatRules) bool {
	if m.Kind == code.EnumMember {
		return true
	}
	if h.exact {
		return exportedGo(m.Name)
	}
	switch m.Visibility {
	case code.Private:
		return false
	case code.Package:
		return m.Exported || owner == code.Interface || owner == code.Trait
	case code.Public, code.Protected:
	}
	return true
}

// exportedGo reports whether a Go name, perhaps qualified, is exported. Embedded predeclared
// types count as exported.
func exportedGo(name string) bool {
	name = strings.TrimLeft(name, "*")
	name, _, _ = strings.Cut(name, "[")
	name = name[strings.LastIndexByte(name, '.')+1:]
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first) || name == "error" || name == "comparable" || name == "any" || strings.ContainsAny(name, "|~")
}

// rank orders visibilities from narrow to wide.
func rank(v code.Visibility) int {
	switch v {
	case code.Private:
		return 0
	case code.Package:
		return 1
	case code.Protected:
		return 2
	case code.Public:
	}
	return 3
}

// callable reports whether a symbol is called.
func callable(k code.Kind) bool {
	return k == code.Function || k == code.Method || k == code.Constructor || k == code.Macro
}

// group returns a name for kinds that may turn into one another without becoming a different
// symbol.
func group(k code.Kind) string {
	switch k {
	case code.Function, code.Const, code.Variable, code.Macro:
		return "value"
	case code.Method, code.Constructor:
		return "call"
	case code.Property, code.Getter, code.Setter, code.EnumMember, code.Embedded:
		return "data"
	case code.Module:
		return "module"
	default:
		return "type"
	}
}
