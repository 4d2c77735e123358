package clients_test

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// client is a real program in an empty home, with a project to work on.
type client struct {
	t             *testing.T
	program       string
	home, project string
	env           []string
	stdin         string // what it is told
}

// newClient sets up the program that a variable of the environment names.
func newClient(t *testing.T, variable string) *client {
	t.Helper()
	c := &client{t: t, program: os.Getenv(variable)}
	if c.program == "" {
		t.Skip(variable + " names no program: make plugin fetches one")
	}
	c.home, c.project = t.TempDir(), project(t)
	c.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.home, "GOCACHE=" + goEnv(t, "GOCACHE"),
		"REVERSE_SPEC_HOME=" + filepath.Join(c.home, "graphs"), "REVERSE_SPEC_PROVIDER=none", // a key is for the agent alone
	}
	return c
}

// project makes a project of public code.
func project(t *testing.T) string {
	t.Helper()
	dir, std := t.TempDir(), filepath.Join(goEnv(t, "GOROOT"), "src")
	for _, pkg := range []string{"container/ring", "text/tabwriter"} {
		if err := os.CopyFS(filepath.Join(dir, pkg), os.DirFS(filepath.Join(std, pkg))); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "go.mod"), "module example.com/std\n\ngo 1.26\n")
	return dir
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// repository is the folder of the repository.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// pluginDir is the plugin and its own marketplace: the folder that PLUGIN names, or the
// repository.
func pluginDir(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("PLUGIN"); dir != "" {
		return dir
	}
	return repository(t)
}

// run runs the program in the project, with nothing of the user's.
func (c *client) run(args ...string) string {
	c.t.Helper()
	const patience = 90 * time.Second
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.project, c.env, strings.NewReader(c.stdin)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		c.t.Fatalf("%s %s: %v\n%s", filepath.Base(c.program), strings.Join(args, " "), err, out.Bytes())
	}
	return out.String()
}

// initialize has reverse-spec init write the program's configuration. The program finds the server by its name.
func (c *client) initialize(args ...string) {
	c.t.Helper()
	bin := filepath.Join(repository(c.t), "bin")
	c.env = append(c.env, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	cmd := exec.CommandContext(c.t.Context(), filepath.Join(bin, "reverse-spec"), append([]string{"init"}, args...)...)
	cmd.Dir, cmd.Env = c.project, c.env
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("init %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// says fails where a text lacks what is wanted.
func says(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("nobody says %q in … %s", want, end(text))
		}
	}
}

// end is the end of a text, where what is new in it stands.
func end(text string) string {
	const most = 2000
	return text[max(0, len(text)-most):]
}

// TestThereIsNoNetwork for any of the clients, so that what works here works without.
func TestThereIsNoNetwork(t *testing.T) {
	if os.Getenv("OFFLINE") == "" {
		t.Skip("OFFLINE does not say that the network was taken away")
	}
	links, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if link.Flags&net.FlagUp != 0 && link.Flags&net.FlagLoopback == 0 {
			t.Errorf("%s is up", link.Name)
		}
	}
}
