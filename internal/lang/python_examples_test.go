package lang_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// TestExamplesSayWhatTheyLack: doctest runs the examples of a docstring in its module, where a name that only pytest's fixtures or
// an import of a reader would bind is not known.
func TestExamplesSayWhatTheyLack(t *testing.T) {
	for session, want := range map[string]string{
		">>> double(2)\n    4":                                                               "",
		">>> import shop\n    >>> shop.double(2)\n    4":                                     "",
		">>> shop.double(2)\n    4":                                                          "shop",
		">>> double(rate)\n    4":                                                            "rate",
		">>> x = double(2)\n    >>> x.real\n    4":                                           "",
		">>> double(n=len([0]))\n    2":                                                      "",
		">>> [double(i) for i in range(2)]\n    [0, 2]":                                      "",
		">>> for key, n in {}.items():\n    ...     double(n)":                               "",
		">>> double('shop.x')  # of shop.x":                                                  "",
		">>> def half(whole):\n    ...     return whole / 2\n    >>> half(double(1))\n    1": "",
		">>> from os.path import *\n    >>> join('a', 'b')":                                  "",
		">>> environ['shop'], sep, LIMIT":                                                    "",
		">>> (lambda a: a)(1)":                                                               "",
	} {
		source := "import os\nfrom os import environ, sep as sep\n\nLIMIT: int = 3\n\n\ndef double(n):\n    \"\"\"Doubles for a shop.\n\n    " + session + "\n    \"\"\"\n    return 2 * n\n"
		f, err := lang.Parse(t.Context(), "shop.py", []byte(source), lang.All)
		if err != nil || len(f.Tests) != 1 {
			t.Fatalf("%q: %v, %v", session, f, err)
		}
		if got := f.Tests[0].Lacks; got != want {
			t.Errorf("%q lacks %q, want %q", session, got, want)
		}
	}
}
