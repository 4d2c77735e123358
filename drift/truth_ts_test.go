package drift_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// TestAgreesWithTSC compares the rules with TypeScript's checker on pairs of published
// packages. It needs the folder of those results in REVERSE_SPEC_TRUTH, and npm with a
// registry or a cache.
func TestAgreesWithTSC(t *testing.T) {
	dir := os.Getenv("REVERSE_SPEC_TRUTH")
	if dir == "" {
		t.Skip("REVERSE_SPEC_TRUTH names no folder with ts-drift.json; it is needed for development only")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not on PATH")
	}
	data, err := os.ReadFile(filepath.Join(dir, "ts-drift.json"))
	if err != nil {
		t.Skip(err)
	}
	var pairs []struct {
		Package, Old, New string
		Changes           []truthChange
	}
	if err := json.Unmarshal(data, &pairs); err != nil {
		t.Fatal(err)
	}
	var all score
	for _, p := range pairs {
		before, oldNames := packageSkeleton(t, p.Package, p.Old)
		now, newNames := packageSkeleton(t, p.Package, p.New)
		var defaults []string
		for _, sym := range slices.Concat(before.Exports, now.Exports) {
			if sym.Default {
				defaults = append(defaults, sym.Name)
			}
		}
		s := measureTS(t, p.Changes, drift.Compare(t.Context(), drift.Surface{Skeleton: before}, drift.Surface{Skeleton: now}, message.English).Items, append(oldNames, newNames...), defaults)
		t.Logf("%s %s..%s: %s", p.Package, p.Old, p.New, s)
		all.add(s)
	}
	t.Logf("all: %s", all)
	if all.recall() < 0.85 || all.agreement() < 0.9 {
		t.Errorf("too far from tsc: %s", all)
	}
}

// packageSkeleton returns the skeleton of a package's declaration files and the names that its
// entry exports.
func packageSkeleton(t *testing.T, name, version string) (code.Skeleton, []string) {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "npm", "pack", "--silent", name+"@"+version)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("npm pack %s@%s: %v", name, version, err)
	}
	untar := exec.CommandContext(t.Context(), "tar", "xzf", strings.TrimSpace(string(out)))
	untar.Dir = dir
	if err := untar.Run(); err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, "package")
	s := folderSkeleton(t, root, func(file string) bool { return strings.HasSuffix(file, ".d.ts") })
	return s, exportedNames(t, root, entryOf(t, root))
}

// entryOf returns the declaration file that a package declares as its entry.
func entryOf(t *testing.T, root string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest map[string]any
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	var pick func(v any) string
	pick = func(v any) string {
		switch v := v.(type) {
		case string:
			if strings.HasSuffix(v, ".d.ts") {
				return v
			}
		case map[string]any:
			for _, key := range []string{"types", "import", "require", "node", "default", "."} {
				if r := pick(v[key]); r != "" {
					return r
				}
			}
		}
		return ""
	}
	for _, v := range []any{manifest["types"], manifest["typings"], manifest["exports"]} {
		if r := pick(v); r != "" {
			return path.Clean(r)
		}
	}
	return "index.d.ts"
}

// exportedNames follows re-exports from a declaration file.
func exportedNames(t *testing.T, root, entry string) []string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(root, entry)); err != nil {
		return nil
	}
	s := folderSkeleton(t, root, func(file string) bool { return file == filepath.Join(root, entry) })
	var out []string
	for _, sym := range s.Exports {
		out = append(out, sym.Name)
	}
	for _, i := range s.Imports {
		if !i.Reexport {
			continue
		}
		if !slices.Contains(i.Named, "*") {
			out = append(out, i.Named...)
			continue
		}
		target := strings.TrimSuffix(path.Join(path.Dir(entry), i.Module), ".js")
		for _, file := range []string{target + ".d.ts", target + "/index.d.ts"} {
			out = append(out, exportedNames(t, root, file)...)
		}
	}
	return out
}

func measureTS(t *testing.T, truth []truthChange, items []drift.Item, names, defaults []string) score {
	t.Helper()
	var s score
	got := map[claim]bool{}
	told := map[claim]bool{}
	for _, i := range items {
		kind := map[drift.ChangeType]string{drift.Addition: "added", drift.Removal: "removed", drift.Modification: "changed"}[i.ChangeType]
		if i.Category == drift.Behavior || i.Rule == "param-renamed" || i.Rule == "file-moved" {
			continue
		}
		c := claim{"", i.SymbolName, kind}
		got[c] = got[c] || i.Breaking
	}
	for _, c := range truth {
		key := claim{"", strings.Replace(c.Symbol, ".static ", ".", 1), c.Kind}
		told[key] = true
		s.truth++
		breaking, ok := got[key]
		if rest, found := strings.CutPrefix(key.symbol, "default."); !ok && found {
			for _, name := range defaults {
				key.symbol = name + "." + rest
				if breaking, ok = got[key]; ok {
					told[key] = true
					break
				}
			}
		}
		if !ok && strings.Contains(key.symbol, ".") { // a member of a type literal, reported for the type
			key.symbol, _, _ = strings.Cut(key.symbol, ".")
			key.kind = "changed"
			told[key] = true
			breaking, ok = got[key]
		}
		switch {
		case !ok:
			t.Logf("missed %s", c.Message)
			continue
		case breaking == c.Breaking:
			s.agreed++
		default:
			t.Logf("breaking=%v for %s", breaking, c.Message)
		}
		s.found++
	}
	for c, breaking := range got {
		top, _, _ := strings.Cut(c.symbol, ".")
		if !slices.Contains(names, top) {
			continue
		}
		s.items++
		if told[c] {
			s.right++
		} else {
			t.Logf("not in the truth: %+v breaking=%v", c, breaking)
		}
	}
	return s
}
