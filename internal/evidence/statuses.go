package evidence

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/program"
)

// exitStatuses finds the statuses with which the module ends the process.
var exitStatuses = Rule{
	Kind: ExitStatus,
	find: func(m *Module, found func(Claim)) {
		var list []Claim
		add := func(c Claim) { list = append(list, c) }
		m.bodies(func(f *code.File, b *code.Bodies) {
			for i := range b.Functions {
				m.statusesOf(f, b.Functions, &b.Functions[i], add)
			}
		})
		m.usageStatuses(add)
		m.resultStatuses(add)
		m.errorStatuses(list, add)
		of := m.commandsOf()
		for _, c := range list {
			if c.Of == "" {
				c.Of = of[[2]string{c.At[0].File, c.Subject}]
			}
			found(c)
		}
	},
}

// statusesOf finds the statuses with which the statements of a function end the process.
func (m *Module) statusesOf(f *code.File, functions []code.Body, body *code.Body, found func(Claim)) {
	for _, p := range m.reader.Statements(functions, body, endsProcess) {
		status, text, ok := statusOf(f, p.Stmt)
		if !ok {
			status, text, ok = m.raisedStatus(f, p.Stmt)
		}
		if !ok {
			continue
		}
		if text == "" {
			text = printedBefore(f, body, p.Stmt.Line)
		}
		found(Claim{Subject: body.In, Name: status, Text: text, When: []Condition{{All: p.When, Partial: p.Partial}}, At: []Place{{f.Path, p.Stmt.Line, ""}}})
	}
}

// exitCalls are the calls that end the process: the status if it is not the first argument; "" if it is.
var exitCalls = map[string]map[string]string{
	"go":     {"os.Exit": "", "log.Fatal": "1", "log.Fatalf": "1", "log.Fatalln": "1"},
	"python": {"sys.exit": "", "os._exit": "", "exit": "", "SystemExit": "", "typer.Exit": "", "ctx.exit": "", "click.exceptions.Exit": ""},
	"ruby":   {"exit": "", "exit!": "", "Kernel.exit": "", "abort": "1"},
	"rust":   {"std.process.exit": "", "process.exit": ""},
	"java":   {"System.exit": ""}, "kotlin": {"exitProcess": "", "System.exit": ""},
	"javascript": {"process.exit": ""}, "typescript": {"process.exit": ""},
	"php": {"exit": ""}, "csharp": {"Environment.Exit": ""}, "c": {"exit": "", "_exit": ""}, "cpp": {"exit": "", "std.exit": ""}, "swift": {"exit": ""},
}

// endsProcess reports whether a statement may end the process, or sets its status.
func endsProcess(s *code.Stmt) bool {
	switch s.Op {
	case code.StmtCall, code.StmtError:
		return true
	case code.StmtAssign:
		return s.Text == "process.exitCode"
	default:
		return false
	}
}

// statusOf returns the status with which a statement ends the process, and the text that it prints; ok is false if it is no such
// statement, or the status is not constant.
func statusOf(f *code.File, s *code.Stmt) (status, text string, ok bool) {
	v := s.Value
	if s.Op == code.StmtError && s.Exit != nil {
		v = &s.Exit.Value
	}
	if v == nil {
		return "", "", false
	}
	if s.Op == code.StmtAssign {
		return v.Text, "", v.Kind == code.ValueNumber
	}
	fixed, known := exitCalls[f.Language][strings.TrimPrefix(dotted(v.Text), "\\")]
	if !known || v.Kind != code.ValueCall {
		return "", "", false
	}
	first := v.Arg(0)
	if first == nil {
		first = v.Named("code", "status")
	}
	switch {
	case fixed != "":
		return fixed, literalOf(first), true
	case first == nil:
		return "0", "", f.Language != "javascript" && f.Language != "typescript" // there process.exitCode counts
	}
	return statusGiven(f, first)
}

// statusGiven returns the status that an argument is, and the text that it is.
func statusGiven(f *code.File, first *code.Value) (status, text string, ok bool) {
	switch {
	case first.Kind == code.ValueNumber:
		return first.Text, "", true
	case first.Kind == code.ValueString && f.Language == "python": // printed to standard error
		return "1", first.Text, true
	case first.Kind == code.ValueName && f.Language == "python" && code.IsErrorName(first.Text) && !strings.Contains(first.Text, "."): // what is no number is printed
		return "1", "", true
	case first.Kind == code.ValueName && exitNames[lastName(dotted(first.Text))] != "":
		return exitNames[lastName(dotted(first.Text))], "", true
	}
	return "", "", false
}

// exitNames are the usual constants for statuses.
var exitNames = map[string]string{"EXIT_SUCCESS": "0", "EXIT_FAILURE": "1", "true": "0", "false": "1", "None": "0", "SUCCESS": "0", "FAILURE": "1"}

func literalOf(v *code.Value) string {
	if v == nil || v.Kind != code.ValueString {
		return ""
	}
	return v.Text
}

// printers are the functions that print: their last names, in any language.
var printers = []string{
	"Fprintln", "Fprintf", "Fprint", "Println", "Printf", "Print", "Error", "Errorf", "print", "error", "log", "warn", "eprintln!", "eprint!", "println!", "puts", "eprintln", "println", "fprintf",
	"printf", "fputs", "echo", "secho", "write", "print_usage", "WriteLine",
}

// linesBefore is how far above the end of a process what is printed belongs to it.
const linesBefore = 2

// printedBefore returns the text that is printed right before a line ends the process; "" for none.
func printedBefore(f *code.File, body *code.Body, line int) string {
	for i := range slices.Backward(f.Bodies.Texts) {
		t := &f.Bodies.Texts[i]
		if t.In != body.In || t.Line >= line || t.Line < line-linesBefore || !slices.Contains(printers, lastName(dotted(t.Of))) {
			continue
		}
		for _, a := range t.Args {
			if a.Plain && strings.TrimSpace(a.Text) != "" {
				return strings.TrimSpace(strings.NewReplacer(`\n`, " ", "\n", " ").Replace(a.Text))
			}
		}
	}
	return ""
}

// usageErrors are the statuses with which libraries refuse a command line, by the modules that a program imports: of Python's
// argparse and click, Go's flag (flag.ExitOnError) and clap 2, of commander and yargs 1.
var usageErrors = []struct {
	language, module string
	status           int
}{
	{"python", "argparse", 2},
	{"python", "click", 2},
	{"python", "typer", 2},
	{"go", "flag", 2},
	{"rust", "clap", 2},
	{"javascript", "commander", 1},
	{"typescript", "commander", 1},
	{"javascript", "yargs", 1},
	{"typescript", "yargs", 1},
}

// parserName returns the name of a command as the line of its declaration has it: that of the type which declares it, or its own.
func (m *Module) parserName(c *program.Command) string {
	if s := m.symbol(c.At.File, c.In, c.At.Line); s != nil && s.Kind != code.Function && s.Kind != code.Method {
		return s.Name
	}
	return c.Path
}

// usageStatuses finds the statuses with which the libraries of the module's commands refuse a command line.
func (m *Module) usageStatuses(found func(Claim)) {
	for _, c := range m.programs {
		if c.Parent != nil {
			continue
		}
		language := m.language[c.At.File]
		for _, f := range m.Files {
			for _, u := range usageErrors {
				if f.Path != c.At.File || u.language != language || !slices.ContainsFunc(f.Imports, func(i code.Import) bool {
					return i.Module == u.module || strings.HasPrefix(i.Module, u.module+".") || strings.HasPrefix(i.Module, u.module+"::") || strings.HasPrefix(i.Module, u.module+"/")
				}) {
					continue
				}
				found(Claim{Subject: c.In, Of: c.Path, Name: strconv.Itoa(u.status), Role: BadUsage, Text: m.parserName(c), At: []Place{programPlace(c.At)}})
			}
		}
	}
}
