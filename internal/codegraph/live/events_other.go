//go:build !linux

package live

import "github.com/reverse-spec/reverse-spec/internal/message"

// hasEvents returns an error: on Linux alone the events of all folders are in one order, so that a question can know
// that it has seen everything that happened before it.
func hasEvents(string) error {
	return message.Errorf("this system does not report changes in order")
}
