package suggest

import "github.com/reverse-spec/reverse-spec/internal/message"

// Choice adds to an error about a value that is none of some choices the one that was probably meant.
func Choice(err error, given string, choices ...string) error {
	if near := Nearest(given, choices); near != "" {
		return message.Errorf("%w; did you mean %s?", err, near)
	}
	return err
}
