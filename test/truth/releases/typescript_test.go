package releases_test

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
// value must be assignable to the old one, the types of an exported type in both directions.
func TestTypeScriptNextToTSC(t *testing.T) {
	tsc := filepath.Join(cache(t), "tsc", "node_modules")
	if _, err := os.Stat(filepath.Join(tsc, "typescript")); err != nil {
		t.Skip("typescript was not fetched")
	}
	measure(t, "TypeScript", pairs(t, "typescript.txt"), 0.96, func(t *testing.T, p pair) (score, bool) {
		t.Helper()
		old, err := published(t, p.name, p.old)
		if err != nil {
			t.Logf("%s: skipped: %v", p.name, err)
			return score{}, false
		}
		now, err := published(t, p.name, p.now)
		if err != nil {
			t.Logf("%s: skipped: %v", p.name, err)
			return score{}, false
		}
		truth, ok := cached(t, "typescript", p, func() ([]change, error) {
			t.Setenv("NODE_PATH", tsc)
			out, err := try(t, ".", "node", "apidiff.mjs", old, now)
			var r struct {
				Changes []place
				Names   []string
			}
			if err == nil {
				err = json.Unmarshal(out, &r)
			}
			list := []change{}
			for _, c := range r.Changes {
				text := c.Message + " @" + c.Old + "@" + c.New
				list = append(list, change{"", strings.Replace(c.Symbol, ".static ", ".", 1), c.Breaking, text})
			}
			for _, name := range r.Names {
				list = append(list, change{"", name, false, exported})
			}
			return list, err
		})
		if !ok {
			return score{}, false
		}
		items := slices.DeleteFunc(diff(t, repository(t, old, now)), func(i item) bool { return !judged(truth, &i) })
		return agree(t, p, truth, items, sameInTypeScript), true
	})
}

// exported is the message of a name that the main entry of a package exports before or now.
const exported = "exported"

// judged reports whether the truth says something about an item: about names that the main entry exports. Packages with
// other entries have more.
func judged(truth []change, i *item) bool {
	name, _, _ := strings.Cut(i.Symbol, ".")
	return slices.ContainsFunc(truth, func(c change) bool {
		if i.Rule == "module-removed" {
			return c.Breaking && sameInTypeScript(&c, i)
		}
		return c.Message == exported && c.Symbol == name
	})
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
