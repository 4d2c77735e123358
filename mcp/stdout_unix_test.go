//go:build unix

package mcp_test

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/reverse-spec/reverse-spec/mcp"
)

func printEverywhere(t *testing.T) {
	out, err := mcp.TakeStdout()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stdout.WriteString("by name\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := unix.Write(1, []byte("by number\n")); err != nil {
		t.Fatal(err)
	}
	if err := fake().Serve(t.Context(), strings.NewReader(ping), out); err != nil {
		t.Fatal(err)
	}
}
