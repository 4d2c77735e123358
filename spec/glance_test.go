package spec_test

import (
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/spec"
)

// TestIntentIsNotACopyrightNotice: lines that name the file, its author or its licence say nothing of what it is for.
func TestIntentIsNotACopyrightNotice(t *testing.T) {
	source := "'''\nclock.py\n(c) A Person <a@example.com>\n\nReads clocks on walls.\n'''\n\ndef read(): return 1\n"
	p := openProject(t, map[string][]byte{"clock.py": []byte(source)})
	_, text := generate(t, p, "clock.py", spec.GenerateOptions{})
	if !strings.Contains(string(text), "\nReads clocks on walls. (doc `clock.py:5`)\n") {
		t.Errorf("%s", text)
	}
}
