package cypher_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/memory"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/oracle"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/tck"
)

// TestTCK runs the openCypher TCK: what is out of scope must be refused by name.
// testdata/tck_known.txt lists the failures that are known.
func TestTCK(t *testing.T) {
	scenarios, err := tck.Read(oracle.TCK(t))
	if err != nil {
		t.Fatal(err)
	}
	run := tckRun{known: knownFailures(t)}
	for i := range scenarios {
		run.scenario(t, &scenarios[i])
	}
	// The last line is for others to read, and has to come last also when it fails.
	fmt.Fprint(os.Stdout, run.report.String())
	fmt.Fprintf(os.Stdout, "tck errors: %d of %d at compile time\n", run.compileErrorsMet, run.compileErrors)
	fmt.Fprintf(os.Stdout, "tck: %d passed, %d failed, %d out of scope\n", run.passed, run.failed, run.outOfScope)
	if run.report.Len() > 0 {
		t.Fail()
	}
}

// tckRun is what a run of the TCK counts.
type tckRun struct {
	known                           map[string]bool // by [tck.Scenario.ID]
	passed, failed, outOfScope      int
	compileErrors, compileErrorsMet int
	report                          strings.Builder // what was not expected
}

// scenario runs and counts one scenario.
func (r *tckRun) scenario(t *testing.T, s *tck.Scenario) {
	c, err := s.Case()
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if outOfScope(c) {
		r.outOfScope++
		if fault := notRefused(ctx, c); fault != "" {
			r.failure(s, fault)
		}
		return
	}
	g := &memory.Graph{}
	if err := setUp(ctx, g, c); err != nil {
		r.failed++
		r.failure(s, err.Error())
		return
	}
	fault := runCase(ctx, g, c)
	if f := c.Want.Fault; f != nil && f.Phase == tck.CompileTime {
		r.compileErrors++
		if fault == "" {
			r.compileErrorsMet++
		}
	}
	if fault != "" {
		r.failed++
		r.failure(s, fault)
		return
	}
	r.passed++
	if r.known[s.ID()] {
		fmt.Fprintf(&r.report, "%s: passes, but is listed as known to fail\n", s.ID())
	}
}

// failure reports a failure that is not known.
func (r *tckRun) failure(s *tck.Scenario, fault string) {
	if !r.known[s.ID()] {
		fmt.Fprintf(&r.report, "%s: %s\n", s.ID(), fault)
	}
}

// knownFailures reads testdata/tck_known.txt: an id, ": " and the reason on each line.
func knownFailures(t *testing.T) map[string]bool {
	file, err := os.Open(filepath.Join("testdata", "tck_known.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	known := map[string]bool{}
	entry := regexp.MustCompile(`^(.* › \d+): .`)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		match := entry.FindStringSubmatch(line)
		if match == nil {
			t.Fatalf("tck_known.txt: not an id and a reason: %s", line)
		}
		known[match[1]] = true
	}
	return known
}

// temporal finds the functions that make temporal values.
var temporal = regexp.MustCompile(`(?i)\b((date|time|localtime|datetime|localdatetime|duration)(\.\w+)*)\(`)

// outOfScope reports whether a case is not for this engine: it writes, calls a procedure,
// or is about dates and times.
func outOfScope(c *tck.Case) bool {
	return len(tck.Writes(c.Query)) > 0 || c.Procedures || temporal.MatchString(c.Query+strings.Join(c.Setup, "\n"))
}

// notRefused says what is wrong when a query out of scope is not refused with the name
// of a clause or function that is out of scope.
func notRefused(ctx context.Context, c *tck.Case) string {
	var names []string
	if names = tck.Writes(c.Query); len(names) == 0 {
		for _, match := range temporal.FindAllStringSubmatch(c.Query, -1) {
			names = append(names, match[1])
		}
	}
	if len(names) == 0 {
		return ""
	}
	_, err := cypher.Run(ctx, &memory.Graph{}, c.Query, options(c))
	var fault *syntax.Error
	if !errors.As(err, &fault) {
		return fmt.Sprintf("a query with %q is not refused: %v", names, err)
	}
	for _, name := range names {
		if strings.Contains(strings.ToLower(fault.Message.String()), strings.ToLower(name)) {
			return ""
		}
	}
	return fmt.Sprintf("a query with %q is not refused by name: %v", names, err)
}

// setUp fills the graph of a case.
func setUp(ctx context.Context, g *memory.Graph, c *tck.Case) error {
	switch c.Graph {
	case "":
	case "binary-tree-1":
		binaryTree(g, "X")
	case "binary-tree-2":
		binaryTree(g, "Y")
	default:
		return fmt.Errorf("no graph %s here", c.Graph)
	}
	for _, statement := range c.Setup {
		if err := tck.Load(ctx, g, statement); err != nil {
			return fmt.Errorf("set-up: %w", err)
		}
	}
	return nil
}

// binaryTree makes the TCK's named graphs: a root with four children, which are two
// known and two followed, and are friends in a ring; each child has two friends more,
// the second with a label that is different in the two graphs.
func binaryTree(g *memory.Graph, second string) {
	add := func(label, name string) codegraph.ID { return g.Node([]string{label}, value.Map{"name": name}) }
	root := add("A", "a")
	var children []codegraph.ID
	for i, kind := range []string{"KNOWS", "KNOWS", "FOLLOWS", "FOLLOWS"} {
		child := add("X", fmt.Sprintf("b%d", i+1))
		g.Relate(root, child, kind, nil)
		g.Relate(child, add("X", fmt.Sprintf("c%d1", i+1)), "FRIEND", nil)
		g.Relate(child, add(second, fmt.Sprintf("c%d2", i+1)), "FRIEND", nil)
		children = append(children, child)
	}
	for i, child := range children {
		g.Relate(child, children[(i+1)%len(children)], "FRIEND", nil)
	}
}

// options returns what the query of a case is run with: all rows count.
func options(c *tck.Case) cypher.Options {
	return cypher.Options{Parameters: c.Parameters, MaxRows: 10_000}
}

// runCase runs the query of a case and says what is wrong with the outcome; "" for
// nothing.
func runCase(ctx context.Context, g *memory.Graph, c *tck.Case) string {
	opts := options(c)
	var result *cypher.Result
	query, early := cypher.Prepare(ctx, g, c.Query, opts)
	err := early
	if early == nil {
		result, err = query.Run(ctx)
	}
	if c.Want.Fault != nil {
		return differentFault(c.Want.Fault, early, err)
	}
	if err != nil {
		return err.Error()
	}
	rows := make([][]any, len(result.Rows))
	for i, row := range result.Rows {
		for _, v := range row {
			detached, err := tck.Detach(ctx, g, v)
			if err != nil {
				return err.Error()
			}
			rows[i] = append(rows[i], detached)
		}
	}
	return c.Want.Differ(result.Columns, rows)
}

// differentFault says how the errors of Prepare, which is before anything runs, and of
// both together are not what is wanted. One that is wanted at run time may come before.
func differentFault(want *tck.Fault, early, err error) string {
	var got *syntax.Error
	switch {
	case err == nil:
		return fmt.Sprintf("no error instead of %s", *want)
	case !errors.As(err, &got):
		return fmt.Sprintf("%v instead of %s", err, *want)
	case string(got.Class) != want.Class || want.Code != "*" && got.Code != want.Code:
		return fmt.Sprintf("%s %s (%v) instead of %s", got.Class, got.Code, err, *want)
	case want.Phase == tck.CompileTime && early == nil:
		return fmt.Sprintf("%v only at run time", err)
	}
	return ""
}
