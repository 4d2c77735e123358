package clients_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// launch is how a client starts the server.
type launch struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

// answers starts the server as a client does, introduces itself, and has it prepare code.
func (l launch) answers(t *testing.T, target string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), l.Command, l.Args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	for name, value := range l.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var in, complaints bytes.Buffer
	requests := json.NewEncoder(&in)
	for _, message := range []object{
		{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": object{
			"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": "clients", "version": "1"},
		}},
		{"jsonrpc": "2.0", "method": "notifications/initialized"},
		{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": object{"name": "prepare", "arguments": object{"targetPath": target}}},
	} {
		if err := requests.Encode(message); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Stdin, cmd.Stderr = &in, &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%+v: %v\n%s", l, err, complaints.Bytes())
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	says(t, lines[0], `"name":"reverse-spec"`)
	says(t, lines[len(lines)-1], "func (r *Ring) Link(s *Ring) *Ring", `"id":2`)
}
