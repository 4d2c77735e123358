package releases_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// place is a change with where it is: "file:line" in the old and the new release; "" for nowhere.
type place struct {
	Symbol   string `json:"symbol"`
	Breaking bool   `json:"breaking"`
	Message  string `json:"message"`
	Old      string `json:"old_pos"`
	New      string `json:"new_pos"`
}

// TestTypeScriptNextToTSC compares with what TypeScript's checker says of the types that packages export: the new type of a
// value must be assignable to the old one, the types of an exported type in both directions. apidiff.mjs leaves out what is no
// difference to users. DRIFT_PLAIN=1 compares with what it says without that, too.
func TestTypeScriptNextToTSC(t *testing.T) {
	tsc := filepath.Join(cache(t), "tsc-node", "node_modules")
	if _, err := os.Stat(filepath.Join(tsc, "typescript")); err != nil {
		t.Skip("typescript was not fetched")
	}
	reported := map[string][]item{}
	for _, plain := range []bool{true, false} {
		name, goal := "TypeScript", 0.96
		if plain && os.Getenv("DRIFT_PLAIN") == "" {
			continue
		}
		if plain {
			name, goal = "TypeScript, the simple judge", 0
		}
		measure(t, name, pairs(t, "typescript.txt"), goal, func(t *testing.T, p pair) (score, bool) {
			t.Helper()
			old, now, err := bothPublished(t, p)
			if err != nil {
				t.Logf("%s: skipped: %v", p.name, err)
				return score{}, false
			}
			truth, ok := assignability(t, p, tsc, plain, old, now)
			if !ok {
				return score{}, false
			}
			if !plain {
				truth = withClients(t, p, tsc, old, now, slices.Clone(truth))
			}
			key := p.name + p.old
			if _, known := reported[key]; !known {
				reported[key] = diff(t, repository(t, old, now))
			}
			items := slices.DeleteFunc(slices.Clone(reported[key]), func(i item) bool { return !judged(truth, &i) })
			return agree(t, p, truth, items, sameInTypeScript), true
		})
	}
}

// assignability returns what apidiff.mjs says of a pair, from the cache or by running it.
func assignability(t *testing.T, p pair, tsc string, plain bool, old, now string) ([]change, bool) {
	t.Helper()
	script, err := os.ReadFile("apidiff.mjs")
	if err != nil {
		t.Fatal(err)
	}
	judge := fmt.Sprintf("typescript-%x-%t", sha256.Sum256(script), plain)
	return cached(t, judge[:19]+judge[75:] /* another script is another truth */, p, func() ([]change, error) {
		out, err := judgement(t, tsc, plain, old, now)
		if err != nil && !plain && t.Context().Err() == nil {
			t.Logf("%s %s..%s: judged simply: %v", p.name, p.old, p.now, err)
			if list, ok := assignability(t, p, tsc, true, old, now); ok {
				return list, nil
			}
		}
		var r struct {
			Changes []place
			Names   []struct {
				Name  string
				Files []string
			}
		}
		if err == nil {
			err = json.Unmarshal(out, &r)
		}
		list := []change{}
		for _, c := range r.Changes {
			text := c.Message + " @" + c.Old + "@" + c.New
			list = append(list, change{"", strings.Replace(c.Symbol, ".static ", ".", 1), c.Breaking, text})
		}
		for _, n := range r.Names {
			list = append(list, change{strings.Join(n.Files, " "), n.Name, false, exported})
		}
		return list, err
	})
}

// withClients adds to what assignability says of a pair the names whose users do not compile any more, by the programs in the folder clients,
// which are read and written by hand: <package>@<old>..<new>/<name>.ts. Assignability takes the type parameters of overloads for any type.
func withClients(t *testing.T, p pair, tsc, old, now string, truth []change) []change {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("clients", strings.ReplaceAll(p.name, "/", "+")+"@"+p.old+".."+p.now, "*.ts"))
	if err != nil || len(files) == 0 {
		return truth
	}
	t.Setenv("NODE_PATH", tsc)
	out, err := try(t, ".", "node", append([]string{"clients.mjs", p.name, old, now}, files...)...)
	if err != nil {
		t.Fatal(err)
	}
	var clients []struct {
		Symbol   string
		Old, Now []string
	}
	if err := json.Unmarshal(out, &clients); err != nil {
		t.Fatal(err)
	}
	for _, c := range clients {
		known := slices.ContainsFunc(truth, func(o change) bool { return o.Breaking && o.Symbol == c.Symbol })
		switch {
		case len(c.Old) > 0 || len(c.Now) == 0:
			t.Errorf("%s: the client of %s shows nothing: %q before, %q now", p.name, c.Symbol, c.Old, c.Now)
		case known:
			t.Errorf("%s: the client of %s shows what is known", p.name, c.Symbol)
		default:
			truth = append(truth, change{"", c.Symbol, true, c.Symbol + ": " + c.Now[0] + " @@"})
		}
	}
	return truth
}

// maxJudging limits the time for a pair: to compare the type parameters of some packages takes TypeScript forever.
const maxJudging = 3 * time.Minute

func judgement(t *testing.T, tsc string, plain bool, old, now string) ([]byte, error) {
	t.Helper()
	t.Setenv("NODE_PATH", tsc)
	t.Setenv("PLAIN", map[bool]string{true: "1", false: ""}[plain])
	limit := maxJudging
	if plain {
		limit *= 4
	}
	return try(t, ".", "timeout", strconv.Itoa(int(limit.Seconds())), "node", "--stack-size=3900", "apidiff.mjs", old, now)
}

// bothPublished returns the folders of the two releases of a pair.
func bothPublished(t *testing.T, p pair) (old, now string, err error) {
	t.Helper()
	if old, err = published(t, p.name, p.old); err != nil {
		return "", "", err
	}
	now, err = published(t, p.name, p.now)
	return old, now, err
}

// exported is the message of a name that the main entry of a package exports before or now. Its package are the files that
// declare it.
const exported = "exported"

// judged reports whether the truth says something about an item: about what the main entry exports. Packages with other
// entries have more, perhaps with the same name.
func judged(truth []change, i *item) bool {
	name, _, _ := strings.Cut(i.Symbol, ".")
	file, _, _ := strings.Cut(i.Location, ":")
	return slices.ContainsFunc(truth, func(c change) bool {
		if i.Rule == "module-removed" {
			return c.Breaking && sameInTypeScript(&c, i)
		}
		moved := i.Rule == "file-moved" && declaredIn(&c, i.Old)
		moved = moved || strings.HasPrefix(i.Rule, "reexport-")
		return c.Message == exported && c.Symbol == name && (moved || declaredIn(&c, file))
	})
}

// declaredIn reports whether an exported name is declared in a file, as far as that is known.
func declaredIn(c *change, file string) bool {
	return c.Package == "" || slices.ContainsFunc(strings.Fields(c.Package), func(f string) bool { return oneOf(f) == oneOf(file) })
}

var builds = regexp.MustCompile(`(?:^|/)(?:cjs|commonjs|es|esm|lib|module|mjs|require|import|umd)(?:/|$)`)

// oneOf returns what the names of declarations of one file for several systems of modules have in common.
func oneOf(file string) string {
	return strings.TrimPrefix(builds.ReplaceAllString(regexp.MustCompile(`\.d\.[cm]?ts$`).ReplaceAllString(file, ""), "/"), "/")
}

// sameInTypeScript reports whether an item is about a change: it has its name, or its place if the name is "default".
func sameInTypeScript(c *change, i *item) bool {
	text, now, _ := cutLast(c.Message, "@")
	_, old, _ := cutLast(text, "@")
	if i.Rule == "module-removed" { // with everything in it
		return path.Dir(old) == i.Symbol
	}
	return nested(i.Symbol, c.Symbol) || i.Location == old || i.Location == now
}

func cutLast(text, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// published returns the folder of an npm package, from the cache or the registry.
func published(t *testing.T, name, version string) (string, error) {
	t.Helper()
	dir := filepath.Join(cache(t), "npm", strings.ReplaceAll(name, "/", "+")+"@"+version)
	root := filepath.Join(dir, "package")
	if _, err := os.Stat(root); err == nil {
		return root, nil
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return "", err
	}
	out, err := try(t, dir, "npm", "pack", "--silent", name+"@"+version)
	if err != nil {
		return "", err
	}
	_, err = try(t, dir, "tar", "xzf", strings.TrimSpace(string(out)))
	return root, err
}
