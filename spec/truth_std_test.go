package spec_test

import (
	"errors"
	"go/build"
	"go/importer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/batch"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// TestBatchOfTheStandardLibraryAgreesWithGoTypes writes the specs of the whole standard
// library by batch, including internal packages, and compares every interface section with the
// type checker. It is for make truth.
func TestBatchOfTheStandardLibraryAgreesWithGoTypes(t *testing.T) {
	if os.Getenv("REVERSE_SPEC_TRUTH") == "" {
		t.Skip("REVERSE_SPEC_TRUTH is not set: type-checks the whole standard library")
	}
	root := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // the tests' own toolchain is meant
	p := copyOfStandard(t, root)
	r, err := batch.Run(t.Context(), p, batch.Options{All: true})
	if err != nil || len(r.Failed) > 0 || len(r.Successful) != r.TotalModules || r.TotalModules < 300 {
		t.Fatalf("batch: %v, %d of %d modules, failed: %v", err, len(r.Successful), r.TotalModules, r.Failed)
	}
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = "linux", "amd64", true
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "source", nil)
	packages, declarations, elsewhere := 0, 0, 0
	for _, path := range r.Successful {
		if _, err := ctx.ImportDir(filepath.Join(root, path), 0); errors.As(err, new(*build.NoGoError)) {
			elsewhere++ // for other platforms, or for go run
			continue
		}
		t.Run(path, func(t *testing.T) {
			pkg := checked(t, &ctx, fset, imp, filepath.Join(root, path), path)
			s, err := spec.Load(p, spec.PathFor(spec.DefaultOutputDir, path))
			if err != nil {
				t.Fatal(err)
			}
			packages++
			declarations += compare(t, pkg, p, s)
		})
	}
	t.Logf("%d packages, %d exported declarations; %d folders have nothing for linux/amd64", packages, declarations, elsewhere)
}

// copyOfStandard copies the standard library into a project, without commands, test data, and
// generators that are modules of their own.
func copyOfStandard(t *testing.T, root string) *project.Project {
	t.Helper()
	to := filepath.Join(t.TempDir(), "std")
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		if e.IsDir() {
			if rel == "cmd" || rel == "vendor" || e.Name() == "testdata" || strings.HasPrefix(e.Name(), "_") {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		if !strings.HasSuffix(rel, ".go") && rel != "go.mod" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}
