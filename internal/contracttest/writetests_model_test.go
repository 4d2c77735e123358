package contracttest_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/spec/model"
)

// shelf has errors that simple values do not reach: they need an open file, and an object that is full.
var shelf = map[string]map[string]string{
	"go": {
		"go.mod": "module example.com/shelf\n\ngo 1.24\n",
		"shelf.go": `// Package shelf keeps books.
package shelf

import (
	"errors"
	"io"
)

// Shelf keeps a few books.
type Shelf struct{ books []string }

// ErrFull is returned when there is no room.
var ErrFull = errors.New("the shelf is full")

// Read puts the book that r holds on the shelf.
func (s *Shelf) Read(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if len(s.books) >= 2 {
		return ErrFull
	}
	s.books = append(s.books, string(text))
	return nil
}
`,
		"shelf_test.go": "package shelf\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n\nfunc TestRead(t *testing.T) {\n\tvar s Shelf\n\tif err := s.Read(strings.NewReader(\"a\")); err != nil {\n\t\tt.Error(err)\n\t}\n}\n",
	},
	"python": {
		"pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = [\".\"]\n",
		"shelf.py": `"""Keeps books."""


class Shelf:
    """Keeps a few books."""

    def __init__(self):
        self.books = []

    def put(self, book):
        """Puts a book on the shelf."""
        if len(self.books) >= 2:
            raise ValueError("the shelf is full")
        self.books.append(book)
`,
		"test_shelf.py": "from shelf import Shelf\n\n\ndef test_put():\n    s = Shelf()\n    s.put(\"a\")\n    assert s.books == [\"a\"]\n",
	},
}

// scripted is a model that answers with what is written for each exit whose line holds a text.
type scripted struct {
	t     *testing.T
	tests map[string]string // by a text of the exit's line: the statements
	asked string
	err   error
}

func (s *scripted) Name() string { return "test/scripted" }

func (s *scripted) Write(_ context.Context, task model.Task) (model.Written, error) {
	s.asked = task.Text
	var list []map[string]any
	_, exits, _ := strings.Cut(task.Text, `holds="exits">`)
	for line := range strings.SplitSeq(exits, "\n") {
		number, _, ok := strings.Cut(line, ". ")
		for text, statements := range s.tests {
			if ok && strings.Contains(line, text) {
				list = append(list, map[string]any{"number": json.Number(number), "statements": statements, "imports": []string{}})
			}
		}
	}
	answer, err := json.Marshal(map[string]any{"tests": list})
	if err != nil {
		s.t.Fatal(err)
	}
	return model.Written{Answer: answer, Usage: model.Usage{Input: 10, Output: 5}}, s.err
}

// TestModelsWriteTests: a test that a model writes is kept under the same two conditions as another: it passes on the code as it
// is, and fails without the exit. The name of the error alone, raised by the test itself, is none.
func TestModelsWriteTests(t *testing.T) {
	for _, c := range []struct{ language, program, good, lie, file string }{
		{
			"go", "go", "s := &Shelf{}\nfor range 2 {\n\tif err := s.Read(strings.NewReader(\"a\")); err != nil {\n\t\tpanic(err)\n\t}\n}\nreturn s.Read(strings.NewReader(\"b\"))",
			"return ErrFull", "contract_generated_test.go",
		},
		{
			"python", "python3", "s = target.Shelf()\nfor book in (\"a\", \"b\", \"c\"):\n    s.put(book)",
			"raise ValueError(\"the shelf is full\")", "test_shelf_contract_generated.py",
		},
	} {
		t.Run(c.language, func(t *testing.T) {
			if _, err := exec.LookPath(c.program); err != nil {
				t.Skip(c.program, "is not installed")
			}
			if c.language == "python" && exec.CommandContext(t.Context(), "python3", "-c", "import pytest").Run() != nil {
				t.Skip("pytest is not installed")
			}
			p := openProject(t, shelf[c.language])
			file := filepath.Join(p.Root(), c.file)
			w := &scripted{t: t, tests: map[string]string{"2`": c.lie}}
			r, err := contracttest.WriteTests(t.Context(), p, ".", "module", w, contracttest.Options{})
			if err != nil || len(r.Kept) != 0 || len(r.Files) != 0 || r.Tokens != 15 || !strings.Contains(w.asked, "the shelf is full") {
				t.Fatalf("a test that raises the error itself: %+v, %v\n%s", r, err, w.asked)
			}
			w.tests["2`"] = c.good
			if r, err = contracttest.WriteTests(t.Context(), p, ".", "module", w, contracttest.Options{}); err != nil || len(r.Kept) != 1 || r.Kept[0].By != w.Name() {
				t.Fatalf("%+v, %v", r, err)
			}
			if text := read(t, file); !strings.Contains(text, "Shelf") {
				t.Errorf("the test is not written:\n%s", text)
			}
			w.err = errors.New("no more tokens")
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			if r, err = contracttest.WriteTests(t.Context(), p, ".", "module", w, contracttest.Options{}); err != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "no more tokens") {
				t.Fatalf("a model that fails: %+v, %v", r, err)
			}
		})
	}
}
