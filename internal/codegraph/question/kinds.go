package question

// kind is a kind of symbol that questions mention.
type kind struct {
	one, many string // words for it; those in many never qualify an adjacent name
	labels    string // node labels, as in Cypher; "" for any
	wide      string // labels if some of the kind are requested, not all; "" for labels
	condition string // a further condition on n
	named     string // labels of a name qualified by the kind; "" for any
	types     bool   // what has methods
	holds     bool   // a module or folder, which contains others
}

const (
	codeLabels     = "Class|Function|Method|Interface|Enum|Type|Union|Variable"
	typeLabels     = "Class|Interface|Enum|Type|Union"
	callableLabels = "Function|Method"
	folderLabels   = "Folder|Package"
	holderLabels   = "Module|Package|Folder"
	importedLabels = holderLabels + "|Project|ExternalPackage"
)

// kinds are the kinds of symbols. Languages differ in what a class is (a Python protocol is an Interface), so the
// class of a name is any type.
var kinds = []kind{
	{one: "class|object|record|类", many: "classes|objects|records|class definitions", labels: "Class", named: typeLabels, types: true},
	{one: "struct|structure type|结构体", many: "structs", labels: "Class", condition: "n.kind = 'struct'", named: typeLabels, types: true},
	{one: "interface|protocol|接口|协议", many: "interfaces|protocols", labels: "Interface", named: typeLabels, types: true},
	{one: "trait|特征", many: "traits", labels: "Interface", condition: "n.kind = 'trait'", named: typeLabels, types: true},
	{one: "enum|enumeration|枚举|枚举类|枚举类型", many: "enums|enumerations", labels: "Enum", named: typeLabels, types: true},
	{one: "union|联合体|共用体", many: "unions", labels: "Union", named: typeLabels, types: true},
	{one: "type|类型", many: "types|data types|type definitions", labels: typeLabels, types: true},
	{one: "type alias|类型别名", many: "type aliases", labels: "Type", named: typeLabels},
	{one: "function|func|fn|subroutine|procedure|函数|方法或函数", many: "functions|funcs|fns|subroutines|procedures", labels: "Function", wide: callableLabels, named: callableLabels},
	{one: "method|方法|成员函数", many: "methods|member functions", labels: "Method", named: callableLabels},
	{one: "constructor|构造函数|构造器|构造方法", many: "constructors", labels: "Method", condition: "n.kind = 'constructor'", named: callableLabels},
	{one: "macro|宏", many: "macros", labels: "Function", condition: "n.kind = 'macro'"},
	{one: "variable|global variable|global|变量|全局变量", many: "variables|global variables|globals", labels: "Variable", named: "Variable"},
	{one: "constant|const|常量", many: "constants|consts", labels: "Variable", condition: "n.kind = 'const'", named: "Variable"},
	{one: "test|unit test|test case|test function|测试|测试用例|单元测试|测试函数|测试方法|单测|用例", many: "tests|unit tests|test cases|test functions|test methods", labels: callableLabels, condition: "n.is_test = true", named: callableLabels},
	{one: "test class|测试类", many: "test classes", labels: "Class", condition: "n.is_test = true", named: typeLabels, types: true},
	{one: "test file|测试文件", many: "test files|test modules", labels: "Module", condition: "n.is_test = true", holds: true},
	{one: "file|source file|文件|源文件", many: "files|source files|code files", labels: "File", holds: true},
	{one: "folder|directory|dir|subfolder|subdirectory|目录|文件夹|子目录|路径下", many: "folders|directories|dirs|subfolders|subdirectories", labels: folderLabels, named: folderLabels, holds: true},
	{one: "module|模块", many: "modules", labels: "Module", named: holderLabels, holds: true},
	{one: "package|namespace|包|命名空间", many: "packages|namespaces", labels: "Package", named: holderLabels, holds: true},
	{one: "symbol|entity|member|符号|成员|实体|元素|代码元素|内容", many: "symbols|entities|members|definitions of symbols|code elements|contents|content", labels: codeLabels},
}

// languages maps the languages in the graph to words for them.
var languages = map[string]string{
	"python":     "python|py",
	"go":         "go|golang",
	"typescript": "typescript|ts",
	"javascript": "javascript|js",
	"java":       "java",
	"kotlin":     "kotlin",
	"rust":       "rust",
	"c":          "c language|c语言",
	"cpp":        "c++|cpp",
	"csharp":     "c#|csharp",
	"ruby":       "ruby",
	"php":        "php",
	"swift":      "swift",
	"scala":      "scala",
	"lua":        "lua",
	"dart":       "dart",
}
