package mcp

import (
	"errors"
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// errorPrefix stands before the errors of the code graph's tools in their
// contract, section 8.1.
const errorPrefix = "Error: "

// indent is MCP_JSON_INDENT of that contract.
const indent = "  "

// maxShown is how long a path may be that an error repeats, in bytes.
const maxShown = 4096

// saidError is an error in the contract's own words, which are the same in every language,
// and what can be done.
type saidError struct {
	text string
	hint message.Text
}

func (e *saidError) Error() string { return e.text }

// In implements [message.Localizer].
func (e *saidError) In(message.Lang) string { return e.text }

// Hint says more, in our own words.
func (e *saidError) Hint() message.Text { return e.hint }

// hintOf makes an error the hint of another one.
func hintOf(err error) message.Text { return message.New("%v", err) }

// fileError puts an error of a file into the contract's words, where it has any;
// the action is that of its sentence about paths outside the project. Our own
// words follow as the hint.
func fileError(action, path string, err error) error {
	var (
		outside *project.OutsideError
		missing *project.MissingError
		binary  *project.BinaryError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &outside):
		return &saidError{
			text: fmt.Sprintf("Security risk: Attempted to %s file outside of project root.", action),
			hint: hintOf(outside),
		}
	case errors.As(err, &missing):
		return &saidError{text: "File not found.", hint: hintOf(missing)}
	case errors.As(err, &binary):
		return &saidError{
			text: fmt.Sprintf("File '%s' is a binary file. Ask the user to attach it inline if they want it analyzed.", path),
			hint: hintOf(binary),
		}
	default:
		return err
	}
}

// filePathParam is the file that a tool is about.
func filePathParam() Param {
	return Param{Name: "file_path", Type: String, Path: true, Description: fixed("Relative path to the file from project root"), Required: true}
}
