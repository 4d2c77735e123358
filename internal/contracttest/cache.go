package contracttest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
	"github.com/reverse-spec/reverse-spec/internal/x/ownfiles"
)

// maxCached limits the results in a cache; the oldest are dropped.
const maxCached = 500

// cache has the results of contract tests that passed, by the hash of the code, the tests and the toolchain. Nil is an
// empty one.
type cache struct {
	file    string
	project string // the hash of the project's files
	tools   map[string]string
	entries map[string]cached
}

type cached struct {
	At     int64 `json:"at"` // in seconds since 1970
	Millis int64 `json:"ms"`
	Ran    []Ran `json:"ran"`
}

// openCache reads the cache in a folder; scratch is where scripts are. What cannot be read is empty.
func openCache(ctx context.Context, p *project.Project, folder, scratch string) *cache {
	if folder == "" {
		return nil
	}
	code, err := hashOfFiles(ctx, p, []string{filepath.Dir(folder), scratch})
	if err != nil {
		return nil
	}
	c := &cache{file: filepath.Join(folder, ownfiles.Name(p.Root())+".json"), project: code, tools: map[string]string{}, entries: map[string]cached{}}
	ownfiles.Read(c.file, &c.entries)
	return c
}

// maxHashed limits the size of a project whose files are hashed, in bytes: to hash more takes longer than many tests.
const maxHashed = 32 << 20

var errLarge = errors.New("the project is too large for a cache")

// hashOfFiles returns the hash of the files of a project, without specs and what is in folders of ours.
func hashOfFiles(ctx context.Context, p *project.Project, ours []string) (string, error) {
	l, err := p.List(ctx, ".")
	if err != nil {
		return "", err
	}
	size := int64(0)
	for _, f := range l.Files {
		size += f.Size
	}
	if size > maxHashed {
		return "", errLarge
	}
	sum := sha256.New()
	for _, f := range l.Files {
		at := filepath.Join(p.Root(), filepath.FromSlash(f.Path))
		isOurs := func(dir string) bool { return strings.HasPrefix(at, dir+string(filepath.Separator)) }
		if strings.HasSuffix(f.Path, ".spec.md") || strings.Contains("/"+f.Path, "/.lock/") || slices.ContainsFunc(ours, isOurs) {
			continue
		}
		text, err := p.ReadFile(f.Path)
		if err != nil { // too large
			text = []byte(strconv.FormatInt(f.Size, 10))
		}
		part(sum, []byte(f.Path))
		part(sum, text)
	}
	return hex.EncodeToString(sum.Sum(nil)), ctx.Err()
}

func part(sum hash.Hash, text []byte) {
	sum.Write([]byte(strconv.Itoa(len(text)) + ":"))
	sum.Write(text)
}

// key returns the key of a test; "" for one that may depend on anything.
func (c *cache) key(ctx context.Context, b *sandbox, t *Test) string {
	if c == nil || len(t.runs) == 0 || t.coverage != "" {
		return ""
	}
	sum := sha256.New()
	runs, _ := json.Marshal(t.runs) // strings always encode
	for _, text := range []string{c.project, t.Script, string(runs), t.runs[0].Home} {
		part(sum, []byte(text))
	}
	for _, r := range t.runs {
		part(sum, []byte(r.File))
	}
	for _, tool := range t.Needs {
		part(sum, []byte(c.tool(ctx, b, tool)))
	}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if slices.ContainsFunc([]string{"GO", "CGO_", "NODE_", "PYTHON", "VIRTUAL_ENV", "RUST", "CARGO", "JAVA_", "MAVEN_", "RUBY", "GEM_"}, func(p string) bool { return strings.HasPrefix(name, p) }) {
			part(sum, []byte(variable))
		}
	}
	for _, name := range []string{"node_modules/.package-lock.json", "node_modules/.yarn-state.yml", "node_modules/.modules.yaml"} { // what is installed
		for _, dir := range []string{"", t.runs[0].Home} {
			text, _ := openfile.Read(filepath.Join(b.root, filepath.FromSlash(path.Join(dir, name))), mostBytes)
			part(sum, text)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// tool identifies a program: its file and what it calls its version.
func (c *cache) tool(ctx context.Context, b *sandbox, name string) string {
	if known, ok := c.tools[name]; ok {
		return known
	}
	text := name
	at := name
	if strings.Contains(name, "/") {
		at = filepath.Join(b.root, filepath.FromSlash(name))
	}
	if file, err := exec.LookPath(at); err == nil {
		if real, err := filepath.EvalSymlinks(file); err == nil {
			file = real
		}
		text = file
		if info, err := os.Stat(file); err == nil {
			text += " " + strconv.FormatInt(info.Size(), 10) + " " + info.ModTime().Format(time.RFC3339Nano)
		}
		argument := " --version"
		switch name {
		case "go":
			argument = " version"
		case "python3":
			argument = installed
		}
		if out, err := b.script(ctx, b.nextName(), name+argument); err == nil {
			text += " " + out.text("en")
		}
	}
	c.tools[name] = text
	return text
}

// installed has Python say its version and what is installed.
const installed = ` -c 'import os, sys; print(sys.version, [sorted(os.listdir(p)) for p in sys.path if os.path.isdir(p)])'`

// find fills in the result of a test that passed with the same key.
func (c *cache) find(key string, t *Test) bool {
	if key == "" {
		return false
	}
	e, ok := c.entries[key]
	if ok {
		t.Outcome, t.Millis, t.Ran, t.Cached = Passed, e.Millis, e.Ran, true
	}
	return ok
}

// keep records the result of a test that passed.
func (c *cache) keep(key string, t *Test, now time.Time) {
	if key != "" && t.Outcome == Passed {
		c.entries[key] = cached{now.Unix(), t.Millis, t.Ran}
	}
}

// close writes the cache. A cache that cannot be written is lost.
func (c *cache) close() {
	if c == nil || len(c.entries) == 0 {
		return
	}
	keys := slices.SortedFunc(maps.Keys(c.entries), func(a, b string) int { return cmp.Compare(c.entries[b].At, c.entries[a].At) })
	for _, key := range keys[min(len(keys), maxCached):] {
		delete(c.entries, key)
	}
	ownfiles.Write(c.file, c.entries)
}
