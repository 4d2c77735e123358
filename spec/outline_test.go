package spec_test

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// doorFiles are a module with errors, a state, an option and tests.
var doorFiles = map[string]string{
	"go.mod": "module example.org/door\n\ngo 1.26\n",
	"door/door.go": `// Package door opens and closes doors.
package door

import "errors"

// ErrLocked is returned for a locked door.
var ErrLocked = errors.New("the door is locked")

// Door is a door.
type Door struct {
	locked bool
	open   bool
}

// Open opens the door. It never unlocks it.
func (d *Door) Open(force int) error {
	if d.locked {
		return ErrLocked
	}
	if force < 1 {
		return errors.New("too weak")
	}
	d.open = true
	return nil
}

// State says how the door is.
func (d *Door) State() string {
	if d.locked {
		return "locked"
	}
	if d.open {
		return "open"
	}
	return "closed"
}
`,
	"door/door_test.go": `package door

import "testing"

func TestWeakHandsOpenNothing(t *testing.T) {
	d := &Door{}
	if err := d.Open(0); err == nil || err.Error() != "too weak" {
		t.Fatal(err)
	}
}

func TestFreshDoorIsClosed(t *testing.T) {
	d := &Door{}
	if got := d.State(); got != "closed" {
		t.Fatal(got)
	}
}
`,
}

func doorProject(t *testing.T, change func(files map[string]string)) *project.Project {
	t.Helper()
	files := maps.Clone(doorFiles)
	if change != nil {
		change(files)
	}
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func outlineOf(t *testing.T, p *project.Project) *spec.Outline {
	t.Helper()
	o, err := spec.OutlineOf(t.Context(), p, "door", "en")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// ruleOf returns the rule with a key.
func ruleOf(t *testing.T, o *spec.Outline, key string) spec.Rule {
	t.Helper()
	var keys []string
	for _, r := range o.Rules {
		if r.Key == key {
			return r
		}
		keys = append(keys, r.Key)
	}
	t.Fatalf("no rule %s among %q", key, keys)
	return spec.Rule{}
}

func TestOutlineOfErrors(t *testing.T) {
	o := outlineOf(t, doorProject(t, nil))
	if o.Purpose != "Package door opens and closes doors." {
		t.Errorf("purpose %q", o.Purpose)
	}
	r := ruleOf(t, o, "exits Door.Open")
	want := []spec.RuleCase{
		{
			Name: "The door is locked", When: "`Door.Open` is called and `d.locked` is true", Then: "it returns `ErrLocked` “the door is locked”",
			Do: "return `ErrLocked` “the door is locked”", Kind: spec.Unwanted, At: "door/door.go:18",
		},
		{Name: "Too weak", When: "`Door.Open` is called and `force` is less than `1`", Then: "it returns “too weak”", Do: "return “too weak”", Kind: spec.Unwanted, At: "door/door.go:21"},
	}
	if diff := cmp.Diff(want, r.Cases); diff != "" {
		t.Error(diff)
	}
	if len(r.Examples) != 1 || r.Examples[0].At != "door/door_test.go:5" || !strings.Contains(r.Examples[0].When, "d.Open(0)") {
		t.Errorf("%+v", r.Examples)
	}
	if diff := cmp.Diff([]string{"door/door_test.go"}, r.Tests); diff != "" {
		t.Error(diff)
	}
}

func TestOutlineOfResultsByState(t *testing.T) {
	r := ruleOf(t, outlineOf(t, doorProject(t, nil)), "choice Door.State")
	if len(r.Cases) != 3 {
		t.Fatalf("%+v", r.Cases)
	}
	if c := r.Cases[0]; c.Kind != spec.State || c.If != "`d.locked` is true" || c.Trigger != "`Door.State` is called" {
		t.Errorf("%+v", c)
	}
	if c := r.Cases[2]; c.When != "`Door.State` is called and none of the cases above holds" || c.If != "" {
		t.Errorf("%+v", c)
	}
}

// TestOutlineStaysWhenLinesMove and when a condition changes: a rule keeps its key, a case its name, an example its place in the rule.
func TestOutlineStaysWhenLinesMove(t *testing.T) {
	before := outlineOf(t, doorProject(t, nil))
	after := outlineOf(t, doorProject(t, func(files map[string]string) {
		files["door/door.go"] = strings.Replace(strings.Replace(files["door/door.go"], "import", "// A comment.\n\nimport", 1), "force < 1", "force < 2", 1)
		files["door/door_test.go"] += "\nfunc TestAnother(t *testing.T) {\n\td := &Door{}\n\tif err := d.Open(0); err == nil || err.Error() != \"too weak\" {\n\t\tt.Fatal(err)\n\t}\n\tif d.open {\n\t\tt.Fatal(d)\n\t}\n}\n"
	}))
	a, b := ruleOf(t, before, "exits Door.Open"), ruleOf(t, after, "exits Door.Open")
	if a.Name != b.Name || a.Says != b.Says || a.Cases[0].When != b.Cases[0].When || a.Cases[1].Name != b.Cases[1].Name {
		t.Errorf("%+v\n%+v", a, b)
	}
	if a.Cases[1].When == b.Cases[1].When {
		t.Errorf("the condition is %s on both sides", a.Cases[1].When)
	}
	if a.Examples[0].Name != b.Examples[0].Name || a.Examples[0].When != b.Examples[0].When {
		t.Errorf("%+v\n%+v", a.Examples, b.Examples)
	}
}

// TestOutlineIsTheSameWithAPage: batch takes the outline of a module that it writes, and makes one of a module that it skips.
func TestOutlineIsTheSameWithAPage(t *testing.T) {
	p := doorProject(t, nil)
	r, err := spec.Generate(t.Context(), p, "door", spec.GenerateOptions{Lang: "en", Outline: true, To: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	with, _ := json.Marshal(r.Outline)
	alone, _ := json.Marshal(outlineOf(t, p))
	if diff := cmp.Diff(string(alone), string(with)); diff != "" {
		t.Error(diff)
	}
}
