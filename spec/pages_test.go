package spec_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// countSymbols counts symbols by file and qualified name: "a.go Server.Serve".
func countSymbols(into map[string]int, file, owner string, list []code.Symbol) {
	for _, s := range list {
		into[file+" "+owner+s.Name]++
		countSymbols(into, file, owner+s.Name+".", s.Members)
	}
}

func symbolsOf(r *spec.PrepareResult) map[string]int {
	out := map[string]int{}
	for _, s := range r.Skeletons {
		out[s.FilePath+" "] = 1
		countSymbols(out, s.FilePath, "", s.Exports)
		countSymbols(out, s.FilePath, "", s.Internals)
	}
	return out
}

// realCode returns folders of public code on this machine, and those in
// REVERSE_SPEC_REAL_CODE, such as the content of python3-flask.
func realCode(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{"net/http": filepath.Join(runtime.GOROOT(), "src", "net", "http")} //nolint:staticcheck // where the tests' own Go is
	named := filepath.SplitList(os.Getenv("REVERSE_SPEC_REAL_CODE"))
	for _, dir := range named {
		out[filepath.Base(dir)] = dir
	}
	if len(named) == 0 {
		t.Log("REVERSE_SPEC_REAL_CODE names no folders: Flask was not tried")
	}
	python, err := exec.CommandContext(t.Context(), "python3", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		t.Log("python3 is not installed: its standard library was not tried")
		return out
	}
	for _, name := range []string{"asyncio", "http"} {
		out["python "+name] = filepath.Join(strings.TrimSpace(string(python)), name)
	}
	return out
}

// TestPagesHaveEachSymbolOnce: for real code and any budget, no page is empty, and all pages
// together have each symbol once.
func TestPagesHaveEachSymbolOnce(t *testing.T) {
	for name, dir := range realCode(t) {
		if _, err := os.Stat(dir); err != nil {
			t.Logf("%s was not tried: %v", name, err)
			continue
		}
		p, err := project.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		whole, err := spec.Prepare(t.Context(), p, ".", spec.PrepareOptions{Now: day})
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int{2_000, 5_000, 20_000} {
			t.Run(fmt.Sprintf("%s/%d", name, limit), func(t *testing.T) { allPages(t, p, symbolsOf(whole), limit) })
		}
	}
}

// allPages reads all pages in order.
func allPages(t *testing.T, p *project.Project, whole map[string]int, limit int) {
	t.Helper()
	want := maps.Clone(whole)
	got, units := map[string]int{}, unitsOf(whole)
	most, sizes := 0, 0
	pages := 0
	enough := 10 // pages of a large folder; they must have no duplicates
	if units > 2_000 {
		enough = 4
	}
	for offset, more := 0, true; more && pages < enough; pages++ {
		r, err := spec.Prepare(t.Context(), p, ".", spec.PrepareOptions{MaxTokens: limit, Offset: offset, Now: day})
		if err != nil {
			t.Fatal(err)
		}
		size := jsonTokens(t, r)
		most, sizes = max(most, size), sizes+size
		if len(r.Skeletons) == 0 || size > limit {
			t.Fatalf("offset %d: %d skeletons, %d tokens", offset, len(r.Skeletons), size)
		}
		if left := omitted(r, "skeleton"); left.Left != r.More || r.More > 0 && left.Of != units {
			t.Errorf("offset %d: told %+v, %d more of %d", offset, left, r.More, units)
		}
		for name, n := range symbolsOf(r) {
			if strings.HasSuffix(name, " ") {
				n = max(n-got[name], 0) // a file is on each page with one of its symbols
			}
			got[name] += n
		}
		offset, more = r.NextOffset, r.More > 0
	}
	if pages == enough {
		maps.DeleteFunc(want, func(name string, _ int) bool { return got[name] == 0 })
		for name, n := range got {
			want[name] = max(want[name], n)
			if n > whole[name] {
				t.Errorf("%s comes %d times, and is there %d times", name, n, whole[name])
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%.2000s", diff)
	}
	t.Logf("%d symbols on %d pages, at most %d tokens, %d on average", len(want), pages, most, sizes/pages)
}

// unitsOf counts the units of pages: symbols, and files without any.
func unitsOf(symbols map[string]int) int {
	n := 0
	has := map[string]bool{}
	for name, k := range symbols {
		if file, symbol, _ := strings.Cut(name, " "); symbol != "" {
			has[file] = true
			n += k
		}
	}
	for name := range symbols {
		if file, symbol, _ := strings.Cut(name, " "); symbol == "" && !has[file] {
			n++
		}
	}
	return n
}

func omitted(r *spec.PrepareResult, part string) spec.Omitted {
	for _, o := range r.Omitted {
		if o.Part == part {
			return o
		}
	}
	return spec.Omitted{}
}

func jsonTokens(t *testing.T, r *spec.PrepareResult) int {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return len(data) / 3
}
