package settings_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/evidence/settings"
)

// TestMayReadFindsTheWordOnAnyLine shows that words which only contain "env" do not count, and hide none after them.
func TestMayReadFindsTheWordOnAnyLine(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                 false,
		"env":                              true,
		"an envelope":                      false,
		"an envelope of env":               true,
		"an envelope\nmore envelopes\n":    false,
		"an envelope\nimport.meta.env.X\n": true,
		"x := os.LookupEnv(name)":          true,
		"System.GETENV(name)":              true,
		"os.environ[name]\n":               true,
		"process?.env.NAME":                true,
		"e\nnv":                            false,
	} {
		if got := settings.MayRead([]byte(text)); got != want {
			t.Errorf("MayRead(%q) = %v, want %v", text, got, want)
		}
	}
}
