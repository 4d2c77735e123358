package redact_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// FuzzText checks that line numbers do not change, redacting twice changes nothing, text outside secrets is kept in
// order, and each detection has its line.
func FuzzText(f *testing.F) {
	for _, form := range quotedForms {
		f.Add(strings.NewReplacer("¤n", "apiKey", "¤s", "a1B2c3D4e5F6g7H8i9J0").Replace(form), "")
	}
	for _, c := range settingsForms {
		f.Add(strings.NewReplacer("¤n", "DB_PASSWORD", "¤s", "hunter2x").Replace(c.form), c.path)
	}
	f.Add("-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq4Yt0C5Q1F2hQnWc8m\nab\n-----END", "")
	f.Add(`post("https://u:hunter2x@h/", "AKIAJ5QNR4TOP7ZUWXYA", "vX2+Lk8TqRz0PmYw4NdGhJ7sBcEfAi1oU9xQ5KtZ")`, "a_test.go")
	mark := regexp.MustCompile(`\[REDACTED_[A-Z_]+\]`)
	f.Fuzz(func(t *testing.T, text, path string) {
		h := redact.Hints{Path: path}
		clean, found := redact.Text(text, h)
		if again, more := redact.Text(clean, h); again != clean || more != nil {
			t.Errorf("not clean: %q became %q", clean, again)
		}
		rows := strings.Split(clean, "\n")
		if before := strings.Count(text, "\n"); before != len(rows)-1 {
			t.Errorf("%d lines became %d", before+1, len(rows))
		}
		if (len(found) == 0) != (clean == text) {
			t.Errorf("%d found, but %q became %q", len(found), text, clean)
		}
		for _, d := range found {
			if d.Line < 1 || d.Line > len(rows) || !strings.Contains(rows[d.Line-1], d.Placeholder) {
				t.Errorf("%v is not on its line of %q", d, clean)
			}
		}
		rest := text
		for _, part := range mark.Split(clean, -1) {
			_, after, ok := strings.Cut(rest, part)
			if !ok {
				t.Fatalf("%q is not left of %q", part, text)
			}
			rest = after
		}
	})
}
