package releases_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// historyGoal is how many items real commits may give that say that something breaks or is not as it was.
const historyGoal = 0

// TestCommitsThatChangeNothing compares commits of public histories with their parents. They are listed in noise.txt: their
// subjects say that they format, document, test or refactor. Those whose items showed a real change were left out; not every
// diff was read.
func TestCommitsThatChangeNothing(t *testing.T) {
	data, err := os.ReadFile("noise.txt")
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]string{} // repository -> work tree
	compared, wrong := 0, 0
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 2 || f[0] == "#" {
			continue
		}
		name, commit := strings.ReplaceAll(f[0], "/", "+"), f[1]
		dir, known := at[name]
		if !known {
			dir = worktree(t, name, commit)
			at[name] = dir
		}
		if dir == "" {
			continue
		}
		run(t, dir, "git", "checkout", "-q", "-f", "--detach", commit)
		compared++
		for _, i := range against(t, dir, commit+"^") {
			if i.Breaking || strings.EqualFold(i.Category, "behavior") && i.Severity != "LOW" {
				wrong++
				t.Logf("  %s %.10s: %s: %s (%s)", f[0], commit, i.Location, i.Description, i.Rule)
			}
		}
	}
	if compared == 0 {
		t.Skip("none of the repositories was fetched")
	}
	t.Logf("table: | commits that change nothing | items that break or are not as they were |")
	t.Logf("table: | %d | %d |", compared, wrong)
	if wrong > historyGoal {
		t.Errorf("noise: %d items", wrong)
	}
}

// worktree returns a clone of a repository in the cache; "" if it has not been fetched.
func worktree(t *testing.T, name, commit string) string {
	t.Helper()
	for _, git := range []string{filepath.Join(cache(t), name, "repo"), filepath.Join(cache(t), name, "repo", ".git")} {
		if _, err := try(t, ".", "git", "--git-dir="+git, "cat-file", "-e", commit+"^{commit}"); err == nil {
			dir := t.TempDir()
			run(t, dir, "git", "clone", "-q", "--shared", "--no-checkout", git, ".")
			return dir
		}
	}
	t.Logf("%s was not fetched, skipped", name)
	return ""
}

// kindOfItem is what the noise tests read of an item.
type kindOfItem struct {
	item
	Category string `json:"category"`
	Severity string `json:"severity"`
}

// against returns all items of a comparison with a revision. A commit without code to compare has none.
func against(t *testing.T, dir, base string) []kindOfItem {
	t.Helper()
	program := os.Getenv("REVERSE_SPEC_PROGRAM")
	out, err := try(t, dir, program, "diff", "--base", base, "--json", "--no-report")
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && failed.ExitCode() == 3 {
		err = nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var r struct{ Items []kindOfItem }
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	return r.Items
}

// TestGeneratedNoise changes the text of a whole repository of Go without its meaning, one way at a time: there must be no
// item that breaks or says that something is not as it was.
func TestGeneratedNoise(t *testing.T) {
	const name, commit = "spf13+cobra", "88b30ab89da2d0d0abb153818746c5a2d30eccec"
	dir := worktree(t, name, commit)
	if dir == "" {
		t.Skip("not fetched")
	}
	t.Logf("table: | generated noise in %s | files | items that break or are not as they were | LOW items |", strings.ReplaceAll(name, "+", "/"))
	for _, c := range []struct {
		name   string
		change func(t *testing.T, text []byte) []byte
	}{
		{"comments and empty lines", commented},
		{"functions in another order", reordered},
		{"locals with other names", renamedLocals},
		{"lines broken at commas", broken},
	} {
		run(t, dir, "git", "checkout", "-q", "-f", "--detach", commit)
		files := rewrite(t, dir, c.change)
		items := against(t, dir, commit)
		loud := 0
		for _, i := range items {
			if i.Breaking || i.Severity != "LOW" {
				loud++
			}
			t.Logf("  %s: %s: %s (%s)", c.name, i.Location, i.Description, i.Rule)
		}
		t.Logf("table: | %s | %d | %d | %d |", c.name, files, loud, len(items)-loud)
		if files == 0 || loud > 0 {
			t.Errorf("%s: %d items in %d changed files", c.name, loud, files)
		}
	}
}

// rewrite changes the Go files of a folder, and returns how many are different now.
func rewrite(t *testing.T, dir string, change func(t *testing.T, text []byte) []byte) int {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		now := change(t, text)
		if !bytes.Equal(text, now) {
			n++
		}
		return os.WriteFile(name, now, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// commented puts comments and empty lines between statements.
func commented(t *testing.T, text []byte) []byte {
	t.Helper()
	files := token.NewFileSet()
	f := parsed(t, files, text)
	lines := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if b, ok := n.(*ast.BlockStmt); ok {
			for _, s := range b.List {
				lines[files.Position(s.Pos()).Line] = true
			}
		}
		return true
	})
	var out bytes.Buffer
	at := 0
	for line := range bytes.Lines(text) {
		if at++; lines[at] && !bytes.HasPrefix(bytes.TrimSpace(line), []byte("}")) {
			out.WriteString("\n// The next line does something.\n")
		}
		out.Write(line)
	}
	return formatted(t, out.Bytes(), text)
}

// reordered reverses the functions of a file; what else it declares comes first.
func reordered(t *testing.T, text []byte) []byte {
	t.Helper()
	files := token.NewFileSet()
	f := parsed(t, files, text)
	cut := func(n *ast.FuncDecl) string {
		from := n.Pos()
		if n.Doc != nil {
			from = n.Doc.Pos()
		}
		return string(text[files.Position(from).Offset:files.Position(n.End()).Offset])
	}
	var functions []string
	rest := string(text)
	for _, d := range f.Decls {
		if n, ok := d.(*ast.FuncDecl); ok && n.Name.Name != "init" {
			functions = append(functions, cut(n))
			rest = strings.Replace(rest, cut(n), "", 1)
		}
	}
	slices.Reverse(functions)
	return formatted(t, []byte(rest+"\n\n"+strings.Join(functions, "\n\n")+"\n"), text)
}

// renamedLocals gives the variables that functions declare with := other names.
func renamedLocals(t *testing.T, text []byte) []byte {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "x.go", text, parser.ParseComments) // with the deprecated resolution of names, which is enough here
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || id.Obj == nil || id.Obj.Kind != ast.Var || id.Name == "_" {
			return true
		}
		if _, local := id.Obj.Decl.(*ast.AssignStmt); local {
			id.Name += "Renamed"
		}
		return true
	})
	var out bytes.Buffer
	if err := format.Node(&out, files, f); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// broken breaks the arguments of calls over lines.
func broken(t *testing.T, text []byte) []byte {
	t.Helper()
	files := token.NewFileSet()
	f := parsed(t, files, text)
	breaks := map[int]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) < 2 || c.Ellipsis.IsValid() {
			return true
		}
		for _, a := range c.Args {
			breaks[files.Position(a.Pos()).Offset] = "\n"
		}
		return true
	})
	var out bytes.Buffer
	for i, b := range text {
		out.WriteString(breaks[i])
		out.WriteByte(b)
	}
	return formatted(t, out.Bytes(), text)
}

func parsed(t *testing.T, files *token.FileSet, text []byte) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(files, "x.go", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// formatted formats a text; if it is not Go, the change could not be made and it is the original.
func formatted(t *testing.T, text, original []byte) []byte {
	t.Helper()
	out, err := format.Source(text)
	if err != nil {
		return original
	}
	return out
}
