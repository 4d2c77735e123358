package ckb_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/oracle"
)

func compile(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
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

// contractSchema finds the JSON Schema in the contract document.
var contractSchema = regexp.MustCompile("(?s)```json\n(\\{\n  \"\\$schema\".*?)```")

// withSchemas runs a test with our schema of the metadata, and with the contract's.
func withSchemas(t *testing.T, test func(t *testing.T, s *jsonschema.Schema)) {
	t.Helper()
	t.Run("ours", func(t *testing.T) { test(t, compile(t, ckb.Schema)) })
	t.Run("the contract's", func(t *testing.T) {
		document, err := os.ReadFile(filepath.Join(oracle.Contracts(t), "mcp-output.md"))
		if err != nil {
			t.Fatal(err)
		}
		block := contractSchema.FindSubmatch(document)
		if block == nil {
			t.Fatal("the contract has no schema")
		}
		test(t, compile(t, string(block[1])))
	})
}

func TestMetadata(t *testing.T) { withSchemas(t, metadataFits) }

func metadataFits(t *testing.T, schema *jsonschema.Schema) {
	t.Helper()
	for name, c := range map[string]struct {
		status ckb.Status
		depth  int
		local  bool
		want   string
	}{
		"well":           {well(), 3, true, `{"ckb_available":true,"fusion_depth":3}`},
		"too late":       {failed(ckb.ConnectionTimeout, late), 1, true, `{"ckb_available":false,"ckb_fallback_reason":"connection_timeout","ckb_last_error":"Connection timeout after 5000ms","fallback_mode":"local_graph","fusion_depth":1}`},
		"failed":         {failed(ckb.MCPError, "x"), 1, true, `{"ckb_available":false,"ckb_fallback_reason":"mcp_error","ckb_last_error":"x","fallback_mode":"local_graph","fusion_depth":1}`},
		"not well":       {failed(ckb.HealthCheckFailed, "x"), 1, true, `{"ckb_available":false,"ckb_fallback_reason":"health_check_failed","ckb_last_error":"x","fallback_mode":"local_graph","fusion_depth":1}`},
		"cooling":        {cooling(45, ""), 1, true, `{"ckb_available":false,"ckb_fallback_reason":"cooldown","ckb_cooldown_remaining_s":45,"fallback_mode":"local_graph","fusion_depth":1}`},
		"off":            {ckb.Status{Reason: ckb.Disabled}, 1, true, `{"ckb_available":false,"ckb_fallback_reason":"disabled","fallback_mode":"local_graph","fusion_depth":1}`},
		"not asked":      {ckb.Status{}, 1, true, `{"ckb_available":false,"ckb_fallback_reason":"health_check_failed","fallback_mode":"local_graph","fusion_depth":1}`},
		"off, depth 0":   {ckb.Status{Reason: ckb.Disabled}, 0, true, `{"ckb_available":false,"ckb_fallback_reason":"disabled","fallback_mode":"vector_only","fusion_depth":0}`},
		"off, and alone": {ckb.Status{Reason: ckb.Disabled}, 1, false, `{"ckb_available":false,"ckb_fallback_reason":"disabled","fallback_mode":"vector_only","fusion_depth":1}`},
	} {
		text, err := json.Marshal(c.status.Metadata(c.depth, c.local))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, string(text)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
		if err := schema.Validate(parsed(t, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemasRefuse(t *testing.T) {
	withSchemas(t, func(t *testing.T, schema *jsonschema.Schema) {
		for _, text := range []string{
			`{}`, `{"ckb_available":true}`, `{"fusion_depth":1}`, `{"ckb_available":"yes","fusion_depth":1}`,
			`{"ckb_available":true,"fusion_depth":6}`, `{"ckb_available":true,"fusion_depth":1.5}`, `{"ckb_available":false,"fusion_depth":1}`,
			`{"ckb_available":false,"fusion_depth":1,"fallback_mode":"local_graph","ckb_fallback_reason":"asleep"}`,
			`{"ckb_available":false,"fusion_depth":1,"fallback_mode":"none","ckb_fallback_reason":"disabled"}`,
			`{"ckb_available":false,"fusion_depth":1,"fallback_mode":"local_graph","ckb_fallback_reason":"cooldown","ckb_cooldown_remaining_s":61}`,
		} {
			if schema.Validate(parsed(t, []byte(text))) == nil {
				t.Errorf("it takes %s", text)
			}
		}
	})
}

func parsed(t *testing.T, text []byte) any {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
