package lang_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// opinion describes how a language's definitions are compared with those that another program
// finds in the same files.
type opinion struct {
	language string
	grammar  *syntax.Grammar
	kinds    []string // the ctags kinds to compare
	options  []string // options for ctags
	// list returns the other program's definitions; nil for universal-ctags.
	list func(t *testing.T, b body) []definition
	// rename returns the name by which a definition is compared; nil for itself.
	rename func(d definition) string
	// reasons explain differences; the first that applies is reported.
	reasons []reason
}

// reason is an explanation of a difference and its condition.
type reason struct {
	text  string
	holds func(d difference) bool
}

// definition is a type or a function that a program found.
type definition struct {
	file string
	line int
	kind string // in the program's terms
	name string // qualified, parts separated by "."
	call bool   // a function or method
}

// difference is a definition that only one of the two programs found.
type difference struct {
	definition
	ours bool       // found by us, not by the other program
	twin string     // the kind of the other program's definition with this name on this line; "" for none
	read *code.File // the file as we read it
	src  []byte
}

// row returns a line of the file (1-based); "" if out of range.
func (d difference) row(line int) string {
	rows := bytes.Split(d.src, []byte("\n"))
	if line < 1 || line > len(rows) {
		return ""
	}
	return string(rows[line-1])
}

// last returns the part of the name after the last ".".
func (d definition) last() string { return d.name[strings.LastIndexByte(d.name, '.')+1:] }

// opinions returns the table of languages to compare.
func opinions() []opinion {
	return []opinion{
		cOpinion(), cppOpinion(), csharpOpinion(), goOpinion(), javaOpinion(), javascriptOpinion(), kotlinOpinion(),
		phpOpinion(), pythonOpinion(), rubyOpinion(), rustOpinion(), scalaOpinion(), swiftOpinion(),
		typescriptOpinion(),
	}
}

// maxUnexplained is the maximum share of differences without a reason.
const maxUnexplained = 0.01

// TestSymbolsNextToCtags compares the types and functions found in public code with those that
// universal-ctags finds, or another program for languages that it does not read. Every
// difference is written to a report with its reason.
func TestSymbolsNextToCtags(t *testing.T) {
	for _, o := range opinions() {
		t.Run(o.language, func(t *testing.T) {
			for _, b := range publicCode(t, o.language) {
				t.Run(b.name, func(t *testing.T) { o.compare(t, b) })
			}
		})
	}
}

func (o opinion) compare(t *testing.T, b body) {
	var theirs []definition
	if o.list != nil {
		theirs = o.list(t, b)
	} else {
		theirs = o.ctags(t, b)
	}
	files := map[string]difference{}
	var ours []definition
	broken, bare := 0, 0
	for _, f := range b.files {
		read := parsed(f.path, f.src)
		if read == nil {
			t.Errorf("%s cannot be read at all", f.path)
			continue
		}
		files[f.path] = difference{read: read, src: f.src}
		ours = appendDefinitions(ours, f.path, "", read.Symbols)
		if len(read.ParseErrors) > 0 {
			broken++
		}
		if o.grammar == nil {
			continue
		}
		if tree, err := o.grammar.Parse(f.src); err != nil || tree.Root().HasError() {
			bare++
		}
		files[f.path] = difference{read: read, src: f.src}
		ours = appendDefinitions(ours, f.path, "", read.Symbols)
	}
	for i, d := range theirs { // our names do not include the file's own package
		if f := files[d.file]; f.read != nil {
			theirs[i].name = strings.TrimPrefix(d.name, dotted(f.read.Package)+".")
		}
	}
	both, all := o.pair(ours, theirs, files)
	t.Logf("%s: %d files, %.1f MB; with parse errors: %d by the grammar alone, %d as read (%.1f %%)",
		b.name, len(b.files), float64(b.bytes())/1e6, bare, broken, 100*float64(broken)/float64(len(b.files)))
	o.report(t, b, both, all)
}

// appendDefinitions adds the types and functions among symbols.
func appendDefinitions(out []definition, file, owner string, list []code.Symbol) []definition {
	for _, s := range list {
		name := strings.TrimPrefix(owner+"."+dotted(s.Name), ".")
		d := definition{file: file, line: s.StartLine, kind: string(s.Kind), name: name}
		switch s.Kind {
		case code.Function, code.Method, code.Constructor:
			d.call = true
			out = append(out, d)
		case code.Class, code.Interface, code.Struct, code.Enum, code.Trait, code.Union, code.Object, code.Module, code.Extension:
			out = append(out, d)
		default:
		}
		out = appendDefinitions(out, file, name, s.Members)
	}
	return out
}

// dotted returns a qualified name with dots as separators.
func dotted(name string) string { return strings.NewReplacer("::", ".", `\`, ".").Replace(name) }

// pair returns the number of definitions that both programs found, and the differences.
// Overloads, and parts of one entity in one file, count once.
func (o opinion) pair(ours, theirs []definition, files map[string]difference) (both int, all []difference) {
	type key struct {
		file, name string
		call       bool
	}
	index := func(list []definition) map[key]definition {
		out := map[key]definition{}
		for _, d := range list {
			if o.rename != nil {
				d.name = o.rename(d)
			}
			k := key{d.file, d.name, d.call}
			if _, ok := out[k]; !ok && d.name != "" {
				out[k] = d
			}
		}
		return out
	}
	left, right := index(ours), index(theirs)
	twins := map[string]string{}
	place := func(d definition, ours bool) string { return fmt.Sprint(ours, d.file, d.line, d.last()) }
	for _, d := range ours {
		twins[place(d, true)] = d.name
	}
	for _, d := range theirs {
		twins[place(d, false)] = d.name
	}
	side := func(list, other map[key]definition, ours bool) {
		for k, d := range list {
			if _, ok := other[k]; !ok {
				f := files[d.file]
				all = append(all, difference{definition: d, ours: ours, read: f.read, src: f.src})
			}
		}
	}
	side(left, right, true)
	side(right, left, false)
	both = len(left)
	for i, d := range all {
		all[i].twin = twins[place(d.definition, !d.ours)]
		if d.ours {
			both--
		}
	}
	slices.SortFunc(all, func(a, b difference) int {
		return cmp.Or(strings.Compare(a.file, b.file), a.line-b.line, strings.Compare(a.name, b.name))
	})
	return both, all
}

// report writes every difference and its reason to reports/ beside the public code. It fails
// if too many have no reason.
func (o opinion) report(t *testing.T, b body, both int, all []difference) {
	t.Helper()
	counts := map[string]int{}
	var rows strings.Builder
	unexplained := 0
	for _, d := range all {
		text := o.explain(d)
		side := "theirs"
		if d.ours {
			side = "ours"
		}
		counts[side+": "+text]++
		if text == "" {
			unexplained++
		}
		fmt.Fprintf(&rows, "%s\t%s:%d\t%s\t%s\t%s\t%s\n", side, d.file, d.line, d.kind, d.name, cmp.Or(text, "UNEXPLAINED"), strings.TrimSpace(d.row(d.line)))
	}
	dir := filepath.Join(os.Getenv(corporaVariable), "reports")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, o.language+"-"+b.name+".tsv")
	if err := os.WriteFile(file, []byte(rows.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	share := float64(unexplained) / float64(max(both+len(all), 1))
	t.Logf("%s: definitions: %d found by both, %d by one; unexplained %d (%.2f %%)", b.name, both, len(all), unexplained, 100*share)
	for text, n := range sorted(counts) {
		t.Logf("  %6d %s", n, text)
	}
	if share >= maxUnexplained {
		t.Errorf("%.2f %% of the definitions differ without a reason, see %s", 100*share, file)
	}
}

// explain returns the reason for a difference; "" for none.
func (o opinion) explain(d difference) string {
	if d.read == nil {
		return "no file of ours"
	}
	for _, r := range o.reasons {
		if r.holds(d) {
			return r.text
		}
	}
	return ""
}

// tag is a line of universal-ctags' JSON output.
type tag struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Line  int    `json:"line"`
	Kind  string `json:"kind"`
	Scope string `json:"scope"`
}

// callKinds are the ctags kinds of functions.
var callKinds = []string{"func", "function", "generator", "member", "method", "methodSpec", "singletonMethod", "prototype"}

// writeFiles writes files into a folder. It returns the folder and the file names, one per line.
// It skips the test if universal-ctags is not installed.
func writeFiles(tb testing.TB, files []text) (dir, names string) {
	tb.Helper()
	if _, err := exec.LookPath("ctags"); err != nil {
		tb.Skip("universal-ctags is not installed")
	}
	dir = tb.TempDir()
	var list strings.Builder
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, f.src, 0o600); err != nil {
			tb.Fatal(err)
		}
		list.WriteString(f.path + "\n")
	}
	return dir, list.String()
}

// ctagsCommand returns a command that runs universal-ctags on the files of a folder.
func (o opinion) ctagsCommand(dir, names string, options ...string) *exec.Cmd {
	known := map[string]string{"csharp": "C#", "cpp": "C++", "c": "C", "php": "PHP", "javascript": "JavaScript", "typescript": "TypeScript"}
	language := cmp.Or(known[o.language], strings.ToUpper(o.language[:1])+o.language[1:])
	cmd := exec.Command("ctags", slices.Concat([]string{"--language-force=" + language, "-L", "-"}, options, o.options)...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(names)
	return cmd
}

// ctags returns the definitions that universal-ctags finds.
func (o opinion) ctags(t *testing.T, b body) []definition {
	t.Helper()
	dir, names := writeFiles(t, b.files)
	out, err := o.ctagsCommand(dir, names, "--output-format=json", "--fields=+nKs", "-f", "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []definition
	for row := range bytes.Lines(out) {
		var x tag
		if err := json.Unmarshal(row, &x); err != nil {
			continue // a name that is not UTF-8
		}
		if slices.Contains(o.kinds, x.Kind) {
			list = append(list, definition{
				file: x.Path, line: x.Line, kind: x.Kind, call: slices.Contains(callKinds, x.Kind),
				name: strings.TrimPrefix(dotted(x.Scope)+"."+dotted(x.Name), "."),
			})
		}
	}
	return list
}

// sorted yields the counted texts, the most frequent first.
func sorted(counts map[string]int) func(yield func(string, int) bool) {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	return func(yield func(string, int) bool) {
		for _, k := range keys {
			if !yield(k, counts[k]) {
				return
			}
		}
	}
}
