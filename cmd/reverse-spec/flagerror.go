package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// dashError is an invalid flag that may be the start of a question.
type dashError struct {
	error
	command string
}

// In implements [message.Localizer].
func (e dashError) In(lang message.Lang) string { return message.Render(lang, e.error) }

func (e dashError) Unwrap() error { return e.error }

// Hint says how to pass a question that begins with a dash.
func (e dashError) Hint() message.Text {
	return message.New("put -- before a question that begins with a dash: %s -- -race", e.command)
}

// questionFlagError returns the error for an invalid flag of a command that takes a question.
func questionFlagError(cmd *cobra.Command, err error) error {
	fault := flagError(cmd, err)
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		return dashError{fault, cmd.CommandPath()}
	}
	return fault
}

// jsonFlag is the name of the flag for JSON.
const jsonFlag = "json"

// textResult is a text that a command prints as JSON.
type textResult struct {
	Text string `json:"text"`
}

// proseAsJSON makes a command of the library, which prints help or a script, write into the text that it returns, where JSON was
// asked for; else it returns nil.
func proseAsJSON(root *cobra.Command, args []string) *strings.Builder {
	if !asksForJSON(args) {
		return nil
	}
	cmd, _, _ := root.Find(args)
	help := slices.Contains(args, "--help") || slices.Contains(args, "-h") || slices.Contains(args, "--version")
	if own := cmd != root && !cmd.HasSubCommands(); own && !help {
		return nil
	}
	text := &strings.Builder{}
	root.SetOut(text)
	return text
}

// asksForJSON reports whether a command line asks for JSON, even if its flags are invalid.
func asksForJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	for i, arg := range args {
		if arg == "--json" || arg == "--json=true" || arg == "--format=json" || arg == "--format" && i+1 < len(args) && args[i+1] == "json" {
			return true
		}
	}
	return false
}
