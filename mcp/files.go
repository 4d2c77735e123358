package mcp

import (
	"errors"
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// errorPrefix begins the errors of the code graph's tools: section 8.1 of their
// contract.
const errorPrefix = "Error: "

// indent is MCP_JSON_INDENT of that contract.
const indent = "  "

// maxShown is how long a path may be that an error repeats, in bytes.
const maxShown = 4096

// contractError is an error in the contract's words, which are the same in every language,
// and a hint.
type contractError struct {
	text string
	hint message.Text
}

func (e *contractError) Error() string { return e.text }

// In implements [message.Localizer].
func (e *contractError) In(message.Lang) string { return e.text }

// Hint adds what the contract does not say.
func (e *contractError) Hint() message.Text { return e.hint }

// hintOf makes a hint of an error.
func hintOf(err error) message.Text { return message.New("%v", err) }

// fileError returns an error of a file in the contract's words where it defines some, with
// the error as the hint. The action is the verb of the sentence about paths outside the
// project.
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
		return &contractError{
			text: fmt.Sprintf("Security risk: Attempted to %s file outside of project root.", action),
			hint: hintOf(outside),
		}
	case errors.As(err, &missing):
		return &contractError{text: "File not found.", hint: hintOf(missing)}
	case errors.As(err, &binary):
		return &contractError{
			text: fmt.Sprintf("File '%s' is a binary file. Ask the user to attach it inline if they want it analyzed.", path),
			hint: hintOf(binary),
		}
	default:
		return err
	}
}

// filePathParam is the file that a tool works on.
func filePathParam() Param {
	return Param{Name: "file_path", Type: String, Path: true, Description: fixed("Relative path to the file from project root"), Required: true}
}
