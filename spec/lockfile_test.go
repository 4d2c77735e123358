package spec_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

func TestWhereLocksAre(t *testing.T) {
	for _, c := range [][3]string{ // page, target, lock
		{"specs/src/auth.spec.md", "src/auth", "specs/.lock/src/auth.jsonl"},
		{"specs/_root.spec.md", ".", "specs/.lock/_root.jsonl"},
		{"specs/__root.spec.md", "_root", "specs/.lock/__root.jsonl"},
		{"docs/specs/src/auth.spec.md", "src/auth", "docs/specs/.lock/src/auth.jsonl"},
		{"src/auth.spec.md", "src/auth", ".lock/src/auth.jsonl"},
		{"specs/old/auth.spec.md", "src/auth", "specs/old/.lock/auth.jsonl"}, // it was moved
		{"specs/nosrc/auth.spec.md", "src/auth", "specs/nosrc/.lock/auth.jsonl"},
		{"auth.spec.md", "", ".lock/auth.jsonl"},
	} {
		if got := spec.LockPath(c[0], c[1]); got != c[2] {
			t.Errorf("lock of %s: %s, want %s", c[0], got, c[2])
		}
	}
}

// shopWithLock is a project with a spec of shop.
func shopWithLock(t *testing.T) (p *project.Project, s *spec.Spec, page string) {
	t.Helper()
	p = openProject(t, map[string][]byte{"shop/shop.go": []byte(goShop)})
	s, text := generate(t, p, "shop", spec.GenerateOptions{})
	return p, s, string(text)
}

const (
	shopPage = "specs/shop.spec.md"
	shopLock = "specs/.lock/shop.jsonl"
)

func TestPageHasNoBaseline(t *testing.T) {
	p, s, page := shopWithLock(t)
	if strings.Contains(page, "<!--") {
		t.Errorf("the page has a comment:\n%s", page)
	}
	text, err := p.ReadFile(shopLock)
	if err != nil {
		t.Fatal(err)
	}
	l, err := lock.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if l.Skeleton.Hash != s.Front.SkeletonHash || l.SpecID != s.Front.SpecID || l.Generator != s.Front.GeneratedBy || len(l.Claims) == 0 {
		t.Errorf("the lock is of %s %s by %s with %d claims", l.SpecID, l.Skeleton.Hash, l.Generator, len(l.Claims))
	}
	if strings.Contains(string(text), s.Front.LastUpdated) {
		t.Error("the lock changes with the time")
	}
}

// TestLockOfOtherCodeIsStale: one that a killed run left, or that a merge took from another branch.
func TestLockOfOtherCodeIsStale(t *testing.T) {
	p, _, page := shopWithLock(t)
	write(t, p, "shop/shop.go", goShop+"\n// More is new.\nfunc More() {}\n")
	generate(t, p, "shop", spec.GenerateOptions{})
	write(t, p, shopPage, page) // as if the run was killed before it wrote the page
	s, err := spec.Parse([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ReadLock(p, shopPage); !errors.Is(err, spec.ErrStale) || s.Baseline != nil {
		t.Errorf("%v, baseline %v", err, s.Baseline)
	}
	if spec.LockAgrees(p, shopPage, s.Front) {
		t.Error("a stale lock agrees with its page")
	}
	if s, _ := generate(t, p, "shop", spec.GenerateOptions{}); s.Baseline == nil || s.Front.Version != "v2" {
		t.Errorf("generated again: %s, baseline %v", s.Front.Version, s.Baseline)
	}
}

// TestLocksThatCannotBeRead: a damaged lock is replaced, and what others wrote is not.
func TestLocksThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		change    func(lock string) string
		want      string
		hint      string
		protected bool
	}{
		"foreign": {
			func(string) string { return "{\"name\":\"a table\"}\n" }, shopLock + " exists and is not a lock of reverse-spec; it was not changed",
			"move " + shopLock + " away, or choose another folder with --output-dir", true,
		},
		"newer": {
			func(lock string) string { return strings.Replace(lock, `{"lock":1,`, `{"lock":9,`, 1) },
			shopLock + ": a newer version of reverse-spec wrote it (format 9, this one knows 1)",
			"update reverse-spec; or delete the lock and generate the spec again", true,
		},
		"conflict": {
			func(lock string) string { return "<<<<<<< HEAD\n" + lock + ">>>>>>> theirs\n" },
			shopLock + ": line 2: git left a merge conflict", "resolve by regenerating: reverse-spec generate shop", false,
		},
		"other": {
			func(lock string) string { return strings.Replace(lock, `"target":"shop"`, `"target":"shed"`, 1) },
			shopLock + ": line 1: it is the lock of the spec of shed", "resolve by regenerating: reverse-spec generate shop", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, s, _ := shopWithLock(t)
			text, err := p.ReadFile(shopLock)
			if err != nil {
				t.Fatal(err)
			}
			changed := c.change(string(text))
			write(t, p, shopLock, changed)
			s.Baseline = nil
			err = s.ReadLock(p, shopPage)
			failure := (*spec.LockError)(nil)
			if !errors.As(err, &failure) || err.Error() != c.want || failure.Hint().String() != c.hint {
				t.Fatalf("%v, want %s", err, c.want)
			}
			_, err = spec.Generate(t.Context(), p, "shop", spec.GenerateOptions{Now: day})
			if (err != nil) != c.protected || c.protected && err.Error() != c.want {
				t.Errorf("generate: %v", err)
			}
			if now, _ := p.ReadFile(shopLock); (string(now) == changed) != c.protected {
				t.Errorf("the lock is now\n%s", now)
			}
		})
	}
}

// TestForeignFileWhereALockGoes is kept though there is no page yet.
func TestForeignFileWhereALockGoes(t *testing.T) {
	p := openProject(t, map[string][]byte{"shop/shop.go": []byte(goShop), shopLock: []byte("mine\n")})
	if _, err := spec.Generate(t.Context(), p, "shop", spec.GenerateOptions{}); err == nil {
		t.Error("a foreign file was overwritten")
	}
	if text, _ := p.ReadFile(shopLock); string(text) != "mine\n" {
		t.Errorf("the file is now %q", text)
	}
	if _, err := p.ReadFile(shopPage); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the page: %v", err)
	}
}

// embedded returns a page as earlier versions wrote it, with its baseline in a comment.
func embedded(t *testing.T, s *spec.Spec, page string) string {
	t.Helper()
	claims, err := json.Marshal(s.Claims)
	if err != nil {
		t.Fatal(err)
	}
	skeleton, err := json.Marshal(s.Baseline)
	if err != nil {
		t.Fatal(err)
	}
	return page + "<!-- baseline-skeleton: " + string(skeleton[:len(skeleton)-1]) + `,"claims":` + string(claims) + "} -->\n"
}

// TestBaselineInAPageMovesToALock when the spec is generated again. Ids of requirements stay.
func TestBaselineInAPageMovesToALock(t *testing.T) {
	p, want, page := shopWithLock(t)
	old := embedded(t, want, page)
	s, err := spec.Parse([]byte(old))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("a baseline in a page (-lock +page):\n%s", diff)
	}
	id := regexp.MustCompile(`REQ-SHOP-0+(\d+)`)
	write(t, p, shopPage, id.ReplaceAllString(old, "REQ-SHOP-9$1"))
	write(t, p, shopLock, "")
	if err := s.ReadLock(p, shopPage); err != nil {
		t.Errorf("the lock of a page with a baseline was read: %v", err)
	}
	write(t, p, shopLock, string(want.Lock()))
	s, text := generate(t, p, "shop", spec.GenerateOptions{})
	if strings.Contains(string(text), "baseline-skeleton") || len(s.Requirements) == 0 {
		t.Errorf("not moved:\n%s", text)
	}
	for _, r := range s.Requirements {
		if !strings.HasPrefix(r.ID, "REQ-SHOP-9") {
			t.Errorf("%s has a new id", r.ID)
		}
	}
	for _, c := range s.Claims {
		if c.Requirement != "" && !strings.HasPrefix(c.Requirement, "REQ-SHOP-9") {
			t.Errorf("the lock has %s", c.Requirement)
		}
	}
}

// TestSpecNamesTheCommitOfItsCode if the commit has the code as it is.
func TestSpecNamesTheCommitOfItsCode(t *testing.T) {
	r := newRepository(t, map[string]string{"cart/a.go": oneFile, "cart/b.go": otherFile, "README.md": "A shop.\n"})
	p := r.open()
	head, err := r.git("rev-parse", "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	of := func() string {
		s, _ := generate(t, p, "cart", spec.GenerateOptions{})
		return s.Front.SourceCommit
	}
	if got, want := of(), strings.TrimSpace(head); got != want {
		t.Errorf("commit %q, want %q", got, want)
	}
	for name, c := range map[string]struct {
		file, text string
		clean      bool
	}{
		"edited": {"cart/a.go", otherFile, false}, "new": {"cart/c.go", "package cart\n", false}, "gone": {"cart/b.go", "", false},
		"elsewhere": {"other/c.go", "package other\n", true}, "not code": {"README.md", "x\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			r.write(c.file, c.text)
			if c.text == "" {
				r.remove(c.file)
			}
			if got := of(); (got != "") != c.clean {
				t.Errorf("commit %q", got)
			}
			r.must("clean", "-fdq", "cart", "other")
			r.must("checkout", "-q", ".")
		})
	}
}

// TestConflictIsResolvedByRegenerating merges branches that both generated the spec of a module.
func TestConflictIsResolvedByRegenerating(t *testing.T) {
	r := newRepository(t, map[string]string{"cart/a.go": oneFile, "cart/b.go": otherFile})
	p := r.open()
	page := "specs/cart.spec.md"
	commit := func(file, text string) {
		t.Helper()
		if file != "" {
			r.write(file, text)
		}
		if _, err := spec.Generate(t.Context(), p, "cart", spec.GenerateOptions{}); err != nil {
			t.Fatal(err)
		}
		r.must("add", "-A")
		r.must("commit", "-q", "-m", "x")
	}
	commit("", "")
	r.write(page, strings.Replace(r.file(page), "\n## 1. ", "\n<!-- keep -->\nmine\n<!-- /keep -->\n\n## 1. ", 1))
	commit("", "")
	r.must("checkout", "-q", "-b", "theirs")
	commit("cart/b.go", strings.Replace(otherFile, "too many", "more than nine", 1))
	r.must("checkout", "-q", "main")
	commit("cart/a.go", strings.Replace(oneFile, "too few", "less than none", 1))
	if out, err := r.git("merge", "-q", "theirs", "-m", "both"); err == nil {
		t.Fatalf("the pages merged: %s", out)
	}
	_, err := spec.Parse([]byte(r.file(page)))
	conflict := (*spec.ConflictError)(nil)
	if !errors.As(err, &conflict) || conflict.Hint().String() != "resolve by regenerating: reverse-spec generate cart" {
		t.Fatalf("a page with a conflict: %v", err)
	}
	s, text := generate(t, p, "cart", spec.GenerateOptions{})
	for _, want := range []string{"less than none", "more than nine", "<!-- keep -->\nmine\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the spec lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "<<<<") || s.Baseline == nil {
		t.Errorf("not resolved:\n%s", text)
	}
	r.write(page, strings.Replace(strings.Replace(string(text), "version: ", "<<<<<<< HEAD\n=======\n>>>>>>> theirs\nversion: ", 1),
		"mine\n", "<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> theirs\n", 1))
	if _, err := spec.Generate(t.Context(), p, "cart", spec.GenerateOptions{}); err == nil || !strings.Contains(err.Error(), "resolve that by hand") {
		t.Errorf("a conflict in kept text: %v", err)
	}
}
