package main

import "testing"

func TestCutLine(t *testing.T) {
	for _, c := range []struct {
		line  string
		width int
		want  string
	}{{"abcdef", 0, "abcdef"}, {"abcdef", 6, "abcdef"}, {"abcdef", 4, "abc…"}, {"äöüß", 3, "äö…"}} {
		if got := cutLine(c.line, c.width); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.line, c.width, got, c.want)
		}
	}
}

// TestPlacesAreCutAtTheirBeginning, so that the file and what stands beside it are still read.
func TestPlacesAreCutAtTheirBeginning(t *testing.T) {
	rows := "a/very/long/way/down/to/a/Service.java:12\t0.98\tService.run\nmain.go:3\t0.90\tmain\n"
	text := aligned([]byte(rows))
	got := aligned([]byte(cutPlaces(rows, widest(text)-50)))
	want := "…/way/down/to/a/Service.java:12  0.98  Service.run\nmain.go:3                        0.90  main\n"
	if got != want || widest(got) > 50 {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAllColumnsFit: the widest cells lose their beginnings, and every column is still there.
func TestAllColumnsFit(t *testing.T) {
	rows := "name\tqualified_name\tpath\tline\nstore\tkoel.app.Http.Controllers.PlaylistController.store\tapp/Http/Controllers/PlaylistController.php\t33\n"
	got := aligned([]byte(cutEven(rows, 60)))
	want := "name   qualified_name          path                    line\nstore  …ylistController.store  …laylistController.php  33\n"
	if got != want || widest(got) > 60 {
		t.Errorf("%d columns:\n%s\nwant:\n%s", widest(got), got, want)
	}
}
