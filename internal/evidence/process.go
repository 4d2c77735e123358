package evidence

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// signalUse is a call by which a program handles signals: the argument with the first signal, and that with the handler; -1 for
// none. If all, all arguments from there on are signals.
type signalUse struct {
	language, of    string
	signal, handler int
	all             bool
}

var signalUses = []signalUse{
	{"go", "signal.Notify", 1, -1, true},
	{"go", "signal.NotifyContext", 1, -1, true},
	{"go", "signal.Ignore", 0, -1, true},
	{"python", "signal.signal", 0, 1, false},
	{"python", ".add_signal_handler", 0, 1, false},
	{"javascript", "process.on", 0, 1, false},
	{"javascript", "process.once", 0, 1, false},
	{"typescript", "process.on", 0, 1, false},
	{"typescript", "process.once", 0, 1, false},
	{"ruby", "trap", 0, -1, false},
	{"ruby", "Signal.trap", 0, -1, false},
	{"rust", "ctrlc.set_handler", -1, 0, false},
	{"rust", "signal.ctrl_c", -1, -1, false},
	{"rust", "tokio.signal.ctrl_c", -1, -1, false},
	{"rust", "signal", 0, -1, false},
	{"rust", "unix.signal", 0, -1, false},
	{"php", "pcntl_signal", 0, 1, false},
	{"c", "signal", 0, 1, false},
	{"c", "sigaction", 0, -1, false},
	{"cpp", "signal", 0, 1, false},
	{"cpp", "sigaction", 0, -1, false},
	{"csharp", "PosixSignalRegistration.Create", 0, 1, false},
}

// signals finds the signals that the module handles.
var signals = Rule{
	Kind: Signal,
	find: func(m *Module, found func(Claim)) {
		of := m.commandsOf()
		m.calls(func(f *code.File, c *code.CallUse) {
			for _, name := range signalsOf(f, c) {
				claim := Claim{Subject: c.In, Name: name, Of: of[[2]string{f.Path, c.In}], At: []Place{{f.Path, c.Line, ""}}}
				claim.Text, claim.Values = handlerOf(f, c)
				found(claim)
			}
		})
	},
}

// signalsOf returns the names of the signals that a call handles.
func signalsOf(f *code.File, c *code.CallUse) []string {
	u := signalUseOf(f, &c.Value)
	if u == nil {
		return nil
	}
	if u.signal < 0 {
		return []string{"SIGINT"}
	}
	var out []string
	for i := u.signal; c.Value.Arg(i) != nil; i++ {
		if name := signalName(c.Value.Arg(i)); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
		if !u.all {
			break
		}
	}
	return out
}

// signalUseOf returns how a call handles signals; nil if it does not.
func signalUseOf(f *code.File, v *code.Value) *signalUse {
	of := dotted(v.Text)
	i := slices.IndexFunc(signalUses, func(u signalUse) bool {
		return u.language == f.Language && (u.of == of || u.of[0] == '.' && strings.HasSuffix(of, u.of))
	})
	if i < 0 || v.Kind != code.ValueCall {
		return nil
	}
	return &signalUses[i]
}

// signalName returns the name of the signal that a value is: SIGINT for syscall.SIGINT, os.Interrupt, "INT"; "" for others.
func signalName(v *code.Value) string {
	name := v.Text
	if v.Kind == code.ValueName {
		name = lastName(dotted(v.Text))
	}
	switch {
	case v.Kind == code.ValueCall:
		return signalKinds[lastName(dotted(v.Text))]
	case v.Kind != code.ValueName && v.Kind != code.ValueString:
		return ""
	case name == "Interrupt":
		return "SIGINT"
	case name == "Kill":
		return "SIGKILL"
	case strings.HasPrefix(name, "SIG"):
		return strings.TrimSuffix(name, "…")
	case slices.Contains([]string{"INT", "TERM", "HUP", "USR1", "USR2", "QUIT", "PIPE", "CHLD", "WINCH"}, name):
		return "SIG" + name
	}
	return ""
}

// signalKinds are the functions that make a kind of signal in Rust.
var signalKinds = map[string]string{"terminate": "SIGTERM", "interrupt": "SIGINT", "hangup": "SIGHUP", "quit": "SIGQUIT", "user_defined1": "SIGUSR1", "user_defined2": "SIGUSR2"}

// mostCalls limits the calls of a handler that are named.
const mostCalls = 3

// handlerOf returns the function that handles a signal, or the calls of a function literal that does.
func handlerOf(f *code.File, c *code.CallUse) (name string, calls []string) {
	u := signalUseOf(f, &c.Value)
	if u.handler < 0 {
		return "", nil
	}
	v := c.Value.Arg(u.handler)
	if v != nil && v.Kind == code.ValueName {
		return v.Text, nil
	}
	for i := range f.Whole.Functions {
		body := &f.Whole.Functions[i]
		if v == nil || v.Kind != code.ValueFunction || v.Text != strconv.Itoa(body.At) {
			continue
		}
		code.AllStmts(body.Stmts, func(s *code.Stmt) {
			if s.Op == code.StmtCall && s.Value != nil && !strings.HasPrefix(s.Value.Text, "console.") && len(calls) < mostCalls && !slices.Contains(calls, s.Value.Text) {
				calls = append(calls, s.Value.Text)
			}
		})
	}
	return "", calls
}

// standardInput are the objects by which programs read their standard input, by language.
var standardInput = map[string][]string{
	"go": {"os.Stdin"}, "python": {"sys.stdin", "sys.stdin.buffer"}, "javascript": {"process.stdin"}, "typescript": {"process.stdin"},
	"ruby": {"$stdin", "STDIN"}, "rust": {"io.stdin", "std.io.stdin"}, "java": {"System.in"}, "kotlin": {"System.in"}, "csharp": {"Console.In", "Console.OpenStandardInput", "Console.ReadLine"},
	"php": {"STDIN", "php://stdin"}, "c": {"stdin"}, "cpp": {"std.cin", "cin", "stdin"},
}

// standardInputs finds the functions that read the standard input.
var standardInputs = Rule{
	Kind: StandardInput,
	find: func(m *Module, found func(Claim)) {
		of := m.commandsOf()
		m.calls(func(f *code.File, c *code.CallUse) {
			if name := inputOf(f, &c.Value); name != "" {
				found(Claim{Subject: c.In, Name: name, Of: of[[2]string{f.Path, c.In}], At: []Place{{f.Path, c.Line, ""}}})
			}
		})
	},
}

// terminals are the calls that ask whether something is a terminal, and do not read it.
var terminals = []string{"isatty", "IsTerminal", "Stat", "Fd", "fileno", "is_terminal", "unref", "pause", "tty?"}

// inputOf returns the standard input that a call reads, as written; "" for none.
func inputOf(f *code.File, v *code.Value) string {
	names := standardInput[f.Language]
	is := func(text string) bool { return slices.Contains(names, dotted(text)) }
	on, method := cutLast(dotted(v.Text))
	switch {
	case slices.Contains(terminals, method):
		return ""
	case is(on):
		return on
	case v.Kind == code.ValueCall && is(v.Text):
		return dotted(v.Text)
	}
	for i := range v.Args {
		if a := &v.Args[i]; a.Kind == code.ValueName && is(a.Text) || a.Kind == code.ValueString && slices.Contains(names, a.Text) {
			return dotted(a.Text)
		}
	}
	return ""
}
