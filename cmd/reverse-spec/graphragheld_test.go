package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/oracle"
)

// TestGraphRAGKeepsToItsSpecs runs the contract tests that graph-rag is held to, in specs of
// our own and in the contract documents: each through the script, in both orders of the
// two specs, with a CKB and without.
func TestGraphRAGKeepsToItsSpecs(t *testing.T) {
	needs(t, "bash", "jq", "bc")
	dir := indexedProject(t)
	for name, ckb := range map[string]string{
		"without CKB": "",
		"with a CKB":  `echo '{"nodes":[{"id":"1","file":"server.go","line":3000},{"id":"2","file":"client.go","line":600}],"edges":[{"source":"1","target":"2","type":"calls"}]}'`,
	} {
		t.Run(name, func(t *testing.T) {
			if ckb != "" {
				client := filepath.Join(t.TempDir(), "ckb.sh")
				if err := os.WriteFile(client, []byte("#!/bin/sh\n"+ckb+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
				t.Setenv("CKB_MCP_CLIENT", client)
			}
			holdToSpecs(t, dir, ckb != "")
		})
	}
}

// holdToSpecs runs the eleven contract tests of our own specs, and the eleven of the
// contract documents, in a project whose CKB is there or not. Of the thirteen questions
// that either set asks, two switch CKB off and one delays it.
func holdToSpecs(t *testing.T, dir string, available bool) {
	t.Helper()
	t.Run("ours", func(t *testing.T) {
		own, err := filepath.Abs(filepath.Join("testdata", "held"))
		if err != nil {
			t.Fatal(err)
		}
		holdTo(t, dir, available, filepath.Join(own, "options.spec.md"), filepath.Join(own, "availability.spec.md"))
	})
	t.Run("the contracts'", func(t *testing.T) {
		documents := oracle.Contracts(t)
		holdTo(t, dir, available, filepath.Join(documents, "graph-rag.md"), filepath.Join(documents, "mcp-output.md"))
	})
}

// holdTo runs the eleven tests of two specs, in both orders, in a project whose CKB is
// there or not. Where it is, each question must find it, except those of a test that
// takes it away: an order in which the delay comes first shows that it takes CKB away
// from its own question alone.
func holdTo(t *testing.T, dir string, available bool, one, other string) {
	t.Helper()
	needs(t, "bash", "jq", "bc")
	log := loggedScript(t)
	for _, specs := range [][]string{{one, other}, {other, one}} {
		if err := os.WriteFile(log, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		var out, diagnostics bytes.Buffer
		line := append([]string{"--project", dir, "verify", "--json", "--no-update"}, specs...)
		code := run(t.Context(), line, streams{in: strings.NewReader(""), out: &out, err: &diagnostics})
		var got contracttest.Report
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%v: %s", err, diagnostics.String())
		}
		if code != 0 || got.Passed != 11 || got.Total != 11 || len(got.Specs[0].Matrix)+len(got.Specs[1].Matrix) != 11 {
			t.Errorf("%s first: exit status %d: %s", specs[0], code, out.String())
		}
		reasons, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{"disabled": 2, "connection_timeout": 1, "null": 10}
		if !available {
			want = map[string]int{"disabled": 2, "connection_timeout": 1, "health_check_failed": 10}
		}
		found := map[string]int{}
		for reason := range strings.FieldsSeq(string(reasons)) {
			found[reason]++
		}
		if diff := gocmp.Diff(want, found); diff != "" {
			t.Errorf("%s first: why CKB was not there: %s", specs[0], diff)
		}
	}
}

// loggedScript puts a graph-rag.sh before the one on PATH that does what that does, and notes
// why CKB was not there; "null" when it was. It returns the file that it writes to.
func loggedScript(t *testing.T) string {
	t.Helper()
	script, err := exec.LookPath("graph-rag.sh")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	log := filepath.Join(bin, "log")
	text := fmt.Sprintf("#!/bin/sh\nanswer=$('%s' \"$@\")\ncode=$?\nprintf '%%s' \"$answer\" | jq -r .metadata.ckb_fallback_reason >>'%s'\nprintf '%%s\\n' \"$answer\"\nexit $code\n", script, log)
	if err := os.WriteFile(filepath.Join(bin, "graph-rag.sh"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return log
}

// schemaBlock finds the JSON Schema of a contract document.
var schemaBlock = regexp.MustCompile("(?s)```json\n(\\{\n  \"\\$schema\".*?)```")

// contractSchema returns the JSON Schema of a contract document.
func contractSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(oracle.Contracts(t), name))
	if err != nil {
		t.Fatal(err)
	}
	found := schemaBlock.FindSubmatch(text)
	if found == nil {
		t.Fatalf("%s has no schema", name)
	}
	return compiled(t, found[1])
}

// compiled returns a JSON Schema.
func compiled(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("https://example.com/schema", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("https://example.com/schema")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// reply is an answer of graph-rag, as a schema wants it, and the line that asked for it.
type reply struct {
	line []string
	doc  any
}

// TestEveryAnswerFitsTheSchemas asks random questions, and holds the answers to schemas of
// our own and to those of the contract documents.
func TestEveryAnswerFitsTheSchemas(t *testing.T) {
	replies := randomReplies(t)
	t.Run("ours", func(t *testing.T) {
		text, err := os.ReadFile(filepath.Join("testdata", "held", "answer.schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		fitSchemas(t, replies, compiled(t, text), compiled(t, []byte(ckb.Schema)))
	})
	t.Run("the contracts'", func(t *testing.T) {
		fitSchemas(t, replies, contractSchema(t, "graph-rag.md"), contractSchema(t, "mcp-output.md"))
	})
}

// randomReplies asks 500 random questions of Go's net/http. None may have a fault that no
// schema sees.
func randomReplies(t *testing.T) []reply {
	t.Helper()
	dir := indexedProject(t)
	asked(t, dir, "graph-rag", "--json", "index it")
	r := rand.New(rand.NewPCG(1, 2))
	replies := make([]reply, 500)
	for i := range replies {
		t.Setenv("CKB_UNAVAILABLE", []string{"", "1", "true", "0"}[r.IntN(4)])
		t.Setenv("CKB_MOCK_DELAY_MS", []string{"", "1", "60"}[r.IntN(3)])
		t.Setenv("CKB_TIMEOUT", "0.03")
		line := randomLine(r)
		text, a := asked(t, dir, line...)
		if fault := a.fault(); fault != "" {
			t.Fatalf("%q: %s\n%s", line, fault, text)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		replies[i] = reply{line, doc}
	}
	return replies
}

// fitSchemas holds answers, and their metadata, to a schema each.
func fitSchemas(t *testing.T, replies []reply, whole, metadata *jsonschema.Schema) {
	t.Helper()
	for _, r := range replies {
		if err := whole.Validate(r.doc); err != nil {
			t.Fatalf("%q: %v", r.line, err)
		}
		if err := metadata.Validate(r.doc.(map[string]any)["metadata"]); err != nil {
			t.Fatalf("%q: %v", r.line, err)
		}
	}
}
