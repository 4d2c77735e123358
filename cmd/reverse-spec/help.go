package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// localizeHelp translates the help of all commands. The English text is in the commands and is
// the key in the catalogue.
func localizeHelp(root *cobra.Command, lang message.Lang) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	nameUnknown(root)
	root.InitDefaultVersionFlag()
	root.SetUsageFunc(func(c *cobra.Command) error { return usage(c.OutOrStderr(), c, lang) })
	eachCommand(root, func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		for _, f := range []*pflag.Flag{c.Flags().Lookup("help"), c.Flags().Lookup("version")} {
			if f != nil {
				f.Usage = map[string]string{"help": helpUsage, "version": versionUsage}[f.Name]
			}
		}
		for _, text := range helpTexts(c) {
			*text = message.Translate(lang, *text)
		}
	})
}

// nameUnknown makes the commands of the library name what they do not know.
func nameUnknown(root *cobra.Command) {
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Args, c.SuggestionsMinimumDistance = usageArgs(unknownCommand), 2
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		case "help":
			c.Run, c.RunE = nil, func(_ *cobra.Command, args []string) error {
				about, rest, err := root.Find(args)
				if err = cmp.Or(err, unknownCommand(about, rest)); err != nil {
					return err
				}
				return about.Help()
			}
		}
	}
}

// Usage of the global flags.
var (
	helpUsage    = message.Key("show this help")
	versionUsage = message.Key("show the version")
)

// eachCommand visits a command and all its subcommands.
func eachCommand(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, child := range c.Commands() {
		eachCommand(child, visit)
	}
}

// helpTexts returns pointers to the translatable help texts of a command.
func helpTexts(c *cobra.Command) []*string {
	list := []*string{&c.Short, &c.Long}
	add := func(f *pflag.Flag) { list = append(list, &f.Usage) }
	c.LocalNonPersistentFlags().VisitAll(add)
	c.PersistentFlags().VisitAll(add)
	return list
}

// usage prints the usage of a command.
func usage(w io.Writer, c *cobra.Command, lang message.Lang) error {
	var b strings.Builder
	head := func(title message.Text) { fmt.Fprintf(&b, "\n\n%s\n", title.In(lang)) }
	b.WriteString(message.New("Usage:").In(lang))
	if c.Runnable() {
		b.WriteString("\n  " + c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n  " + c.CommandPath() + " [command]")
	}
	if c.HasExample() {
		head(message.New("Examples:"))
		b.WriteString(c.Example)
	}
	switch {
	case c.HasAvailableSubCommands() && !c.HasParent():
		b.WriteString(groupedCommands(c, lang))
	case c.HasAvailableSubCommands():
		head(message.New("Commands:"))
		var rows []string
		for _, child := range c.Commands() {
			if isListed(child) {
				rows = append(rows, fmt.Sprintf("  %-*s %s", child.NamePadding(), child.Name(), child.Short))
			}
		}
		b.WriteString(strings.Join(rows, "\n"))
	}
	if c.HasAvailableLocalFlags() {
		head(message.New("Flags:"))
		b.WriteString(flagUsages(c.LocalFlags(), lang))
	}
	if c.HasAvailableInheritedFlags() {
		head(message.New("Global flags:"))
		b.WriteString(flagUsages(c.InheritedFlags(), lang))
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n\n" + message.New("%q tells more about a command.", c.CommandPath()+" [command] --help").In(lang))
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// flagUsages returns a line per flag, with the library's English notes on defaults translated.
func flagUsages(flags *pflag.FlagSet, lang message.Lang) string {
	text := strings.TrimRight(flags.FlagUsages(), "\n")
	return strings.ReplaceAll(text, " (default ", message.New(" (default ").In(lang))
}

// flagError translates an error about a flag of a command.
func flagError(cmd *cobra.Command, err error) error {
	unknown, needs := (*pflag.NotExistError)(nil), (*pflag.ValueRequiredError)(nil)
	invalid, syntax := (*pflag.InvalidValueError)(nil), (*pflag.InvalidSyntaxError)(nil)
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		err = message.Errorf("unknown flag: %s in %s", suggest.Quote("-"+unknown.GetSpecifiedName()), suggest.Quote("-"+unknown.GetSpecifiedShortnames()))
	case errors.As(err, &unknown):
		err = unknownFlag(cmd, unknown.GetSpecifiedName())
	case errors.As(err, &needs):
		err = message.Errorf("flag --%s needs a value", needs.GetFlag().Name)
	case errors.As(err, &invalid):
		err = message.Errorf("flag --%s: %q is not %s", invalid.GetFlag().Name, suggest.Quote(invalid.GetValue()), kindOf(invalid.GetFlag()))
	case errors.As(err, &syntax):
		err = message.Errorf("not a flag: %s", suggest.Quote(syntax.GetSpecifiedFlag()))
	}
	return usageError{err}
}

// unknownFlag is the error for a flag that a command does not have, with the most similar one that it has.
func unknownFlag(cmd *cobra.Command, name string) error {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := suggest.Nearest(name, names); near != "" {
		return message.Errorf("unknown flag: %s; did you mean %s?", suggest.Quote("--"+name), "--"+near)
	}
	return message.Errorf("unknown flag: %s", suggest.Quote("--"+name))
}

// kindOf describes the type of a flag's value.
func kindOf(f *pflag.Flag) message.Text {
	switch f.Value.Type() {
	case "int", "int64", "uint":
		return message.New("a whole number")
	case "float64":
		return message.New("a number")
	case "bool":
		return message.New("true or false")
	case "duration":
		return message.New("a duration such as 90s or 2m")
	}
	return message.New("a value that it takes")
}

// Validators of positional arguments; the library's messages are English only.

// noArgs accepts no arguments.
func noArgs(cmd *cobra.Command, args []string) error { return rangeArgs(0, 0)(cmd, args) }

// exactArgs accepts exactly n arguments.
func exactArgs(n int) cobra.PositionalArgs { return rangeArgs(n, n) }

// atLeastArgs accepts n or more arguments.
func atLeastArgs(n int) cobra.PositionalArgs { return rangeArgs(n, -1) }

// rangeArgs accepts from least to most arguments; most is -1 for no limit.
func rangeArgs(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		n := len(args)
		switch {
		case most == 0 && n == 1 && isFolder(args[0]) && cmd.Flags().Lookup("project") != nil:
			return message.Errorf("%s takes no arguments; for the project in that folder: %s", cmd.Name(), cmd.CommandPath()+" --project "+suggest.Quote(args[0]))
		case most == 0 && n > 0:
			return message.Errorf("%s takes no arguments: %q", cmd.Name(), suggest.Quote(args[0]))
		case n < least:
			return message.Errorf("%s needs an argument: %s", cmd.Name(), cmd.UseLine())
		case most >= 0 && n > most:
			return message.Errorf("%s takes %v at most: %q is too many", cmd.Name(), message.Count(most, "%d argument", "%d arguments"), suggest.Quote(args[most]))
		}
		return nil
	}
}

// isFolder reports whether there is a folder of that name.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// exclusiveFlags returns an error if mutually exclusive flags are set.
func exclusiveFlags(cmd *cobra.Command) error {
	const mark = "cobra_annotation_mutually_exclusive" // set by the library
	given := map[string][]string{}                     // by group
	var fault error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		for _, group := range f.Annotations[mark] {
			if f.Changed {
				given[group] = append(given[group], f.Name)
			}
			if list := given[group]; len(list) == 2 && fault == nil {
				fault = message.Errorf("--%s and --%s exclude each other", list[0], list[1])
			}
		}
	})
	return fault
}
