package rag_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
)

func hit(t *testing.T, g *explore.Graph, text string, change func(*rag.Options)) bool {
	t.Helper()
	return query(t, g, text, change).Metadata.Cache.Hit
}

func TestAnswerIsCached(t *testing.T) {
	g := write(t, shop).open()
	first := query(t, g, "checkout", nil)
	second := query(t, g, "checkout", nil)
	if first.Metadata.Cache != (rag.CacheUse{Enabled: true}) || second.Metadata.Cache != (rag.CacheUse{Enabled: true, Hit: true}) {
		t.Errorf("%+v, then %+v", first.Metadata.Cache, second.Metadata.Cache)
	}
	second.Metadata.Cache.Hit, second.Metadata.QueryTime = false, first.Metadata.QueryTime
	if diff := cmp.Diff(first, second); diff != "" {
		t.Error(diff)
	}
}

func TestAnotherParameterIsAnotherQuestion(t *testing.T) {
	g := write(t, shop).open()
	query(t, g, "checkout", nil)
	for name, change := range map[string]func(o *rag.Options){
		"top-k":         func(o *rag.Options) { o.TopK = 3 },
		"depth":         func(o *rag.Options) { o.Depth = 2 },
		"budget":        func(o *rag.Options) { o.Budget = 99 },
		"fusion-depth":  func(o *rag.Options) { o.FusionDepth = 0 },
		"min-relevance": func(o *rag.Options) { o.MinRelevance = 0.1 },
		"rerank":        func(o *rag.Options) { o.Rerank = true },
		"foreign":       func(o *rag.Options) { o.Foreign = true },
		"ckb":           func(o *rag.Options) { o.CKB = ckb.Status{Reason: ckb.HealthCheckFailed} },
		"virtual edges": func(o *rag.Options) { o.IncludeVirtual = true },
		"no cache":      func(o *rag.Options) { o.NoCache = true },
	} {
		if hit(t, g, "checkout", change) {
			t.Errorf("%s makes no difference", name)
		}
	}
	if hit(t, g, "check out", nil) {
		t.Error("the question makes no difference")
	}
	if !hit(t, g, "checkout", nil) {
		t.Error("the first answer is gone")
	}
}

func TestVirtualEdgesAreNotCached(t *testing.T) {
	g := write(t, shop).open()
	virtual := func(o *rag.Options) { o.IncludeVirtual = true }
	for range 2 {
		if a := query(t, g, "checkout", virtual); a.Metadata.Cache != (rag.CacheUse{}) {
			t.Errorf("%+v", a.Metadata.Cache)
		}
	}
}

func TestChangedFileInvalidatesTheCache(t *testing.T) {
	p := write(t, shop)
	query(t, p.open(), "checkout", nil)
	if err := p.WriteFile("cart.go", []byte("package shop\n\nfunc CheckoutNow() {}\n")); err != nil {
		t.Fatal(err)
	}
	a := query(t, p.open(), "checkout", nil)
	if a.Metadata.Cache.Hit || a.Candidates[0].Symbol != "shop.cart.CheckoutNow" {
		t.Errorf("%+v %v", a.Metadata.Cache, lines(a))
	}
}

func TestDamagedCacheIsIgnored(t *testing.T) {
	g := write(t, shop).open()
	want := query(t, g, "checkout", nil)
	file := g.Stored().Derived() + rag.CacheSuffix
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 1 + len(whole)/60 {
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= 0xff
		for _, data := range [][]byte{damaged, whole[:at]} {
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			got := query(t, g, "checkout", nil)
			got.Metadata.QueryTime, got.Metadata.Cache = want.Metadata.QueryTime, want.Metadata.Cache
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("at %d: %s", at, diff)
			}
		}
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	g := write(t, shop).open()
	for i := range 70 {
		query(t, g, fmt.Sprintf("checkout %d", i), nil)
	}
	if !hit(t, g, "checkout 69", nil) || hit(t, g, "checkout 0", nil) {
		t.Error("the oldest answers should go first")
	}
	files, err := filepath.Glob(g.Stored().Derived() + rag.CacheSuffix + "*")
	if err != nil || len(files) != 1 {
		t.Errorf("%v %v", files, err)
	}
}

func TestTheCacheGoesWithTheProject(t *testing.T) {
	p := write(t, shop)
	g := p.open()
	query(t, g, "checkout", nil)
	file := g.Stored().Derived() + rag.CacheSuffix
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if err := explore.DeleteProject(t.Context(), p.store, "shop"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("%s: %v", file, err)
	}
}

type testEnv map[string]string

func (e testEnv) get(name string) string { return e[name] }

func TestTheCacheCanBeSwitchedOff(t *testing.T) {
	for value, want := range map[string]bool{"": false, "true": false, "1": false, "0": true, "false": true, "FALSE ": true} {
		var o rag.Options
		if err := o.FromEnv(testEnv{"GRAPH_RAG_CACHE_ENABLED": value}.get); err != nil || o.NoCache != want {
			t.Errorf("%q: %v, %v", value, o.NoCache, err)
		}
	}
}
