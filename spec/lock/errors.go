package lock

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// ErrForeign is returned for a text that is not a lock.
var ErrForeign = message.Errorf("not a lock of reverse-spec")

// NewerError is returned for a lock in a format that this program does not know.
type NewerError struct{ Version int }

func (e *NewerError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *NewerError) In(lang message.Lang) string {
	return message.New("a newer version of reverse-spec wrote it (format %d, this one knows %d)", e.Version, Version).In(lang)
}

// Hint says what the user can do.
func (e *NewerError) Hint() message.Text {
	return message.New("update reverse-spec; or delete the lock and generate the spec again")
}

// DamagedError is returned for a lock with a part that cannot be read, such as after a merge.
type DamagedError struct {
	Line   int    // 1-based
	Target string // of the spec
	reason message.Text
}

func (e *DamagedError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *DamagedError) In(lang message.Lang) string {
	return message.New("line %d: %v", e.Line, e.reason).In(lang)
}

// Hint says what the user can do.
func (e *DamagedError) Hint() message.Text {
	if strings.HasSuffix(e.Target, ".md") {
		return message.New("resolve the conflict by hand, entry by entry; or remove the lock and adopt the spec again: reverse-spec adopt %s", e.Target)
	}
	return message.New("resolve by regenerating: reverse-spec generate %s", e.Target)
}
