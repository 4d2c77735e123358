package runner_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
)

// TestDocumentsAreThoseThatPytestCollects compares the texts with what pytest's settings say; the files are of the project.
func TestDocumentsAreThoseThatPytestCollects(t *testing.T) {
	files := []string{"README.rst", "docs/use.rst", "docs/use.md", "docs/deep/more.rst", "docs/conf.py", "tests/test_notes.txt", "tests/notes.txt"}
	for name, c := range map[string]struct {
		settings map[string]string
		want     []string
	}{
		"nothing is said": {nil, []string{"tests/test_notes.txt"}},
		"ini, with other sections": {
			map[string]string{"pytest.ini": "[pytest]\ntestpaths = tests docs\naddopts =\n    -q\n    --doctest-glob='*.rst'\n[other]\nx = --doctest-glob=*.md\n"},
			[]string{"docs/deep/more.rst", "docs/use.rst"},
		},
		"toml, two patterns": {
			map[string]string{"pyproject.toml": "[project]\nname = \"x\"\n\n[tool.pytest.ini_options]\naddopts = [\"--doctest-glob=*.rst\", \"--doctest-glob\", \"*.md\"]\ntestpaths = [\n  \"docs\",\n]\n"},
			[]string{"docs/deep/more.rst", "docs/use.md", "docs/use.rst"},
		},
		"the first file with a section counts": {
			map[string]string{"tox.ini": "[pytest]\naddopts = --doctest-glob=*.rst\n", "setup.cfg": "[tool:pytest]\ntestpaths = nowhere\n", "pytest.ini": "# nothing\n"},
			[]string{"README.rst", "docs/deep/more.rst", "docs/use.rst"},
		},
		"a pattern with a folder": {
			map[string]string{"setup.cfg": "[tool:pytest]\naddopts = --doctest-glob=docs/*.rst\n"},
			[]string{"docs/use.rst"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			read := func(file string) ([]byte, error) {
				text, ok := c.settings[file]
				if !ok {
					return nil, errors.New("not there")
				}
				return []byte(text), nil
			}
			d := runner.DocumentsOf(read, &runner.Tool{Name: "pytest", Home: "."})
			var got []string
			for _, f := range files {
				if d.Has(f) {
					got = append(got, f)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	if d := runner.DocumentsOf(nil, &runner.Tool{Name: "unittest"}); d != nil {
		t.Errorf("unittest runs texts: %v", d)
	}
}

// TestInputsAreWhatPeopleType shows that what a text prints, and its words, are not run.
func TestInputsAreWhatPeopleType(t *testing.T) {
	text := "Call >>> it so::\n\n    >>> for x in shop:\n    ...     x.sell()\n    Sold(1)\n\n>>> close()\n"
	if got, want := runner.Inputs([]byte(text)), "for x in shop:\n    x.sell()\nclose()\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
