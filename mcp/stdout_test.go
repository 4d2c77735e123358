package mcp_test

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"testing"

	"github.com/reverse-spec/reverse-spec/mcp"
)

// logged is a server with tools that logs to w.
func logged(w io.Writer, tools ...mcp.Tool) *mcp.Server {
	return mcp.New(mcp.Options{Tools: tools, Log: slog.New(slog.NewTextHandler(w, nil))})
}

// TestOnlyTheProtocolReachesStdout runs itself in a process of its own, where it
// takes standard output and then prints by every way there is.
func TestOnlyTheProtocolReachesStdout(t *testing.T) {
	const child = "MCP_TEST_CHILD"
	if os.Getenv(child) != "" {
		printEverywhere(t)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestOnlyTheProtocolReachesStdout$")
	cmd.Env = append(os.Environ(), child+"=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || string(out) != pong+"\n" {
		t.Errorf("%v: standard output %q\nstandard error: %s", err, out, &stderr)
	}
	if !bytes.Contains(stderr.Bytes(), []byte("by name")) {
		t.Errorf("what was printed is lost: %s", &stderr)
	}
}
