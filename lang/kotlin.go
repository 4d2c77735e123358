package lang

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

var kotlin = &Language{
	Name: "kotlin", Extensions: []string{".kt", ".kts"}, FolderIsModule: true,
	grammar: syntax.Kotlin, shape: kotlinShape, imports: []string{"import_list", "import_header"},
	show: showKotlin, read: readKotlin, call: kotlinCall, isTest: isKotlinTest,
}

var kotlinShape = &shape{}

func kotlinCall(n syntax.Node) (code.Call, bool) { return code.Call{}, false }
func isKotlinTest(p string) bool                 { return false }

// showKotlin rewrites a file before it is parsed: the grammar reads much of the
// language wrong without an error.
func showKotlin(r *reader, text []byte) (shown []byte, hidden []span) {
	k := rewriteKotlin(text)
	r.unread = append(r.unread, k.unread...)
	r.file.Digest.Commas += k.commas
	return k.shown, k.hidden
}

func readKotlin(r *reader) {}

var _ = path.Base
var _ = slices.Contains[[]string]
var _ = strings.Cut
