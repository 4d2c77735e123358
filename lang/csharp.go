package lang

import (
	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

var csharp = &Language{
	Name: "csharp", Extensions: []string{".cs", ".csx"}, FolderIsModule: true,
	grammar: syntax.CSharp, shape: &shape{}, imports: []string{"using_directive"},
	show: showCSharp, read: func(r *reader) {}, call: func(n syntax.Node) (code.Call, bool) { return code.Call{}, false },
	isTest: func(string) bool { return false },
}
