package lang_test

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

// cOpinion compares C with universal-ctags.
func cOpinion() opinion {
	return opinion{
		language: "c", grammar: syntax.C, options: []string{"--kinds-C=+p"}, rename: withoutAnonymous,
		kinds: []string{"function", "prototype", "struct", "union", "enum"},
	}
}

// cppOpinion compares C++ with universal-ctags.
func cppOpinion() opinion {
	return opinion{
		language: "cpp", grammar: syntax.CPP, options: []string{"--kinds-C++=+p"}, rename: withoutAnonymous,
		kinds: []string{"function", "prototype", "struct", "union", "enum", "class"},
	}
}

// withoutAnonymous leaves out what ctags calls namespaces and types without a name.
func withoutAnonymous(d definition) string {
	var parts []string
	for part := range strings.SplitSeq(d.name, ".") {
		if !strings.HasPrefix(part, "__anon") {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ".")
}
