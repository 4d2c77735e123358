package api_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/spec/api"
)

// TestDeclarationsAreReadWithoutDecorators: the signature of a symbol is what follows them.
func TestDeclarationsAreReadWithoutDecorators(t *testing.T) {
	for block, want := range map[string]string{
		"# @ cart.py:5 A cart.\n@dataclass(frozen=True)\nclass Cart:":                      "class Cart",
		"// @ a.ts:1\n@Entity('a') @Index(['x', 'y'], { unique: f(1) }) class A {\n  x: 1": "class A",
		"// @ a.rs:1\n#[derive(Debug, Clone)] pub struct A":                                "pub struct A",
		"// @ a.cs:1\n[JsonProperty(\"x[0]\")] public int X":                               "public int X",
		"// @ a.php:1\n#[Route('/a', methods: ['GET'])] function a()":                      "function a()",
		"// @ a.go:1\nfunc A(x []int) int":                                                 "func A(x []int) int",
	} {
		if got := api.ReadDeclarations(block); len(got) != 1 || got[0].Signature != want {
			t.Errorf("%s: read %+v, want %s", block, got, want)
		}
	}
}
