package suggest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

func TestALongArgumentIsQuotedInPart(t *testing.T) {
	for given, want := range map[string]string{
		"":                          "",
		"src/auth":                  "src/auth",
		strings.Repeat("x", 200):    strings.Repeat("x", 200),
		strings.Repeat("x", 201):    strings.Repeat("x", 200) + "… (+1)",
		strings.Repeat("名", 200):    strings.Repeat("名", 200),
		strings.Repeat("名", 1000):   strings.Repeat("名", 200) + "… (+800)",
		strings.Repeat("\xff", 300): strings.Repeat("\xff", 200) + "… (+100)",
	} {
		if got := suggest.Quote(given); got != want {
			t.Errorf("%.20q: got %q, want %q", given, got, want)
		}
	}
}

func TestAMessageKeepsItsEnd(t *testing.T) {
	long := strings.Repeat("a\n", 1<<19)
	text := suggest.Message(fmt.Sprintf("unknown %s: %q is not there; try --help", long, long), "short", long)
	if len(text) > 600 || !strings.HasSuffix(text, "is not there; try --help") {
		t.Errorf("%d bytes: %.100q", len(text), text)
	}
	if got := len(suggest.Message(strings.Repeat("y", 10_000))); got > 2100 {
		t.Errorf("%d bytes", got)
	}
}
