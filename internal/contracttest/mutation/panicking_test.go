package mutation_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/mutation"
)

func TestPanicking(t *testing.T) {
	for text, want := range map[string]string{
		"package a\nfunc f() int { return 1 }\nfunc g()\nfunc (t T) h() {\n}\n": "package a\nfunc f() int { panic(\"broken\");  return 1 }\nfunc g()\nfunc (t T) h() { panic(\"broken\"); \n}\n",
		"package a\nfunc {": "package a\nfunc {",
	} {
		if got := string(mutation.Panicking([]byte(text))); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
