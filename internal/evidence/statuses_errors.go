package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// libraryErrors are the errors with which a library for command lines ends the process, with their statuses.
var libraryErrors = []struct {
	language string
	modules  []string
	errors   map[string]string
}{
	{"python", []string{"click", "typer", "rich_click"}, map[string]string{
		"UsageError": "2", "BadParameter": "2", "BadArgumentUsage": "2", "BadOptionUsage": "2", "MissingParameter": "2", "NoSuchOption": "2",
		"ClickException": "1", "FileError": "1", "Abort": "1",
	}},
	{"python", []string{"argparse"}, map[string]string{"ArgumentError": "2", "ArgumentTypeError": "2"}},
}

// libraryRefusals are the methods with which commands refuse what they are given: the end of the object's name, and the status.
var libraryRefusals = []struct {
	languages          []string
	module, on, method string
	status             string
}{
	{[]string{"python"}, "argparse", "parser", "error", "2"},
	{[]string{"python"}, "optparse", "parser", "error", "2"},
	{[]string{"python"}, "click", "ctx", "fail", "2"},
	{[]string{"python"}, "click", "context", "fail", "2"},
	{[]string{"python"}, "click", "ctx", "abort", "1"},
	{[]string{"python"}, "typer", "ctx", "fail", "2"},
	{ecma, "commander", "program", "error", "1"},
	{ecma, "commander", "command", "error", "1"},
	{ecma, "commander", "cmd", "error", "1"},
}

// raisedStatus returns the status to which the library of a command line leads what a statement raises or calls, and the text.
func (m *Module) raisedStatus(f *code.File, s *code.Stmt) (status, text string, ok bool) {
	v := s.Value
	if s.Op == code.StmtError && s.Exit != nil {
		if status = m.errorStatus(f, lastName(dotted(s.Exit.Error))); status != "" {
			return status, literalOf(s.Exit.Value.Arg(0)), true
		}
		v = &s.Exit.Value
	}
	if s.Op != code.StmtCall && s.Op != code.StmtError || v == nil {
		return "", "", false
	}
	return refusedStatus(f, v)
}

// refusedStatus returns the status with which a method of a library for command lines ends the process, and the text.
func refusedStatus(f *code.File, v *code.Value) (status, text string, ok bool) {
	on, method := cutLast(dotted(v.Text))
	if method == "exit" && strings.HasSuffix(strings.ToLower(on), "parser") && importsModule(f, "argparse") {
		if first := v.Arg(0); first != nil && first.Kind == code.ValueNumber {
			return first.Text, literalOf(v.Arg(1)), true
		}
	}
	for _, r := range libraryRefusals {
		if r.method != method || !strings.HasSuffix(strings.ToLower(on), r.on) || !slices.Contains(r.languages, f.Language) || !importsModule(f, r.module) {
			continue
		}
		status = r.status
		if given := v.Arg(1).Named("exitCode"); given != nil && given.Kind == code.ValueNumber {
			status = given.Text
		}
		return status, literalOf(v.Arg(0)), true
	}
	return "", "", false
}

// errorStatus returns the status of an error of a library, or of one of the module that is derived from it; "" for others.
func (m *Module) errorStatus(f *code.File, name string) string {
	for _, l := range libraryErrors {
		if l.language != f.Language || !slices.ContainsFunc(l.modules, func(module string) bool { return importsModule(f, module) }) {
			continue
		}
		if status := cmp.Or(l.errors[name], m.derivedStatus(name, l.errors)); status != "" {
			return status
		}
	}
	return ""
}

// importsModule reports whether a file imports a module or a part of it.
func importsModule(f *code.File, module string) bool {
	return slices.ContainsFunc(f.Imports, func(i code.Import) bool {
		return i.Module == module || strings.HasPrefix(i.Module, module+".") || strings.HasPrefix(i.Module, module+"/")
	})
}

// derivedStatus returns the status of an error class of the module that is derived from one of a library: its exit_code, or else
// that of the base; "" for others.
func (m *Module) derivedStatus(name string, known map[string]string) string {
	for _, s := range m.namedSymbols(name) {
		for _, base := range s.Bases {
			status := known[lastName(base)]
			if status == "" {
				continue
			}
			for i := range s.Members {
				if p := &s.Members[i]; p.Name == "exit_code" && p.Value != "" {
					return p.Value
				}
			}
			return status
		}
	}
	return ""
}

// resultStatuses finds the statuses that functions of Rust return to the process: an ExitCode, or an error of main.
func (m *Module) resultStatuses(found func(Claim)) {
	for _, f := range m.Files {
		if f.Language != "rust" || f.Whole == nil {
			continue
		}
		for i := range f.Symbols {
			s := &f.Symbols[i]
			for j := range f.Whole.Functions {
				body := &f.Whole.Functions[j]
				switch {
				case body.In != s.Name || body.Line != s.StartLine && body.Use.Kind != "":
				case strings.Contains(s.Returns, "ExitCode"):
					m.exitCodes(f, body, found)
				case s.Name == "main" && strings.Contains(s.Returns, "Result"):
					found(Claim{Subject: "main", Name: "1", Text: "Error: …", Role: MainFails, At: []Place{{f.Path, cmp.Or(s.NameLine, s.StartLine), "main"}}})
				}
			}
		}
	}
}

// exitCodes finds the codes that a function of Rust ends with.
func (m *Module) exitCodes(f *code.File, body *code.Body, found func(Claim)) {
	for _, p := range m.reader.Statements(f.Whole.Functions, body, func(s *code.Stmt) bool { return exitCode(s) != "" }) {
		found(Claim{
			Subject: body.In, Name: exitCode(p.Stmt), Text: printedBefore(f, body, p.Stmt.Line),
			When: []Condition{{All: p.When, Partial: p.Partial}}, At: []Place{{f.Path, p.Stmt.Line, ""}},
		})
	}
}

// exitCode returns the code that a statement gives to the process; "" for others.
func exitCode(s *code.Stmt) string {
	v := s.Value
	if v == nil || s.Op != code.StmtReturn && s.Op != code.StmtCall {
		return ""
	}
	switch name := dotted(v.Text); {
	case v.Kind == code.ValueCall && strings.HasSuffix(name, "ExitCode.from") && v.Arg(0) != nil && v.Arg(0).Kind == code.ValueNumber:
		return v.Arg(0).Text
	case v.Kind == code.ValueName && strings.HasSuffix(name, "ExitCode.FAILURE"):
		return "1"
	case v.Kind == code.ValueName && strings.HasSuffix(name, "ExitCode.SUCCESS"):
		return "0"
	}
	return ""
}

// errorStatuses finds the status with which programs of cobra and urfave/cli end whose commands return an error, or that refuse
// a command line: it is that of the function that runs the program.
func (m *Module) errorStatuses(list []Claim, found func(Claim)) {
	for _, c := range m.programs {
		if c.Parent != nil || m.language[c.At.File] != "go" {
			continue
		}
		for i := range list {
			s := &list[i]
			if m.language[s.At[0].File] != "go" || s.Name == "0" || !slices.ContainsFunc(s.When, runsProgram) {
				continue
			}
			found(Claim{Subject: c.In, Of: c.Path, Name: s.Name, Role: BadUsage, At: []Place{programPlace(c.At), s.At[0]}})
			found(Claim{Subject: c.In, Of: c.Path, Name: s.Name, Role: CommandFails, At: []Place{programPlace(c.At), s.At[0]}})
			break
		}
	}
}

// runsProgram reports whether a condition says that running a program failed.
func runsProgram(c Condition) bool {
	return slices.ContainsFunc(c.All, func(t paths.Term) bool {
		text := t.String()
		return strings.Contains(text, ".Execute(") || strings.Contains(text, ".ExecuteContext(") || strings.Contains(text, ".ExecuteC(") || strings.Contains(text, "app.Run(")
	})
}

// commandsOf returns the path of the command that alone reaches a function, by file and name.
func (m *Module) commandsOf() map[[2]string]string {
	if m.commanded != nil {
		return m.commanded
	}
	m.commanded = map[[2]string]string{}
	several := map[[2]string]bool{}
	for _, c := range m.programs {
		for _, n := range m.reachedFrom(c.At.File, c.In, c.At.Line) {
			key := [2]string{n.File, n.Path()}
			if before, known := m.commanded[key]; known && before != c.Path {
				several[key] = true
			}
			m.commanded[key] = c.Path
		}
	}
	for key := range several {
		delete(m.commanded, key)
	}
	return m.commanded
}

// reachedFrom returns the functions of the module that a symbol calls, directly or through others, with itself.
func (m *Module) reachedFrom(file, symbol string, line int) []*resolve.Node {
	first := m.function(file, symbol, line)
	if first == nil || symbol == "" {
		return nil
	}
	out := []*resolve.Node{first}
	for i := 0; i < len(out); i++ {
		for _, u := range m.links.Uses(out[i]) {
			if u.To != nil && m.files[u.To.File] && !u.To.IsType() {
				if n := u.To.Outer(); !slices.Contains(out, n) {
					out = append(out, n)
				}
			}
		}
	}
	return out
}
