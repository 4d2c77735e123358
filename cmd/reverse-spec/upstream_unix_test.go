//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// entry is a server in a configuration.
type entry struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
}

// ownServer returns an entry that starts this program on a project, through a shell that
// records each start.
func ownServer(starts, project string, before string) entry {
	return entry{
		Command: "sh",
		Args:    []string{"-c", before + "echo $$ >> " + starts + "; exec reverse-spec mcp-server --read-only"},
		Env:     map[string]string{"TARGET_REPO_PATH": project},
	}
}

// configure writes a configuration file.
func configure(t *testing.T, file string, servers map[string]entry) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		t.Fatal(err)
	}
	writeTree(t, filepath.Dir(file), map[string]string{filepath.Base(file): string(text)})
}

// started returns the process ids of all recorded starts.
func started(t *testing.T, file string) (pids []int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	for word := range strings.FieldsSeq(string(text)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// alive reports whether a process exists.
func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

// twoProjects returns a project, the user's configuration for it, and another project.
func twoProjects(t *testing.T) (project, global, shop string) {
	t.Helper()
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"project/go.mod": "module example.com/project\n", "project/.home/x": "", "shop/go.mod": "module example.com/shop\n", "shop/cart.go": "package shop\n"})
	return filepath.Join(dir, "project"), filepath.Join(dir, "project", ".home", ".kode.json"), filepath.Join(dir, "shop")
}

const (
	quietHello = `"capabilities":{"tools":{"listChanged":false}}`
	proxyHello = `"capabilities":{"tools":{"listChanged":true}}`
)

// TestServersOfKodeAreConnectedAtStart: the user's, and approved ones of the project; those of
// .mcp.json only with --proxy, and none with --no-proxy.
func TestServersOfKodeAreConnectedAtStart(t *testing.T) {
	project, global, shop := twoProjects(t)
	notes := func(name string) string { return filepath.Join(project, ".home", name+".starts") }
	tools := func(arguments ...string) string {
		s := startServer(t, project, nil, arguments...)
		defer s.stop()
		hello, list := s.initialize(t), s.tools(t)
		if changes := strings.Contains(list, "__"); strings.Contains(hello, proxyHello) != changes || strings.Contains(hello, quietHello) == changes {
			t.Errorf("%q: %s beside\n%s", arguments, hello, list)
		}
		return list
	}
	if list := tools(); strings.Contains(list, "__") {
		t.Errorf("nothing is configured:\n%s", list)
	}
	configure(t, filepath.Join(project, ".kode.json"), map[string]entry{"ours": ownServer(notes("ours"), shop, "")})
	configure(t, filepath.Join(project, ".mcp.json"), map[string]entry{"foreign": ownServer(notes("foreign"), shop, "")})
	if list := tools(); strings.Contains(list, "__") {
		t.Errorf("nothing is approved:\n%s", list)
	}
	configure(t, global, map[string]entry{"shop": ownServer(notes("shop"), shop, "")})
	for _, c := range []struct {
		arguments []string
		approve   string
		want      string // initials of the servers
	}{
		{nil, "", "s"},
		{[]string{"--no-proxy"}, "", ""},
		{nil, "ours", "so"},
		{nil, "foreign", "so"},
		{[]string{"--proxy"}, "", "sof"},
		{[]string{"--deny", "shop:*"}, "", "o"},
	} {
		if c.approve != "" {
			cmd := exec.CommandContext(t.Context(), "reverse-spec", "mcp", "approve", c.approve)
			cmd.Dir, cmd.Env = project, append(os.Environ(), "HOME="+filepath.Dir(global), "REVERSE_SPEC_HOME="+filepath.Join(filepath.Dir(global), "data"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		list := tools(c.arguments...)
		for _, server := range []string{"shop", "ours", "foreign"} {
			wanted := strings.Contains(c.want, server[:1])
			if strings.Contains(list, server+"__read_file\n") != wanted {
				t.Errorf("%q: %s is offered: %t\n%s", c.arguments, server, !wanted, list)
			}
			if len(started(t, notes(server))) == 0 && wanted {
				t.Errorf("%s was not started", server)
			}
		}
	}
	if n := len(started(t, notes("foreign"))); n != 1 {
		t.Errorf("the server of .mcp.json was started %d times, want once, by --proxy", n)
	}
}

// TestStartDoesNotWaitForServers: initialize is answered while they start, and the client is
// notified of their tools.
func TestStartDoesNotWaitForServers(t *testing.T) {
	project, global, shop := twoProjects(t)
	starts := filepath.Join(project, ".home", "starts")
	hello := func() time.Duration {
		s := startServer(t, project, nil)
		begin := time.Now()
		s.initialize(t)
		return time.Since(begin)
	}
	alone := min(hello(), hello(), hello())
	const slow = 5 * time.Second
	configure(t, global, map[string]entry{"slow": ownServer(starts, shop, fmt.Sprintf("sleep %.0f; ", slow.Seconds()))})
	beside := min(hello(), hello(), hello())
	t.Logf("exec to initialize: %v alone, %v beside a server that starts slowly", alone, beside)
	if beside >= slow/2 {
		t.Errorf("%v: it waits for the server, which takes %v", beside, slow)
	}
	s := startServer(t, project, nil)
	s.initialize(t)
	if list := s.tools(t); strings.Contains(list, "__") {
		t.Errorf("the server is there already:\n%s", list)
	}
	s.wait(t, "list_changed", func(m rpcMessage) bool { return m.Method == "notifications/tools/list_changed" })
	for deadline := time.Now().Add(patient); !strings.Contains(s.tools(t), "slow__read_file"); {
		if time.Now().After(deadline) {
			t.Fatal("the tools do not come")
		}
	}
	s.stop()
}

// TestALostServerIsConnectedAgain: a killed server is noticed at once and restarted; at the
// end its process is gone.
func TestALostServerIsConnectedAgain(t *testing.T) {
	project, global, shop := twoProjects(t)
	starts := filepath.Join(project, ".home", "starts")
	configure(t, global, map[string]entry{"shop": ownServer(starts, shop, "")})
	s := startServer(t, project, nil)
	s.initialize(t)
	s.tools(t)
	if r := s.call(t, "shop__read_file", `{"file_path":"cart.go"}`); r.IsError || !strings.Contains(r.Content[0].Text, "package shop") {
		t.Fatalf("%+v", r)
	}
	changed := func(m rpcMessage) bool { return m.Method == "notifications/tools/list_changed" }
	for range 2 {
		pids := started(t, starts)
		last := pids[len(pids)-1]
		if err := syscall.Kill(last, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		s.wait(t, "the loss", changed)
		deadline := time.Now().Add(patient)
		for missed := false; ; {
			r := s.call(t, "shop__read_file", `{"file_path":"cart.go"}`)
			if !r.IsError && len(started(t, starts)) > len(pids) {
				if !missed {
					t.Error("no call was told that the server is away")
				}
				break
			}
			missed = missed || strings.Contains(r.Content[0].Text, "server shop is")
			if time.Now().After(deadline) {
				t.Fatalf("it does not come back: %+v", r)
			}
			time.Sleep(20 * time.Millisecond)
		}
		if list := s.tools(t); !strings.Contains(list, "shop__read_file") {
			t.Errorf("its tools are not back:\n%s", list)
		}
	}
	s.stop()
	for _, pid := range started(t, starts) {
		if alive(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
}

// TestThisProgramAsUpstreamServerMakesNoLoop: if it is recognised it is not started; if not,
// because a shell starts it, it starts no others.
func TestThisProgramAsUpstreamServerMakesNoLoop(t *testing.T) {
	project, global, _ := twoProjects(t)
	starts := filepath.Join(project, ".home", "starts")
	configure(t, global, map[string]entry{
		"reverse-spec": {Command: "reverse-spec", Args: []string{"mcp-server"}},
		"again":        {Command: "npx", Args: []string{"-y", "reverse-spec@2.0.0", "mcp-server"}},
	})
	s := startServer(t, project, nil)
	if hello, list := s.initialize(t), s.tools(t); !strings.Contains(hello, quietHello) || strings.Contains(list, "__") {
		t.Errorf("%s beside\n%s", hello, list)
	}
	s.stop()
	if n := strings.Count(s.log.String(), "a server is skipped: it is this one"); n != 2 {
		t.Errorf("%d of 2 servers are skipped:\n%s", n, s.log)
	}
	for _, arguments := range [][]string{nil, {"--proxy"}} {
		_ = os.Remove(starts)
		hidden := entry{Command: "sh", Args: []string{"-c", "echo $$ >> " + starts + "; exec reverse-spec mcp-server " + strings.Join(arguments, " ")}}
		configure(t, global, map[string]entry{"hidden": hidden, "other": hidden})
		s := startServer(t, project, nil, arguments...)
		s.initialize(t)
		for deadline := time.Now().Add(patient); !strings.Contains(s.tools(t), "other__prepare") && time.Now().Before(deadline); {
			time.Sleep(20 * time.Millisecond)
		}
		list := s.tools(t) // if the children had started children, these would have tools or recorded starts by now
		s.stop()
		if pids := started(t, starts); len(pids) != 2 || strings.Contains(list, "hidden__other") || !strings.Contains(list, "hidden__prepare") {
			t.Errorf("%q: %d starts, want 2:\n%s", arguments, len(pids), list)
		}
	}
}
