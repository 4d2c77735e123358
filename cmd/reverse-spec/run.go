package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Exit codes of all commands.
const (
	exitDone        = 0
	exitError       = 1
	exitUsage       = 2
	exitCheckFailed = 3 // done, but the check failed: drift was found, a test failed
	exitInterrupted = 130
)

// streams are the standard streams of a command. Results go to out, everything else to err.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// errCheckFailed ends a command that did its work but whose check failed.
var errCheckFailed = errors.New("the answer is no")

// usageError is an error in the command line itself.
type usageError struct{ err error }

func (e usageError) Error() string               { return e.err.Error() }
func (e usageError) In(lang message.Lang) string { return message.Render(lang, e.err) }
func (e usageError) Unwrap() error               { return e.err }

// codedError is an error of a command whose contract has its own exit codes.
type codedError struct {
	err  error
	code int
}

func (e codedError) Error() string               { return e.err.Error() }
func (e codedError) In(lang message.Lang) string { return message.Render(lang, e.err) }
func (e codedError) Unwrap() error               { return e.err }

// onInterrupt is the annotation of a command that says what was kept of its work when it was interrupted, and how to go on.
const onInterrupt = "interrupted"

// interruptible adds that annotation.
func interruptible(cmd *cobra.Command, said string) *cobra.Command {
	cmd.Annotations = map[string]string{onInterrupt: said}
	return cmd
}

// run executes a command line and returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	lang, err := language(args)
	ctx = message.With(ctx, lang)
	root := newRoot(s, lang.Lang, args...) //nolint:contextcheck // each command gets ctx from cobra when it runs
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	prose := proseAsJSON(root, args)
	localizeHelp(root, lang.Lang)
	root.SetArgs(args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err == nil && prose != nil {
		err = printJSON(s.out, textResult{prose.String()})
	}
	return report(ctx, err, root, args, s)
}

// report prints the error of a command and returns the exit code.
func report(ctx context.Context, err error, root *cobra.Command, args []string, s streams) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errCheckFailed):
		return exitCheckFailed
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		say(ctx, s.err, message.New("interrupted"))
		if cmd, _, err := root.Find(args); err == nil && cmd.Annotations[onInterrupt] != "" {
			fmt.Fprintln(s.err, message.Translate(message.From(ctx), cmd.Annotations[onInterrupt]))
		}
		return exitInterrupted
	}
	lang := message.From(ctx)
	reportJSON(err, args, s.out, lang)
	if many, ok := errors.AsType[*explore.AmbiguousError](err); ok {
		showAmbiguous(s.err, many, lang)
	} else {
		fmt.Fprintf(s.err, "reverse-spec: %s\n", suggest.Message(message.Render(lang, err), given(args)...))
	}
	if hint := message.Hint(lang, err); hint != "" {
		say(ctx, s.err, message.New("hint: %s", suggest.Message(hint, given(args)...)))
	}
	if coded, ok := errors.AsType[codedError](err); ok {
		return coded.code
	}
	if _, ok := errors.AsType[usageError](err); ok {
		say(ctx, s.err, message.New("see: %s", strings.Join(append(append([]string{"reverse-spec"}, commandOf(root, args)...), "--help"), " ")))
		return exitUsage
	}
	return exitError
}

// showAmbiguous lists the symbols that a name may mean, one a line.
func showAmbiguous(w io.Writer, e *explore.AmbiguousError, lang message.Lang) {
	shown := e.Candidates[:min(explore.MaxNamed, len(e.Candidates))]
	fmt.Fprintf(w, "reverse-spec: %s\n", message.New("%d symbols have the name %s:", len(e.Candidates), suggest.Quote(e.Name)).In(lang))
	for _, n := range shown {
		fmt.Fprintf(w, "  %s  %s:%d\n", n.QualifiedName, n.Path, n.StartLine)
	}
	if more := len(e.Candidates) - len(shown); more > 0 {
		fmt.Fprintf(w, "  %s\n", message.New("… and %d more", more).In(lang))
	}
}

// reportJSON prints an error as an object, where JSON was asked for: what reads standard output learns why there is no result.
// Commands with exit codes of their own have objects of their own.
func reportJSON(err error, args []string, w io.Writer, lang message.Lang) {
	if _, own := errors.AsType[codedError](err); own || !asksForJSON(args) {
		return
	}
	out := struct {
		Error string `json:"error"`
		Hint  string `json:"hint,omitempty"`
	}{suggest.Message(message.Render(lang, err), given(args)...), suggest.Message(message.Hint(lang, err), given(args)...)}
	_ = printJSON(w, out) // the error is reported on standard error, too
}

// say prints a message on a line of its own.
func say(ctx context.Context, w io.Writer, t message.Text) {
	fmt.Fprintln(w, t.In(message.From(ctx)))
}

// given returns the arguments of a command line, including names and values of flags.
func given(args []string) []string {
	all := args
	for _, arg := range args {
		if name, value, ok := strings.Cut(strings.TrimLeft(arg, "-"), "="); ok {
			all = append(slices.Clip(all), value, name)
		}
		if name := strings.TrimLeft(arg, "-"); name != arg {
			all = append(slices.Clip(all), name)
		}
	}
	return all
}

// commandOf returns the names of the command that args call, its group's first; nil if there
// is none.
func commandOf(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || cmd == root {
		return nil
	}
	return strings.Fields(cmd.CommandPath())[1:]
}

// app is the state that all commands share.
type app struct {
	streams
	project string   // --project; "" to search for it
	include []string // --include, --exclude: patterns of files
	exclude []string
	quiet   bool         // --quiet: results and errors only
	verbose bool         // --verbose: how long each stage took
	plain   bool         // --no-color
	json    bool         // --json, of commands without a flag of their own
	lang    message.Lang // of the output
	args    []string     // the command line, for decisions before it is parsed
}

// localize returns a message in the language of the run.
func (a *app) localize(t message.Text) string { return t.In(a.lang) }

func newRoot(s streams, lang message.Lang, args ...string) *cobra.Command {
	a := &app{streams: s, lang: lang, args: args}
	root := &cobra.Command{
		Use:   "reverse-spec",
		Short: "Turns code into specs that stay true",
		Long: `reverse-spec reads any code base and writes Markdown specs with requirements,
scenarios, API contracts and contract tests, every statement with the file and
line it comes from. diff then finds what changed since, and says whether it breaks
users of the code.

EXIT STATUS
  0 done   1 error   2 bad command line   3 done, and the check failed (drift, a failed test)   130 interrupted`,
		Example: `  reverse-spec generate src/auth
  reverse-spec batch
  reverse-spec diff specs/src/auth.spec.md`,
		Version:       reversespec.Version(),
		SilenceErrors: true, SilenceUsage: true,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		PersistentPreRunE: checkNumbers,
	}
	root.SetVersionTemplate("reverse-spec {{.Version}}\n")
	root.PersistentFlags().StringVar(&a.project, "project", "", "the project's `folder` (default: the nearest one around with .git or a package manifest)")
	root.PersistentFlags().StringArrayVar(&a.exclude, "exclude", nil, "leave out files that match a `pattern`, as in a .gitignore; may be given again. For good: .reverse-specignore")
	root.PersistentFlags().StringArrayVar(&a.include, "include", nil, "take only files that match a `pattern`; may be given again")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "results and errors only: no progress, notes or warnings")
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "tell how long each stage took")
	root.PersistentFlags().BoolVar(&a.json, jsonFlag, false, "the result, or the error, as JSON")
	root.PersistentFlags().BoolVar(&a.plain, "no-color", false, "no colours, on a terminal, too (also NO_COLOR)")
	root.PersistentFlags().String(langFlag, "", "`language` of messages and of what is written: en or zh (default: REVERSE_SPEC_LANG, the configuration, the locale)")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if words := bareWords(root, args); cmd == root && len(words) > 0 { // the flag may be one that the command meant has
			return unknownCommand(cmd, words)
		}
		return flagError(cmd, err)
	})
	root.SuggestionsMinimumDistance = 2
	for _, c := range []*cobra.Command{
		a.prepareCommand(), a.generateCommand(), a.showCommand(), a.batchCommand(), a.proposeCommand(), a.adoptCommand(), a.diffCommand(), a.reviewCommand(), a.verifyCommand(), a.verifyClaimCommand(), a.viewCommand(),
		a.indexCommand(), a.statusCommand(), a.projectsCommand(), a.deleteProjectCommand(), a.wipeDatabaseCommand(),
		a.snippetCommand(), a.graphCommand(), a.impactCommand(), a.queryCommand(), a.orientCommand(), a.graphRAGCommand(), a.callChainCommand(), a.federateCommand(),
		a.readFileCommand(), a.writeFileCommand(), a.replaceCommand(), a.listCommand(),
		a.authCommand(), a.mcpCommand(), a.serverCommand(), a.serveCommand(), a.tokenCommand(), a.initCommand(), a.pluginDirCommand(), a.hookCommand(), a.backgroundCommand(), a.doctorCommand(), a.cleanCommand(), a.versionCommand(),
	} {
		for _, c := range append(c.Commands(), c) {
			c.Args = usageArgs(c.Args)
		}
		root.AddCommand(c)
	}
	for _, command := range more {
		root.AddCommand(command())
	}
	return root
}

// more makes the commands of a build for a purpose: see manuals.go.
var more []func() *cobra.Command

// unknownCommand returns an error for words that are not a command and suggests the most
// similar one.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return usageError{message.Errorf("unknown command %q; did you mean %s?", args[0], strings.Join(near, ", "))}
	}
	return usageError{message.Errorf("unknown command %q", args[0])}
}

// bareWords returns the arguments of a command line that are neither flags nor their values.
func bareWords(root *cobra.Command, args []string) []string {
	var out []string
	value := false
	for _, arg := range args {
		if name, isFlag := strings.CutPrefix(arg, "--"); isFlag {
			f := root.PersistentFlags().Lookup(name)
			value = f != nil && f.NoOptDefVal == ""
			continue
		}
		if !value && !strings.HasPrefix(arg, "-") {
			out = append(out, arg)
		}
		value = false
	}
	return out
}

// usageArgs turns errors about arguments and exclusive flags into usage errors.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := cmp.Or(check(cmd, args), exclusiveFlags(cmd)); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// colored reports whether results are printed with colours.
func (a *app) colored() bool { return !a.plain && isTerminal(a.out) }

// isTerminal reports whether w is a terminal that supports colours.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
