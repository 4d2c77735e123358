package truth_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestServerManifestFitsTheRegistrysSchema validates the manifest, in the repository's form
// and as filled in by a release, against the MCP registry's schema.
func TestServerManifestFitsTheRegistrysSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(registrysSchema(t))
	if err != nil {
		t.Fatal(err)
	}
	inTheRepository, err := os.ReadFile("../../server.json")
	if err != nil {
		t.Fatal(err)
	}
	bundle := filepath.Join(t.TempDir(), "reverse-spec_1.2.3.mcpb")
	if err := os.WriteFile(bundle, []byte("a bundle"), 0o600); err != nil {
		t.Fatal(err)
	}
	needs(t, "jq")
	ofARelease, err := exec.Command("../../scripts/release/server.sh", bundle).Output()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"in the repository": inTheRepository, "of a release": ofARelease} {
		t.Run(name, func(t *testing.T) {
			var manifest any
			if err := json.Unmarshal(text, &manifest); err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(manifest); err != nil {
				t.Error(err)
			}
		})
	}
	if err := schema.Validate(map[string]any{"name": "without a slash"}); err == nil {
		t.Error("the schema takes anything: nothing was compared")
	}
}

// registrysSchema returns the schema file that the manifest refers to, from the registry's own
// code.
func registrysSchema(t *testing.T) string {
	t.Helper()
	const registry = "github.com/modelcontextprotocol/registry@v1.7.9"
	said, err := exec.Command(needs(t, "go"), "mod", "download", "-json", registry).Output()
	if err != nil {
		t.Skipf("%s cannot be fetched: %v", registry, err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(said, &module); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(module.Dir, "internal", "validators", "schemas", "2025-12-11.json")
}
