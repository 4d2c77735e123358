package redact_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// Data derived from a text lacks the context of a secret. A short secret counts only in its typical context.
func TestACleanerFindsASecretApartFromItsName(t *testing.T) {
	type part struct {
		Doc    string
		Values []string
		Of     *part
		hidden string
	}
	const key = "9f86d081884c7d659a2feaa0c55ad015"
	c, found := redact.NewCleaner("// first line\nconst apiKey = \""+key+"\"\nconst password = 'hunter2'\n", redact.Hints{Path: "a.ts"})
	got := part{
		Doc: "Sends " + key + " as hunter2 does.", Values: []string{`"` + key + `"`, `'hunter2'`, "hunter2", "https://u:hunter2@h"},
		Of: &part{Doc: key}, hidden: key,
	}
	c.Strings(&got)
	want := part{
		Doc: "Sends [REDACTED_API_KEY] as hunter2 does.", Values: []string{`"[REDACTED_API_KEY]"`, `'[REDACTED_PASSWORD]'`, "hunter2", "https://u:[REDACTED_PASSWORD]@h"},
		Of: &part{Doc: "[REDACTED_API_KEY]"}, hidden: key,
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(part{})); diff != "" {
		t.Errorf("cleaned (-want +got):\n%s", diff)
	}
	if len(found) != 2 || found[0].Line != 2 || found[1].Line != 3 {
		t.Errorf("found %v", found)
	}
	if none, _ := redact.NewCleaner("nothing", redact.Hints{}); none != nil || none.Clean(key) != key {
		t.Errorf("a text without secrets has a cleaner")
	}
}
