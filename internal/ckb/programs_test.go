package ckb_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
)

// runFake is a program that stands for CKB in some way, and returns its exit status. It
// leaves a line in the file "runs" of its folder each time.
func runFake(out io.Writer, mode, root string) int {
	runs, err := os.OpenFile(filepath.Join(root, "runs"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(runs, mode)
	runs.Close()
	switch mode {
	case "nodes":
		fmt.Fprintln(out, `{"nodes":[{"id":"x","file":"x.go","line":3},{"id":"y","file_path":"`+root+`/d/y.go","start_line":4},{"id":"z","file":"z.go"}],
			"edges":[{"source":"x","target":"y","type":"calls"},{"from":"y","to":"shop.Other","type":"refs"}]}`)
	case "expanded":
		fmt.Fprintln(out, `{"expanded_nodes":[{"symbol":"shop.Near","file":"n.go","line":1},{"symbol":"shop.Far","distance":2}]}`)
	case "garbage":
		fmt.Fprintln(out, "hello")
	case "other":
		fmt.Fprintln(out, `{"hello":"world"}`)
	case "fails":
		fmt.Fprintln(os.Stderr, "warming up\nno licence")
		return 1
	case "hangs":
		time.Sleep(time.Hour)
	default:
		return serveFake(out, mode, root)
	}
	return 0
}

// serveFake speaks MCP, and well, until it comes to the tool that its mode names.
func serveFake(out io.Writer, mode, root string) int {
	f := &fake{root: root, calls: chain()}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var m struct {
			ID     int
			Method string
			Params struct {
				Name      string
				Arguments map[string]any
			}
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == 0 {
			continue
		}
		switch mode {
		case "silent":
			continue
		case "garbage at " + m.Params.Name:
			fmt.Fprintln(out, "\x00 not a message {")
			continue
		case "dies at " + m.Params.Name:
			return 3
		}
		text := "{}"
		if m.Method == "tools/call" {
			text, _ = f.Call(context.Background(), m.Params.Name, m.Params.Arguments)
		}
		quoted, _ := json.Marshal(text)
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%s}]}}`+"\n", m.ID, quoted)
	}
	return 0
}

// program returns the options of a project for which CKB_MCP_CLIENT is a fake.
func program(t *testing.T, mode string, env map[string]string) (ckb.Options, *processes) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o, p := (&fake{}).options(t, nil), &processes{}
	o.Configured, o.Start = nil, p.start
	o.Getenv = func(name string) string {
		if name == "CKB_MCP_CLIENT" {
			return self + " fake:" + strings.ReplaceAll(mode, " ", "_") + " " + o.Root
		}
		return env[name]
	}
	t.Cleanup(func() { p.allGone(t) })
	return o, p
}

// runs returns how often a fake was run.
func runs(t *testing.T, o ckb.Options) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(o.Root, "runs"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

func TestProgramThatPrintsAGraph(t *testing.T) {
	first := ckb.Place{Name: "f1", File: "a.go", Line: 9}
	for mode, want := range map[string][]ckb.Edge{
		"nodes": {
			{From: ckb.Place{File: "x.go", Line: 3}, To: ckb.Place{File: "d/y.go", Line: 4}, Call: true, Distance: 1, Confidence: 0.9},
			{From: ckb.Place{File: "d/y.go", Line: 4}, To: ckb.Place{Name: "shop.Other"}, Distance: 1, Confidence: 0.9},
			{From: first, To: ckb.Place{File: "z.go"}, Distance: 1, Confidence: 0.9},
		},
		"expanded": {
			{From: first, To: ckb.Place{Name: "Near", File: "n.go", Line: 1}, Distance: 1, Confidence: 0.9},
			{From: first, To: ckb.Place{Name: "shop.Far"}, Distance: 2, Confidence: 0.9},
		},
	} {
		t.Run(mode, func(t *testing.T) {
			o, _ := program(t, mode, nil)
			a := open(t, o).Reach(t.Context())
			expect(t, a.Status(), well())
			if diff := cmp.Diff(want, a.Expand(t.Context(), []ckb.Anchor{fn(1)}, 3)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if n := runs(t, o); n != 1 {
				t.Errorf("it ran %d times, not once", n)
			}
		})
	}
}

func TestProgramThatDoesNot(t *testing.T) {
	for mode, want := range map[string]struct {
		reason ckb.Reason
		why    string
	}{
		"garbage": {ckb.HealthCheckFailed, `the output is not a JSON object: "hello"`},
		"other":   {ckb.HealthCheckFailed, "the output has neither nodes nor expanded_nodes"},
		"fails":   {ckb.HealthCheckFailed, "exit status 1: no licence"},
		"hangs":   {ckb.ConnectionTimeout, "Connection timeout after 200ms"},
	} {
		t.Run(mode, func(t *testing.T) {
			o, _ := program(t, mode, map[string]string{"CKB_TIMEOUT": map[bool]string{true: "0.2", false: "30"}[mode == "hangs"]})
			begin := time.Now()
			s := open(t, o).Reach(t.Context()).Status()
			if s.Reason != want.reason || !strings.HasSuffix(s.LastError, want.why) {
				t.Errorf("%+v", s)
			}
			if d := time.Since(begin); mode == "hangs" && d > 5*time.Second {
				t.Errorf("it took %s", d)
			}
			expect(t, open(t, o).Reach(t.Context()).Status(), cooling(60, s.LastError))
			if n := runs(t, o); n != 1 {
				t.Errorf("it ran %d times, not once", n)
			}
		})
	}
}

func TestProgramThatIsAServer(t *testing.T) {
	for mode, want := range map[string]struct {
		first, then ckb.Reason // of the health check, and of the walk
		why         string
	}{
		"well":                    {},
		"silent":                  {first: ckb.ConnectionTimeout, why: "Connection timeout after 2000ms"},
		"dies at getStatus":       {first: ckb.HealthCheckFailed, why: "getStatus: the server ended"},
		"garbage at getStatus":    {first: ckb.ConnectionTimeout, why: "Connection timeout after 2000ms"},
		"dies at getCallGraph":    {then: ckb.MCPError, why: "getCallGraph: the server ended"},
		"garbage at getCallGraph": {then: ckb.MCPError, why: "getCallGraph: no answer within the time-out of 2000ms"},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			limit := "30" // of machines that are busy
			if strings.Contains(want.why, "2000ms") {
				limit = "2"
			}
			o, p := program(t, mode, map[string]string{"CKB_TIMEOUT": limit})
			c := open(t, o)
			a := c.Reach(t.Context())
			if s := a.Status(); s.Available != (want.first == "") || s.Reason != want.first {
				t.Fatalf("health: %+v", s)
			}
			edges := a.Expand(t.Context(), []ckb.Anchor{fn(0)}, 1)
			s := a.Status()
			if s.Reason != want.first && s.Reason != want.then || s.LastError != want.why || (len(edges) == 1) != s.Available {
				t.Errorf("%v, %+v", edges, s)
			}
			c.Close()
			p.allGone(t)
			if !s.Available {
				expect(t, open(t, o).Reach(t.Context()).Status(), cooling(60, s.LastError))
			}
		})
	}
}

func TestWhichCKBIsStarted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs have other names there")
	}
	write := func(t *testing.T, path string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	arch := strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	packed := "@tastehub/ckb-" + runtime.GOOS + "-" + arch + "/bin/ckb"
	for name, c := range map[string]struct {
		binary string // of the npm package, in the folder lib; "" if ckb is not a script
		index  string // a file of the project
		want   string // the program, in the folder lib; "" for none
	}{
		"a program":                     {"", "index.scip", "ckb"},
		"a program, and no index":       {"", "go.mod", ""},
		"a package beside the script's": {"node_modules/" + packed, ".ckb/index-meta.json", "node_modules/" + packed},
		"a package below the script's":  {"node_modules/@tastehub/ckb/node_modules/" + packed, "index.scip", "node_modules/@tastehub/ckb/node_modules/" + packed},
		"a package for another system":  {"node_modules/@tastehub/ckb-plan9-x64/bin/ckb", "index.scip", "bin/ckb"},
	} {
		t.Run(name, func(t *testing.T) {
			lib := t.TempDir()
			if c.binary == "" {
				write(t, filepath.Join(lib, "ckb"))
				t.Setenv("PATH", lib)
			} else {
				script := filepath.Join(lib, "node_modules/@tastehub/ckb/bin/ckb.js")
				write(t, script)
				write(t, filepath.Join(lib, c.binary))
				t.Setenv("PATH", filepath.Join(lib, "bin"))
				if err := os.Mkdir(filepath.Join(lib, "bin"), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(script, filepath.Join(lib, "bin/ckb")); err != nil {
					t.Fatal(err)
				}
			}
			f := &fake{}
			o := f.options(t, nil)
			o.Configured = nil
			var got []ckb.Command
			o.Start = func(ctx context.Context, c ckb.Command) (ckb.Session, error) {
				got = append(got, c)
				return f.connect(ctx)
			}
			write(t, filepath.Join(o.Root, c.index))
			s := open(t, o).Reach(t.Context()).Status()
			if c.want == "" {
				expect(t, s, failed(ckb.HealthCheckFailed, "there is a ckb on PATH, but no index of it for this project: run ckb init and ckb index"))
				expect(t, open(t, o).Reach(t.Context()).Status(), s) // no cool-down
			} else {
				expect(t, s, well())
			}
			var want []ckb.Command
			if c.want != "" {
				want = []ckb.Command{{Path: filepath.Join(lib, c.want), Args: []string{"mcp", "--repo", o.Root}, Dir: o.Root}}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestServerThatMayNotBeUsed(t *testing.T) {
	f := &fake{}
	o := f.options(t, nil)
	o.Err = errGone
	for range 2 {
		expect(t, open(t, o).Reach(t.Context()).Status(), failed(ckb.HealthCheckFailed, "the server ckb that is configured: the server ended"))
	}
	f.expect(t, 0, 0)
}
