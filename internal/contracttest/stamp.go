package contracttest

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
	"github.com/reverse-spec/reverse-spec/spec"
)

// stamp writes what came of a run into the file as it is now: someone may have
// changed it meanwhile.
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
		if openfile.ReadOnly(err) { // the outcome of the tests is the result all the same
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

// locked reports whether nobody may write the file: who replaces it by another has
// not asked.
func (s *suite) locked() bool {
	const anyone = 0o222
	info, err := os.Stat(filepath.Join(s.home.Root(), filepath.FromSlash(s.rel)))
	return err == nil && info.Mode()&anyone == 0
}

// field is a line of front matter: the key with its colon, white space, the value
// without a remark, and the rest of the line.
var field = regexp.MustCompile(`^(health|last_verified):([ \t]*)("[^"]*"|'[^']*'|[^#\r\n]*?)([ \t]*(?:#[^\r\n]*)?\r?\n)$`)

// Stamp sets the fields "health" and "last_verified" in the front matter of a spec,
// those of them that are there, and leaves every other byte as it is. A value keeps
// its quotes. Has is false when there is neither.
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

// set writes a line of front matter with another value.
func set(m []string, value string) string {
	space, rest := m[2], m[4]
	if space == "" {
		space = " "
	}
	if strings.HasPrefix(rest, "#") { // there was no value between
		rest = " " + rest
	}
	return m[1] + ":" + space + quotedLike(m[3], value) + rest
}

// quotedLike puts the quotes of the old value around a new one.
func quotedLike(old, value string) string {
	if len(old) > 1 && (old[0] == '"' || old[0] == '\'') && old[len(old)-1] == old[0] {
		return old[:1] + value + old[:1]
	}
	return value
}
