package spec_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/spec"
)

// typescriptSpec is a spec's files and the blocks of its section 3, for truth/section.mjs.
type typescriptSpec struct {
	Spec   string            `json:"spec"`
	Files  []string          `json:"files"`
	Blocks []typescriptBlock `json:"blocks"`
}

type typescriptBlock struct {
	File   string `json:"file"`
	Values bool   `json:"values"` // constants, variables and declarations merged with them
	Text   string `json:"text"`
}

// TestPublicSpecsOfTypeScriptAreTheCompilersExports parses section 3 of the specs of public
// packages with TypeScript's parser: it must have exactly the exports according to the
// compiler, with their signatures.
func TestPublicSpecsOfTypeScriptAreTheCompilersExports(t *testing.T) {
	modules := filepath.Join(os.Getenv("TRUTH_CACHE"), "node_modules")
	if _, err := os.Stat(filepath.Join(modules, "typescript")); err != nil {
		t.Skip("TypeScript was not fetched: run make truth where npm and its registry are")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	for _, name := range typescriptPackages {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(os.Getenv("TRUTH_SPECS"), name)
			if _, err := os.Stat(filepath.Join(root, "specs")); err != nil {
				t.Skipf("no specs of %s: run make truth", name)
			}
			names := 0
			for _, f := range askCompiler(t, modules, root, typescriptSpecs(t, root)) {
				names += len(f.Truth)
				if diff := cmp.Diff(f.Truth, f.Told); diff != "" {
					t.Errorf("%s (-compiler +section 3):\n%s", f.File, diff)
				}
			}
			t.Logf("%d exported names", names)
		})
	}
}

// typescriptPackages are the packages of scripts/specs.sh that are compared.
var typescriptPackages = []string{"rxjs", "zod", "toolkit"}

func typescriptSpecs(t *testing.T, root string) []typescriptSpec {
	t.Helper()
	var out []typescriptSpec
	err := filepath.WalkDir(filepath.Join(root, "specs"), func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".spec.md") || d.Name() == "_index.spec.md" {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		s, err := spec.Parse(text)
		if err != nil {
			return err
		}
		one := typescriptSpec{Spec: d.Name(), Files: s.Front.RelatedFiles, Blocks: []typescriptBlock{}}
		for _, b := range blocks(s.Interface) {
			file, _, _ := strings.Cut(s.LongPlace(b.heading), ":")
			values := strings.HasPrefix(b.text, "const ") || strings.HasPrefix(b.text, "let ") || strings.HasPrefix(b.text, "var ")
			one.Blocks = append(one.Blocks, typescriptBlock{file, values, b.text})
		}
		out = append(out, one)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func askCompiler(t *testing.T, modules, root string, asked []typescriptSpec) []readNames {
	t.Helper()
	in, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "../test/truth/section.mjs", root, filepath.Join(root, "src"))
	var errs strings.Builder
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("section.mjs: %v\n%s", err, errs.String())
	}
	var list []readNames
	for line := range bytes.Lines(out) {
		var f readNames
		if err := json.Unmarshal(line, &f); err != nil {
			t.Fatal(err)
		}
		list = append(list, f)
	}
	return list
}
