package spec_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/spec"
)

// secretive has secrets wherever a spec or a context quotes code.
var secretive = map[string]string{
	"src/client.go": `// Package src talks to https://app:hunter2x@db.internal/x.
package src

// DefaultToken is ghp_0123456789abcdefghijABCDEFGHIJ012345 unless told otherwise.
const DefaultToken = "ghp_0123456789abcdefghijABCDEFGHIJ012345"

// Options are settings.
type Options struct {
	Password string ` + "`default:\"S3cr3tP4ss\" env:\"PASSWORD\"`" + `
}

// Dial connects.
func Dial(o Options) error {
	// TODO: rotate AKIAJ5QNR4TOP7ZUWXYA
	key := "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwgg\n-----END PRIVATE KEY-----"
	return dial(key, "Bearer 8c5f9b2e7d1a4c6f")
}
`,
	"src/client.py": `"""Uses xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx."""

API_KEY = "9f86d081884c7d659a2feaa0c55ad015"


def connect(token: str = "b7Xk2Lq9Zr4Tn8Wp", retries=3):
    """Connect with token="b7Xk2Lq9Zr4Tn8Wp"."""
    raise ValueError("no access for sk-ant-api03-AbCdEf0123456789AbCdEf0123456789")
`,
}

// secrets are the texts that must not appear in any output.
var secrets = []string{
	"hunter2x", "ghp_0123456789", "S3cr3tP4ss", "AKIAJ5QNR4TOP7ZUWXYA", "MIIEvQIBADANBgk", "8c5f9b2e7d1a4c6f", "xoxb-123456789012",
	"9f86d081884c7d65", "b7Xk2Lq9Zr4Tn8Wp", "AbCdEf0123456789",
}

// TestNoSecretLeavesTheProject checks a spec, its lock, and the result of Prepare. Names
// of secrets remain, and hashes are those of the original code.
func TestNoSecretLeavesTheProject(t *testing.T) {
	files := map[string][]byte{}
	for name, text := range secretive {
		files[name] = []byte(text)
	}
	p := openProject(t, files)
	s, text := generate(t, p, "src", spec.GenerateOptions{})
	lock, err := p.ReadFile("specs/.lock/src.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	r, err := spec.Prepare(t.Context(), p, "src", spec.PrepareOptions{Deep: true, Now: day})
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for what, out := range map[string]string{"spec": string(text), "lock": string(lock), "prepared": string(prepared)} {
		for _, secret := range secrets {
			if strings.Contains(out, secret) {
				t.Errorf("%s holds %s", what, secret)
			}
		}
		if !strings.Contains(out, "DefaultToken") || !strings.Contains(out, "[REDACTED_GITHUB_TOKEN]") {
			t.Errorf("%s lost the identifier:\n%s", what, out)
		}
	}
	if !strings.Contains(s.Risks, "- **SECRET** the code holds one: `API_KEY` (`src/client.py:3`)") {
		t.Errorf("the risks do not tell of secrets:\n%s", s.Risks)
	}
	for name, text := range secretive {
		f, err := lang.Parse(t.Context(), name, []byte(text), lang.All)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range f.Symbols {
			for _, got := range s.Baseline.Exports {
				if got.Name == want.Name && (got.SignatureHash != want.SignatureHash || got.BodyHash != want.BodyHash) {
					t.Errorf("%s has other hashes in the lock", want.Name)
				}
			}
		}
	}
}
