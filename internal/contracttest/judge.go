package contracttest

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/heirs"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Ran is a test of the code that a contract test runs, and what became of it.
type Ran struct {
	File    string   `json:"file"`
	Name    string   `json:"name"`
	Outcome Outcome  `json:"outcome"` // [Gone] if the report of the tool does not have it
	Reason  string   `json:"reason,omitempty"`
	Line    int      `json:"line,omitempty"` // of File, where it failed, if the tool says that
	Covers  []string `json:"covers,omitempty"`
}

// ended is the end of a script.
type ended struct {
	err     error // as from [sandbox.script]
	output  string
	reports [][]byte
}

// judge records what the end of a script says about the tests that it ran. The tools of its runs are the same.
func (b *sandbox) judge(ctx context.Context, t *Test, e ended) {
	results := runner.Read(t.runs[0].Tool, t.runs[0].Home, e.reports...)
	if results == nil {
		results = &runner.Results{}
	}
	inherited := b.heirsOf(ctx, t.runs, results)
	for _, file := range t.runs {
		for _, test := range file.Tests {
			t.Ran = append(t.Ran, ranOf(inherited.Results(results, file.File, test.Name), file.File, test.Name, test.Covers))
		}
	}
	if e.err == nil && len(results.List) > 0 {
		b.leftOut(ctx, t)
	}
	count, others := t.counts(), t.othersFailed(results, inherited)
	switch {
	case count[Failed] > 0:
		b.failed(ctx, t)
		t.show(results)
	case killed(e.err):
		t.block(ctx, message.New("the tool was killed: %v", e.err))
	case count[Gone] > 0 && len(results.List) == 0:
		b.silent(ctx, t, e, results.Broken)
	case count[Gone] > 0:
		b.missing(ctx, t, results.Broken)
	case len(others) > 0 && e.err != nil:
		t.others = true
		t.Outcome = Failed
		t.Reason = message.Sprintf(ctx, "%d tests that run with them failed; %s: %s", len(others), others[0].Name, firstComplaint(others[0].Text))
		t.show(results)
	case count[Passed] == 0:
		t.block(ctx, message.New("every test was skipped: %s", firstReason(t.Ran)))
	default:
		t.Outcome, t.Output = Passed, ""
	}
}

// leftOut records of the tests that the report of a tool which succeeded does not have, and that are still in their files, that the tool
// did not run them: its settings select others, such as those without a mark.
func (b *sandbox) leftOut(ctx context.Context, t *Test) {
	here := map[string][]code.Test{}
	for i := range t.Ran {
		r := &t.Ran[i]
		if r.Outcome != Gone {
			continue
		}
		list, read := here[r.File]
		if !read {
			list = b.testsIn(ctx, r.File)
			here[r.File] = list
		}
		if slices.ContainsFunc(list, func(x code.Test) bool { return x.Name == r.Name }) {
			r.Outcome, r.Reason = Omitted, message.Sprintf(ctx, "it is in its file, and the tool did not run it")
		}
	}
}

// testsIn returns the tests that a file of the project has now; none if it cannot be read.
func (b *sandbox) testsIn(ctx context.Context, file string) []code.Test {
	text, err := openfile.Read(filepath.Join(b.root, filepath.FromSlash(file)), mostBytes)
	if err != nil {
		return nil
	}
	f, err := lang.Parse(ctx, file, text, 0)
	if err != nil {
		return nil
	}
	return f.Tests
}

// heirsOf reads the classes in the files of a contract test; none if the report has each test under its own name.
func (b *sandbox) heirsOf(ctx context.Context, runs []spec.RecordedTests, results *runner.Results) heirs.Heirs {
	var files []string
	lacks := false
	for _, r := range runs {
		files = append(files, r.File)
		for _, test := range r.Tests {
			lacks = lacks || len(results.Of(r.File, test.Name)) == 0
		}
	}
	if !lacks {
		return nil
	}
	return heirs.Of(ctx, runs[0].Tool, files, func(file string) ([]byte, error) {
		return openfile.Read(filepath.Join(b.root, filepath.FromSlash(file)), mostBytes)
	})
}

// othersFailed returns the failures of tests that the lock of the spec does not know, such as those that a macro makes.
func (t *Test) othersFailed(results *runner.Results, inherited heirs.Heirs) []runner.Result {
	known := map[runner.Result]bool{}
	for _, file := range t.runs {
		for _, test := range file.Tests {
			for _, r := range inherited.Results(results, file.File, test.Name) {
				known[r] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(results.List), func(r runner.Result) bool { return r.Status != runner.Failed || known[r] })
}

// show replaces the output by that of the tests that failed, if the report of the tool has it.
func (t *Test) show(results *runner.Results) {
	var out capture
	for _, r := range results.List {
		if text := strings.TrimSpace(r.Text); r.Status == runner.Failed && text != "" {
			_, _ = out.Write([]byte(r.Name + "\n" + text + "\n"))
		}
	}
	if out.total > 0 {
		t.Output = out.text(message.English)
	}
}

// ranOf returns what became of a test with some results.
func ranOf(list []runner.Result, file, name string, covers []string) Ran {
	r := Ran{File: file, Name: name, Covers: covers, Outcome: Gone}
	switch runner.Sum(list) {
	case runner.Passed:
		r.Outcome = Passed
	case runner.Skipped:
		r.Outcome, r.Reason = Omitted, firstText(list)
	case runner.Failed:
		r.Outcome = Failed
		list = slices.DeleteFunc(list, func(x runner.Result) bool { return x.Status != runner.Failed })
		r.Reason = firstText(list)
		for _, failed := range list {
			r.Line = cmp.Or(r.Line, lineIn(failed.Text, file))
		}
	}
	return r
}

// lineIn returns the first line of a file that the output of a test names: "a_test.go:12", "(ATest.java:12)", or as Python does.
func lineIn(text, file string) int {
	name := regexp.QuoteMeta(path.Base(file))
	m := regexp.MustCompile(`(?:^|[^\w.-])` + name + `(?::|", line )(\d+)`).FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	line, _ := strconv.Atoi(m[1]) // 0 for more digits than a number has
	return line
}

// firstText returns the line that matters most in what was printed.
func firstText(list []runner.Result) string {
	for _, r := range list {
		if line := firstComplaint(r.Text); line != "" {
			return line
		}
	}
	return ""
}

// firstComplaint returns the first line of a test's own output that says something.
func firstComplaint(text string) string {
	for line := range strings.SplitSeq(printable(text), "\n") {
		if line = strings.TrimSpace(line); line != "" && !noise.MatchString(line) {
			return clip(line)
		}
	}
	return ""
}

// counts returns the number of tests of the code by outcome.
func (t *Test) counts() map[Outcome]int {
	out := map[Outcome]int{}
	for _, r := range t.Ran {
		out[r.Outcome]++
	}
	return out
}

func firstReason(list []Ran) string {
	for _, r := range list {
		if r.Reason != "" {
			return r.Reason
		}
	}
	return ""
}

// failed records failures of tests, unless none passed and something outside the code prevents each.
func (b *sandbox) failed(ctx context.Context, t *Test) {
	count := t.counts()
	if count[Passed] == 0 {
		if line := b.preventsAll(t); line != "" {
			t.block(ctx, message.New("%s", line))
			return
		}
	}
	t.Outcome = Failed
	i := slices.IndexFunc(t.Ran, func(r Ran) bool { return r.Outcome == Failed })
	first := t.Ran[i]
	t.Reason = message.Sprintf(ctx, "%d of %d tests failed; %s: %s", count[Failed], len(t.Ran), first.Name, first.Reason)
}

// preventsAll returns what prevents all tests that failed; "" if something else fails too.
func (b *sandbox) preventsAll(t *Test) string {
	line := ""
	for _, r := range t.Ran {
		if r.Outcome != Failed {
			continue
		}
		if line = obstacle(r.Reason, b.owns(t)); line == "" {
			return ""
		}
	}
	return line
}

// missing records tests that the report of the tool does not have, though it has others.
func (b *sandbox) missing(ctx context.Context, t *Test, broken []string) {
	if text := strings.Join(broken, "\n"); text != "" {
		if line := obstacle(text, b.owns(t)); line != "" {
			t.block(ctx, message.New("%s", line))
			return
		}
		t.Outcome, t.Reason, t.Output = Failed, lastLine(printable(text)), printable(text)
		t.unbuilt()
		return
	}
	t.gone(ctx)
}

// unbuilt says of the tests that the report does not have that they could not be built or loaded.
func (t *Test) unbuilt() {
	for i := range t.Ran {
		if t.Ran[i].Outcome == Gone {
			t.Ran[i].Outcome = Unbuilt
		}
	}
}

// gone records that tests are no longer there.
func (t *Test) gone(ctx context.Context) {
	i := slices.IndexFunc(t.Ran, func(r Ran) bool { return r.Outcome == Gone })
	first := t.Ran[i]
	t.Outcome = Failed
	t.Output = ""
	t.Reason = message.Sprintf(ctx, "%d of %d tests are gone: %s (%s)", t.counts()[Gone], len(t.Ran), first.Name, first.File)
}

// silent judges a tool that reported no test at all.
func (b *sandbox) silent(ctx context.Context, t *Test, e ended, broken []string) {
	text := e.output
	if len(broken) > 0 {
		text = printable(strings.Join(broken, "\n"))
	}
	if e.err == nil || !b.hasFiles(t) {
		for i := range t.Ran { // without one of its files, the tool may refuse to run the others
			if e.err != nil && b.has(t.Ran[i].File) {
				t.Ran[i].Outcome = Unbuilt
			}
		}
		t.gone(ctx)
		return
	}
	if line, fails := b.probe(ctx, t); fails {
		t.block(ctx, message.New("%s", line))
		return
	}
	if line := obstacle(text, b.owns(t)); line != "" {
		t.block(ctx, message.New("%s", clip(line)))
		return
	}
	t.Outcome, t.Output = Failed, text
	t.unbuilt()
	status := exitText(e.err)
	if line := lastLine(text); line != "" {
		t.Reason = message.Sprintf(ctx, "%v: %s", status, line)
	} else {
		t.Reason = message.Sprintf(ctx, "%v, and the tool printed nothing", status)
	}
}

// hasFiles reports whether the project has the files of all tests.
func (b *sandbox) hasFiles(t *Test) bool {
	return !slices.ContainsFunc(t.runs, func(r spec.RecordedTests) bool { return !b.has(r.File) })
}

// has reports whether the project has a file or folder.
func (b *sandbox) has(name string) bool {
	_, err := os.Stat(filepath.Join(b.root, filepath.FromSlash(name)))
	return err == nil
}

// owns returns a function that reports whether the folder of a test's tool, or the project's root, has a file or folder.
func (b *sandbox) owns(t *Test) func(name string) bool {
	home := ""
	if len(t.runs) > 0 {
		home = t.runs[0].Home
	}
	return func(name string) bool { return b.has(filepath.Join(home, name)) || b.has(name) }
}

// probe starts the tool with a harmless argument. If that fails it returns the line that says why.
func (b *sandbox) probe(ctx context.Context, t *Test) (line string, fails bool) {
	var files []string
	for _, r := range t.runs {
		files = append(files, r.File)
	}
	command := runner.Probe(t.runs[0].Tool, t.runs[0].Home, files, b.has)
	if command == "" {
		return "", false
	}
	out, err := b.script(ctx, b.nextName(), command)
	if err == nil {
		return "", false
	}
	text := out.text(message.English)
	if line := cmp.Or(clip(obstacle(text, b.owns(t))), lastLine(text)); line != "" {
		return line, true
	}
	return message.Sprintf(ctx, "%v, and the tool printed nothing", exitText(err)), true
}

// killed reports whether a script ended by a signal, or says that what it ran did.
func killed(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	const bySignal = 128
	code := exit.ExitCode()
	return code < 0 || code == bySignal+int(syscall.SIGKILL) || code == bySignal+int(syscall.SIGTERM)
}

// exitText says how a script ended.
func exitText(err error) message.Text {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() >= 0 {
		return message.New("exit status %d", exit.ExitCode())
	}
	return message.New("%v", err)
}

// block records that a test could not be run, for a reason outside the code.
func (t *Test) block(ctx context.Context, why message.Text) {
	t.Outcome, t.Reason = Blocked, why.In(message.From(ctx))
	for i := range t.Ran {
		t.Ran[i].Outcome = Blocked
	}
}

// reportsOf returns the reports of a run: the file that the script was told to write, or those that the tool writes by
// itself, or what it printed.
func (b *sandbox) reportsOf(t *Test, file string, printed []byte, start time.Time) [][]byte {
	if text, err := openfile.Read(file, mostBytes); err == nil && len(text) > 0 {
		return [][]byte{text}
	}
	if dir := t.runs[0].Reports; dir != "" {
		return b.written(dir, start)
	}
	return [][]byte{printed}
}

// written returns the reports in a folder since a time; all, if the tool found that its last ones still hold.
func (b *sandbox) written(dir string, start time.Time) [][]byte {
	files, _ := filepath.Glob(filepath.Join(b.root, filepath.FromSlash(dir), "*.xml"))
	var fresh, old [][]byte
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			continue
		}
		text, err := openfile.Read(file, mostBytes)
		switch {
		case err != nil:
		case info.ModTime().Before(start.Truncate(time.Second)):
			old = append(old, text)
		default:
			fresh = append(fresh, text)
		}
	}
	if len(fresh) == 0 && strings.Contains(dir, "build/test-results") {
		return old
	}
	return fresh
}
