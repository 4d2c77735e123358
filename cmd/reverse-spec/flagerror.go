package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/reverse-spec/reverse-spec/rag"
)

// maxQuoted is how many characters of an argument an error quotes.
const maxQuoted = 200

// quote is an argument in an error, no longer than one reads.
func quote(argument string) string {
	if r := []rune(argument); len(r) > maxQuoted {
		argument = string(r[:maxQuoted]) + "…"
	}
	return fmt.Sprintf("%q", argument)
}

// dashError is a flag that there is not, where a question may be meant.
type dashError struct {
	error
	command string
}

func (e dashError) Unwrap() error { return e.error }

// Hint tells how a question begins with a dash.
func (e dashError) Hint() string {
	return "a question that begins with a dash goes behind --: " + e.command + " -- -race"
}

// flagError is an error of reading the flags of a command that takes a question, with what it
// quotes kept short.
func flagError(command string, err error) error {
	value, unknown, empty := (*pflag.InvalidValueError)(nil), (*pflag.NotExistError)(nil), (*pflag.ValueRequiredError)(nil)
	switch {
	case errors.As(err, &value):
		kind := map[string]string{"int": "an integer", "float64": "a number", "bool": "true or false", "duration": "a time like 30s"}
		name := value.GetFlag().Name
		return &rag.ParamError{Param: name, Wanted: fmt.Sprintf("must be %s, not %s", kind[value.GetFlag().Value.Type()], quote(value.GetValue()))}
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return usageError{dashError{fmt.Errorf("unknown shorthand flag: %q in %s", unknown.GetSpecifiedName(), quote("-"+unknown.GetSpecifiedShortnames())), command}}
	case errors.As(err, &unknown):
		return usageError{dashError{fmt.Errorf("unknown flag: %s", quote("--"+unknown.GetSpecifiedName())), command}}
	case errors.As(err, &empty):
		return usageError{err}
	}
	return usageError{errors.New(strings.Trim(quote(err.Error()), `"`))}
}

// asksForJSON reports whether a command line asks for JSON, also where its flags cannot be read.
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
