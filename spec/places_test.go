package spec_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/spec"
)

func TestPlaceOutsideTheFolderIsNotTakenForOneInIt(t *testing.T) {
	files := []string{"a/b/x_test.go", "a/b/y.go"}
	for at, want := range map[string]string{
		"a/b/y.go:3":      "y.go:3",
		"a/b/x_test.go:7": "x_test.go:7",
		"x_test.go:208":   "../../x_test.go:208", // in the root, where a file of the module has the same name
		"z.go:1":          "z.go:1",
		"a/z.go:1":        "a/z.go:1",
	} {
		short := spec.ShortPlace(at, "a/b/", files)
		if short != want {
			t.Errorf("%s is written as %s, want %s", at, short, want)
		}
		front := spec.Front{SourceTarget: "a/b", Scope: "folder", RelatedFiles: files}
		if long := front.LongPlace(short); long != at {
			t.Errorf("%s is read as %s, want %s", short, long, at)
		}
	}
}
