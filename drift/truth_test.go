package drift_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// truthPair is an entry of go-drift.json: the changes between two releases according to
// apidiff.
type truthPair struct {
	Module, Old, New string
	Changes          []truthChange
}

type truthChange struct {
	Package, Symbol, Kind, Message string
	Breaking                       bool
}

// TestAgreesWithAPIDiff compares the rules with golang.org/x/exp/apidiff on pairs of published
// versions. It needs the folder of those results in REVERSE_SPEC_TRUTH, and modules from the
// module cache or a proxy.
func TestAgreesWithAPIDiff(t *testing.T) {
	dir := os.Getenv("REVERSE_SPEC_TRUTH")
	if dir == "" {
		t.Skip("REVERSE_SPEC_TRUTH names no folder with go-drift.json; it is needed for development only")
	}
	data, err := os.ReadFile(filepath.Join(dir, "go-drift.json"))
	if err != nil {
		t.Fatal(err)
	}
	var pairs []truthPair
	if err := json.Unmarshal(data, &pairs); err != nil {
		t.Fatal(err)
	}
	var all score
	for _, p := range pairs {
		before, now := moduleSkeleton(t, p.Module, p.Old), moduleSkeleton(t, p.Module, p.New)
		s := measure(t, p, before, now)
		t.Logf("%s %s..%s: %s", p.Module, p.Old, p.New, s)
		all.add(s)
	}
	t.Logf("all: %s", all)
	if all.recall() < 0.95 || all.agreement() < 0.95 || all.precision() < 0.9 {
		t.Errorf("too far from apidiff: %s", all)
	}
}

// moduleSkeleton returns the skeleton of a module version without tests, nested modules and
// files that go list excludes.
func moduleSkeleton(t *testing.T, module, version string) code.Skeleton {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module+"@"+version)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("download %s@%s: %v", module, version, err)
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	return folderSkeleton(t, got.Dir, func(file string) bool { return strings.HasSuffix(file, ".go") })
}

// folderSkeleton parses the files below dir that keep accepts.
func folderSkeleton(t *testing.T, dir string, keep func(file string) bool) code.Skeleton {
	t.Helper()
	var files []*code.File
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := e.Name()
		if e.IsDir() && file != dir && (name == "testdata" || name == "vendor" || name == "node_modules" || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".")) {
			return fs.SkipDir
		}
		if e.IsDir() || !keep(file) {
			return nil
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		f, err := lang.Parse(t.Context(), filepath.ToSlash(rel), src, lang.All)
		if err != nil {
			return err
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return code.Merge(".", files, time.Unix(0, 0))
}

// score counts the agreement of drift's items with the reference.
type score struct {
	truth, found, agreed, items, right int
	promoted                           int // missed: methods of types of other modules, by embedding
}

func (s *score) add(o score) {
	s.truth += o.truth
	s.found += o.found
	s.agreed += o.agreed
	s.items += o.items
	s.right += o.right
	s.promoted += o.promoted
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

func (s score) recall() float64    { return ratio(s.found, s.truth) }
func (s score) agreement() float64 { return ratio(s.agreed, s.found) }
func (s score) precision() float64 { return ratio(s.right, s.items) }

func (s score) String() string {
	b, _ := json.Marshal(map[string]any{
		"changes": s.truth, "recall": round(s.recall()), "breaking": round(s.agreement()), "precision": round(s.precision()),
		"items": s.items, "promoted": s.promoted,
	})
	return string(b)
}

func round(f float64) float64 { return float64(int(f*1000+0.5)) / 1000 }

// claim is a change in the form that both sides have.
type claim struct{ pkg, symbol, kind string }

var foreignMethod = regexp.MustCompile(`^[\w./-]+\.\(\*?\w+\)\.(\w+)`)

func measure(t *testing.T, p truthPair, before, now code.Skeleton) score {
	t.Helper()
	commands := commandFolders(before, now)
	got := map[claim]bool{} // -> breaking
	api := map[claim]bool{}
	packages := map[string]bool{}
	for _, item := range drift.Compare(t.Context(), drift.Surface{Skeleton: before}, drift.Surface{Skeleton: now}, message.English).Items {
		file, _, _ := strings.Cut(item.Location, ":")
		pkg := path.Dir(file)
		kind := map[drift.ChangeType]string{drift.Addition: "added", drift.Removal: "removed", drift.Modification: "changed"}[item.ChangeType]
		c := claim{pkg, item.SymbolName, kind}
		got[c] = got[c] || item.Breaking
		packages[pkg+kind] = true
		switch {
		case item.Category != drift.Interface, item.Rule == "param-renamed", strings.Contains("/"+pkg+"/", "/internal/"), commands[pkg]:
			if item.Rule != "const-value-changed" || commands[pkg] || strings.Contains("/"+pkg+"/", "/internal/") {
				continue
			}
		}
		api[c] = true
		if item.Rule == "renamed-symbol" {
			_, renamed, _ := strings.Cut(item.Description, "renamed to `")
			renamed, _, _ = strings.Cut(renamed, "`")
			c = claim{pkg, renamed, "added"}
			api[c] = true
			if _, again := got[c]; !again {
				got[c] = false
			}
		}
	}
	var s score
	told := map[claim]bool{}
	for _, c := range p.Changes {
		if c.Symbol == "" {
			s.truth++
			if packages[c.Package+c.Kind] {
				s.found++
				s.agreed++
			}
			told[claim{c.Package, "", ""}] = true
			continue
		}
		if m := foreignMethod.FindStringSubmatch(c.Symbol); m != nil { // promoted from a type of another package
			found := false
			for key := range api {
				if key.pkg == c.Package && key.kind == c.Kind && strings.HasSuffix(key.symbol, "."+m[1]) {
					told[key], found = true, true
				}
			}
			if found {
				s.truth, s.found, s.agreed = s.truth+1, s.found+1, s.agreed+1
				continue
			}
			s.promoted++
			continue
		}
		key := claim{c.Package, strings.NewReplacer("(", "", ")", "", "*", "").Replace(c.Symbol), c.Kind}
		told[key] = true
		s.truth++
		breaking, ok := got[key]
		switch {
		case !ok:
			t.Logf("missed %s %s", c.Package, c.Message)
			continue
		case breaking == c.Breaking:
			s.agreed++
		default:
			t.Logf("breaking=%v for %s %s", breaking, c.Package, c.Message)
		}
		s.found++
	}
	for c := range api {
		if told[claim{c.pkg, "", ""}] {
			continue
		}
		s.items++
		if told[c] {
			s.right++
		} else {
			t.Logf("not in the truth: %+v", c)
		}
	}
	return s
}

// commandFolders returns the folders of main packages.
func commandFolders(list ...code.Skeleton) map[string]bool {
	out := map[string]bool{}
	for _, s := range list {
		for _, sym := range s.Internals {
			if sym.Name == "main" && sym.Kind == code.Function {
				out[path.Dir(sym.File)] = true
			}
		}
	}
	return out
}
