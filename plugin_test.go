package reversespec_test

import (
	"regexp"
	"testing"

	reversespec "github.com/reverse-spec/reverse-spec"
)

func TestVersionIsSemantic(t *testing.T) {
	if v := reversespec.Version(); !regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`).MatchString(v) {
		t.Errorf("plugin.json has version %q, want one like 2.0.0", v)
	}
}
