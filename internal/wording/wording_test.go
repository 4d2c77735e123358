package wording_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/wording"
)

func TestInDefaultsToEnglish(t *testing.T) {
	for lang, want := range map[string]string{"zh": "是", "en": "yes", "": "yes"} {
		if got := wording.In(lang, "yes", "是"); got != want {
			t.Errorf("%q: %s", lang, got)
		}
	}
}
