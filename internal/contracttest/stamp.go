package contracttest

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
	"github.com/reverse-spec/reverse-spec/spec"
)

// stamp writes the result into the current file, which may have changed during the run.
func (s *suite) stamp(ctx context.Context, health, date string) error {
	text, err := s.home.ReadUpTo(s.rel, spec.MaxSize)
	if err != nil {
		return err
	}
	stamped, has := Stamp(string(text), health, date)
	switch {
	case !has:
		s.Note = message.Sprintf(ctx, "the front matter has no field for the result")
		return nil
	case s.locked():
		s.Note = message.Sprintf(ctx, "front matter left as it is: the file is read-only")
		return nil
	}
	if stamped != string(text) {
		err := s.home.WriteFile(s.rel, []byte(stamped))
		if openfile.ReadOnly(err) { // the outcome of the tests is valid all the same
			s.Note = message.Sprintf(ctx, "front matter left as it is: %v", err)
			return nil
		}
		if err != nil {
			return err
		}
		s.Updated = true
	}
	s.Health = health
	return nil
}

// locked reports whether the file is read-only. Replacing it would ignore that.
func (s *suite) locked() bool {
	const anyone = 0o222
	info, err := os.Stat(filepath.Join(s.home.Root(), filepath.FromSlash(s.rel)))
	return err == nil && info.Mode()&anyone == 0
}

// field matches a line of front matter: the key with its colon, white space, the value without
// a comment, and the rest.
var field = lazyregexp.New(`^(health|last_verified):([ \t]*)("[^"]*"|'[^']*'|[^#\r\n]*?)([ \t]*(?:#[^\r\n]*)?\r?\n)$`)

// Stamp sets the existing fields "health" and "last_verified" in the front matter of a spec
// and leaves every other byte unchanged. Values keep their quotes. has is false if there is
// neither field.
func Stamp(text, health, date string) (stamped string, has bool) {
	values := map[string]string{"health": health, "last_verified": date}
	var b strings.Builder
	inside, n := false, 0
	for line := range strings.Lines(text) {
		n++
		mark := strings.TrimRight(strings.TrimPrefix(line, "\ufeff"), "\r\n") == "---"
		inside = mark && n == 1 || inside && !mark
		if m := field.FindStringSubmatch(line); m != nil && inside {
			has = true
			line = set(m, values[m[1]])
		}
		b.WriteString(line)
	}
	return b.String(), has
}

// set returns a line of front matter with another value.
func set(m []string, value string) string {
	space, rest := m[2], m[4]
	if space == "" {
		space = " "
	}
	if strings.HasPrefix(rest, "#") { // there was no value
		rest = " " + rest
	}
	return m[1] + ":" + space + quotedLike(m[3], value) + rest
}

// quotedLike quotes value like the old value.
func quotedLike(old, value string) string {
	if len(old) > 1 && (old[0] == '"' || old[0] == '\'') && old[len(old)-1] == old[0] {
		return old[:1] + value + old[:1]
	}
	return value
}
