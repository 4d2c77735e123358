// Package services_test compares what we find of public web services with labels that were made by reading their code:
// routes, success statuses, refusals. scripts/services.sh fetches the code; see README.md for the format of the labels.
package services_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// labels are those of one repository.
type labels struct {
	repository, target string
	writes             bool // what routes write to the database is labelled
	routes             []*route
}

// route is one labelled route.
type route struct {
	name    string // "GET /api/articles/{}"
	success []int
	refuse  []answer
	may     []answer
	writes  []string // "insert users"
	line    int
}

type answer struct {
	status  int
	message string // "" for any
}

func (a answer) String() string { return strings.TrimSpace(fmt.Sprintf("%d %s", a.status, a.message)) }

// fits reports whether an answer that was found is the labelled one.
func (a answer) fits(found answer) bool {
	return a.status == found.status && (a.message == "" || a.message == strings.TrimSpace(found.message))
}

// parameter is a part of a path that stands for a value, in the syntax of any framework.
var parameter = regexp.MustCompile(`\{[^}]*\}|<[^>]*>|:[A-Za-z_]\w*(\([^)]*\))?|\(\?P<[^)]*\)`)

// shape returns a route's name without the names of parameters, a slash at the end, and the marks of a pattern.
func shape(method, path string) string {
	if method == "" {
		method = "ANY"
	}
	path = strings.TrimRight(parameter.ReplaceAllString(strings.TrimSuffix(path, "$"), "{}"), "/?")
	return method + " " + "/" + strings.TrimLeft(path, "^/")
}

func read(t *testing.T, file string) *labels {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := &labels{target: "."}
	scanner := bufio.NewScanner(f)
	for n := 1; scanner.Scan(); n++ {
		word, rest, _ := strings.Cut(strings.TrimSpace(scanner.Text()), " ")
		var last *route
		if len(out.routes) > 0 {
			last = out.routes[len(out.routes)-1]
		}
		switch word {
		case "", "#", "commit", "framework":
		case "repository":
			out.repository = rest
		case "target":
			out.target = rest
		case "writes":
			out.writes = true
		case "write":
			last.writes = append(last.writes, rest)
		case "success":
			for number := range strings.FieldsSeq(rest) {
				last.success = append(last.success, statusOf(t, file, n, number))
			}
		case "refuse", "may":
			number, message, _ := strings.Cut(rest, " ")
			a := answer{statusOf(t, file, n, number), message}
			if word == "may" {
				last.may = append(last.may, a)
			} else {
				last.refuse = append(last.refuse, a)
			}
		default:
			if word != strings.ToUpper(word) || !strings.HasPrefix(rest, "/") {
				t.Fatalf("%s:%d: not a label: %s", file, n, scanner.Text())
			}
			out.routes = append(out.routes, &route{name: shape(word, rest), line: n})
		}
	}
	return out
}

func statusOf(t *testing.T, file string, line int, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s:%d: %v", file, line, err)
	}
	return n
}

// rate counts what was found (right of found) and what was to be found (hit of all).
type rate struct{ right, found, hit, all int }

func (r rate) String() string {
	return fmt.Sprintf("%d/%d right, %d/%d found", r.right, r.found, r.hit, r.all)
}

func (r *rate) add(o rate) {
	r.right, r.found, r.hit, r.all = r.right+o.right, r.found+o.found, r.hit+o.hit, r.all+o.all
}

func endpoints(t *testing.T, dir, target string) []service.Endpoint {
	t.Helper()
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := source.Read(t.Context(), p, target, source.Options{Scope: source.Everything})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.ReadImported(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if target == "." {
		return tree.Endpoints
	}
	return slices.DeleteFunc(tree.Endpoints, func(e service.Endpoint) bool { return !strings.HasPrefix(e.At.File, target+"/") })
}

// TestDump prints what is found in the folder DUMP, to make labels from and to look at.
func TestDump(t *testing.T) {
	dir := os.Getenv("DUMP")
	if dir == "" {
		t.Skip("DUMP is the folder of a service")
	}
	for _, e := range endpoints(t, dir, ".") {
		fmt.Fprintf(os.Stdout, "%s %s -> %s (%s:%d)\n", e.Method, e.Path, e.Handler.Name, e.At.File, e.At.Line)
		for _, s := range e.Chain {
			fmt.Fprintf(os.Stdout, "  step %s %s\n", s.Kind, s.Name)
		}
		for _, in := range e.Inputs {
			fmt.Fprintf(os.Stdout, "  input %s %s %s required=%v default=%s %v\n", in.In, in.Name, in.Type, in.Required, in.Default, in.Limits)
		}
		for _, a := range e.Success {
			fmt.Fprintf(os.Stdout, "  success %d %s\n", a.Status, a.Body)
		}
		for _, body := range e.Bodies {
			for _, f := range body.Fields {
				fmt.Fprintf(os.Stdout, "  body %d %s: %s\n", body.Status, f.Name, f.Type)
			}
		}
		for _, r := range e.Requests {
			fmt.Fprintf(os.Stdout, "  tested %s:%d %q %v set-up=%v %v\n", r.At.File, r.At.Line, r.Test, r.Asserted, r.SetUp, r.Fields)
		}
		for _, a := range e.Stored {
			fmt.Fprintf(os.Stdout, "  %s %s %s:%d%s\n", a.Verb, a.Table, a.At.File, a.At.Line, marks(&a))
		}
		for _, h := range e.Hazards {
			fmt.Fprintf(os.Stdout, "  hazard %s %s %v %d\n", h.Kind, h.Table, h.Columns, h.Status)
		}
		for _, f := range e.Refusals {
			fmt.Fprintf(os.Stdout, "  refuse %d%s %s   # %s %v %s:%d in %s\n", f.Status, f.Code, f.Message, f.Error, f.When, f.At.File, f.At.Line, f.In)
		}
	}
}

// marks says what is known of an access.
func marks(a *service.Access) string {
	text := ""
	for _, m := range []struct {
		is   bool
		text string
	}{{a.Cascade, "cascade"}, {a.Loop, "loop"}, {a.Alone, "alone"}, {a.Upsert, "upsert"}, {a.Caught, "caught"}, {a.Unordered, "unordered"}} {
		if m.is {
			text += " " + m.text
		}
	}
	return text
}

// TestServices prints a line per repository, and each difference with -v.
func TestServices(t *testing.T) {
	root := os.Getenv("REVERSE_SPEC_SERVICES")
	if root == "" {
		t.Skip("scripts/services.sh sets REVERSE_SPEC_SERVICES")
	}
	files, err := filepath.Glob("*.txt")
	if err != nil {
		t.Fatal(err)
	}
	total := [4]rate{}
	for _, file := range files {
		if only := os.Getenv("ONLY"); only != "" && !strings.Contains(file, only) {
			continue
		}
		want := read(t, file)
		dir := filepath.Join(root, strings.ReplaceAll(want.repository, "/", "+"))
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		sums := compare(t, want, endpoints(t, dir, want.target))
		if sums[0].right < sums[0].found || sums[0].hit < sums[0].all {
			t.Errorf("%s: routes %v", file, sums[0])
		}
		for i := range sums {
			total[i].add(sums[i])
		}
		fmt.Fprintf(os.Stdout, "%-28s routes %v; success %v; refusals %v", strings.TrimSuffix(file, ".txt"), sums[0], sums[1], sums[2])
		if want.writes {
			fmt.Fprintf(os.Stdout, "; writes %v", sums[3])
		}
		fmt.Fprintln(os.Stdout)
	}
	fmt.Fprintf(os.Stdout, "%-28s routes %v; success %v; refusals %v; writes %v\n", "total", total[0], total[1], total[2], total[3])
	for i, what := range []string{"success statuses", "refusals"} {
		if r := total[1+i]; r.right*10 < r.found*9 || r.hit*10 < r.all*8 {
			t.Errorf("%s: %v, below .9 right or .8 found", what, r)
		}
	}
}

// compare returns the rates of routes, success statuses, refusals and writes.
func compare(t *testing.T, want *labels, list []service.Endpoint) (sums [4]rate) {
	t.Helper()
	found := map[string]*service.Endpoint{}
	for i := range list {
		name := shape(list[i].Method, list[i].Path)
		if found[name] == nil {
			found[name] = &list[i]
		}
	}
	sums[0].found, sums[0].all = len(found), len(want.routes)
	for _, w := range want.routes {
		e := found[w.name]
		sums[1].all += len(w.success)
		sums[2].all += len(w.refuse)
		if e == nil {
			t.Logf("%s: not found", w.name)
			continue
		}
		delete(found, w.name)
		sums[0].right++
		sums[0].hit++
		var success []int
		for _, a := range e.Success {
			success = append(success, a.Status)
		}
		matched(t, w.name+" success", &sums[1], w.success, nil, success, func(a, b int) bool { return a == b })
		var refusals []answer
		for _, f := range e.Refusals {
			a := answer{f.Status, f.Message}
			if !slices.Contains(refusals, a) {
				refusals = append(refusals, a)
			}
		}
		matched(t, w.name+" refusal", &sums[2], w.refuse, w.may, refusals, answer.fits)
		if want.writes {
			sums[3].all += len(w.writes)
			matched(t, w.name+" write", &sums[3], w.writes, nil, writesOf(e), func(a, b string) bool { return a == b })
		}
	}
	for name := range found {
		t.Logf("%s: no such route", name)
	}
	return sums
}

// writesOf returns what an endpoint writes, in lower case, and the conflicts that nothing handles: "conflict users email".
func writesOf(e *service.Endpoint) []string {
	var out []string
	for _, a := range e.Stored {
		if a.Verb != service.Reads {
			out = append(out, strings.ToLower(a.Verb+" "+a.Table))
		}
	}
	for _, h := range e.Hazards {
		if h.Kind == service.Conflict {
			out = append(out, strings.ToLower("conflict "+h.Table+" "+strings.Join(h.Columns, ",")))
		}
	}
	return out
}

// matched counts the values that fit. What may be found counts neither way.
func matched[T any](t *testing.T, what string, sum *rate, want, may, found []T, fits func(want, found T) bool) {
	t.Helper()
	for _, f := range found {
		is := func(w T) bool { return fits(w, f) }
		switch {
		case slices.ContainsFunc(want, is):
			sum.right++
			sum.found++
		case !slices.ContainsFunc(may, is):
			sum.found++
			t.Logf("%s: %v is wrong", what, f)
		}
	}
	for _, w := range want {
		if slices.ContainsFunc(found, func(f T) bool { return fits(w, f) }) {
			sum.hit++
		} else {
			t.Logf("%s: %v is missing", what, w)
		}
	}
}
