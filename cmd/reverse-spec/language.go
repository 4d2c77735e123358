package main

import (
	"os"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/config"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// langFlag is the flag that selects the language of a run.
const langFlag = "lang"

// language returns the language of a command line: from --lang, the environment, the
// configuration or the locale. It is determined before flags are parsed, because help and flag
// errors need it. An invalid configuration is reported by the command that needs it.
func language(args []string) (message.Choice, error) {
	flag := flagValue(args, langFlag)
	configured := ""
	if flag == "" && os.Getenv(message.Variable) == "" {
		if c, err := config.Load(config.Options{Project: project.Find(".")}); err == nil {
			configured = c.Lang
		}
	}
	choice, err := message.Choose(flag, os.Getenv, configured)
	if err != nil {
		return choice, usageError{err}
	}
	return choice, nil
}

// flagValue returns the value of a flag in an unparsed command line; "" if it is missing.
func flagValue(args []string, name string) string {
	for i, arg := range args {
		value, found := strings.CutPrefix(arg, "--"+name)
		switch {
		case arg == "--":
			return ""
		case found && value == "" && i+1 < len(args):
			return args[i+1]
		case found && strings.HasPrefix(value, "="):
			return value[1:]
		}
	}
	return ""
}
