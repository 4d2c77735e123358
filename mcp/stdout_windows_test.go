package mcp_test

import (
	"os"
	"strings"
	"testing"

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
	if err := fake().Serve(t.Context(), strings.NewReader(ping), out); err != nil {
		t.Fatal(err)
	}
}
