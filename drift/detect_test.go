package drift_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
	"github.com/reverse-spec/reverse-spec/spec"
)

const (
	oldAuth = `/** Logs in. */
export function login(name: string, password: string): boolean {
  return password.length > 8;
}
export function logout(): void {}
export const MAX_TRIES = 8;
`
	newAuth = `/** Logs a user in. */
export function login(name: string, password: string, otp: string): boolean {
  return password.length > 8;
}
export const MAX_TRIES = 12;
export function refresh(token: string): string { return token; }
`
)

func at() time.Time { return time.Date(2026, 2, 14, 9, 30, 0, 0, time.UTC) }

// openProject returns a temporary project with these files.
func openProject(t *testing.T, files map[string]string) (*project.Project, string) {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, files)
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, dir
}

func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// written generates the spec of src/auth in a project with the old code.
func written(t *testing.T) (p *project.Project, dir, specPath string) {
	t.Helper()
	p, dir = openProject(t, map[string]string{"src/auth/login.ts": oldAuth})
	res, err := spec.Generate(t.Context(), p, "src/auth", spec.GenerateOptions{Now: at})
	if err != nil {
		t.Fatal(err)
	}
	return p, dir, res.SpecPath
}

func detect(t *testing.T, p *project.Project, opts drift.Options) *drift.Report {
	t.Helper()
	opts.Now = at
	r, err := drift.Detect(t.Context(), p, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCodeThatDidNotChangeHasNoDrift also shows that the source defaults to the spec's target.
func TestCodeThatDidNotChangeHasNoDrift(t *testing.T) {
	p, _, file := written(t)
	r := detect(t, p, drift.Options{Spec: file, NoReport: true})
	want := &drift.Report{
		SpecPath: file, SourcePath: "src/auth", GeneratedAt: "2026-02-14T09:30:00Z", SpecVersion: "v1",
		Items: []drift.Item{}, NoiseByKind: map[string]int{}, Warnings: []string{},
		Recommendation: "no drift: the spec and the code agree", Lang: message.English,
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(filepath.Join(p.Root(), drift.DefaultDir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a report was written: %v", err)
	}
}

func TestReportSaysWhatChanged(t *testing.T) {
	for folder, lang := range map[string]message.Lang{"report": message.English, "report-zh": message.Chinese} {
		t.Run(folder, func(t *testing.T) { reportSaysWhatChanged(t, folder, lang) })
	}
}

// reportSaysWhatChanged compares each form of a report in a language with the golden files of
// a folder.
func reportSaysWhatChanged(t *testing.T, folder string, lang message.Lang) {
	p, dir, file := written(t)
	put(t, dir, map[string]string{"src/auth/login.ts": newAuth})
	ctx := message.With(t.Context(), message.Choice{Lang: lang})
	r, err := drift.Detect(ctx, p, drift.Options{Spec: filepath.Join(dir, file), Source: "src/auth", Now: at})
	if err != nil {
		t.Fatal(err)
	}
	var plain, colored bytes.Buffer
	if err := errors.Join(r.Text(&plain, false), r.Text(&colored, true)); err != nil {
		t.Fatal(err)
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, folder+"/report.txt", plain.String())
	golden.Equal(t, folder+"/report.color.txt", strings.ReplaceAll(colored.String(), "\x1b", "^"))
	golden.Equal(t, folder+"/report.json", string(data)+"\n")
	onDisk, err := os.ReadFile(filepath.Join(dir, r.OutputPath))
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, folder+"/report.md", string(onDisk))
	if r.OutputPath != "drift-logs/src-auth-drift-2026-02-14.md" {
		t.Errorf("report in %s", r.OutputPath)
	}
}

func TestLevelsDecideWhatFails(t *testing.T) {
	low := &drift.Report{Summary: drift.Summary{TotalChanges: 1, Low: 1}}
	medium := &drift.Report{Summary: drift.Summary{TotalChanges: 2, Medium: 1, Low: 1, Breaking: 1}}
	high := &drift.Report{Summary: drift.Summary{TotalChanges: 1, High: 1, Breaking: 1}}
	none := &drift.Report{}
	for _, c := range []struct {
		level  string
		report *drift.Report
		want   bool
	}{
		{"high", high, true},
		{"high", medium, false},
		{"medium", medium, true},
		{"", medium, true},
		{"medium", low, false},
		{"low", low, true},
		{"low", none, false},
		{"breaking", medium, true},
		{"breaking", low, false},
	} {
		if got, err := c.report.Fails(c.level); err != nil || got != c.want {
			t.Errorf("level %q: %v %v, want %v", c.level, got, err, c.want)
		}
	}
	if _, err := low.Fails("fatal"); err == nil {
		t.Error("an unknown level is accepted")
	}
}

// TestBaselineCanBeARevision compares with a git revision, without a spec.
func TestBaselineCanBeARevision(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	p, dir := openProject(t, map[string]string{"src/auth/login.ts": oldAuth})
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "one")
	put(t, dir, map[string]string{"src/auth/login.ts": newAuth})
	r := detect(t, p, drift.Options{Base: "HEAD", Source: "src/auth", NoReport: true})
	if r.SpecPath != "git:HEAD" || len(r.SpecVersion) != 40 {
		t.Errorf("baseline %s %s", r.SpecPath, r.SpecVersion)
	}
	if got, want := r.Summary, (drift.Summary{TotalChanges: 4, High: 1, Medium: 2, Low: 1, Breaking: 3, Additions: 1, Removals: 1, Modifications: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	_, err := drift.Detect(t.Context(), p, drift.Options{Base: "nowhere", Source: "src/auth"})
	if revision := (*project.RevisionError)(nil); !errors.As(err, &revision) {
		t.Errorf("unknown revision: %v", err)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// TestSpecWithoutBaselineIsReadFromItsHeadings compares texts and marks the items as inferred.
func TestSpecWithoutBaselineIsReadFromItsHeadings(t *testing.T) {
	p, _ := openProject(t, map[string]string{"src/auth/login.ts": newAuth, "specs/auth.spec.md": "---\ntype: module-spec\nversion: v3\n" +
		"sourceTarget: src/auth\nlanguage: typescript\n---\n\n# src/auth\n\n## 2. 接口定义\n\n" +
		"### `function login(name: string, password: string): boolean`\n\ntext\n\n" +
		"### `function refresh(token:  string): string`\n\n### `function logout(): void`\n"})
	r := detect(t, p, drift.Options{Spec: "specs/auth.spec.md", NoReport: true})
	if got, want := lines(drift.Result{Items: r.Items, Noise: r.NoiseByKind}), ""+
		"src/auth:1 export-removed HIGH breaking logout\n"+
		"src/auth/login.ts:2 signature-changed MEDIUM breaking login\n"+
		"src/auth/login.ts:5 export-added LOW compatible MAX_TRIES\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if r.SpecVersion != "v3" || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "[unclear") {
		t.Errorf("version %s, warnings %q", r.SpecVersion, r.Warnings)
	}
	for _, i := range r.Items[:2] {
		if !strings.Contains(i.Description, "[inferred") {
			t.Errorf("%s does not say that it is inferred", i.Description)
		}
	}
}

// TestPartOfASpecIsComparedAlone compares one folder of a larger spec, and says so.
func TestPartOfASpecIsComparedAlone(t *testing.T) {
	p, _ := openProject(t, map[string]string{"src/auth/login.ts": oldAuth, "src/other.ts": "export const a = 1;\nexport { b } from \"x\";\n"})
	res, err := spec.Generate(t.Context(), p, "src", spec.GenerateOptions{Now: at, Scope: source.Everything})
	if err != nil {
		t.Fatal(err)
	}
	r := detect(t, p, drift.Options{Spec: res.SpecPath, Source: "src/auth", NoReport: true})
	if len(r.Items) != 0 || len(r.Warnings) != 1 {
		t.Errorf("items %v, warnings %q", r.Items, r.Warnings)
	}
}

func TestRemovedCodeIsAllRemoved(t *testing.T) {
	p, dir, file := written(t)
	if err := os.Remove(filepath.Join(dir, "src/auth/login.ts")); err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{"src/auth/README.md": "# gone\n"})
	r := detect(t, p, drift.Options{Spec: file, NoReport: true})
	if r.Summary.High != 3 || r.Summary.TotalChanges != 3 {
		t.Errorf("%+v", r.Summary)
	}
}

func TestBrokenCodeIsMarkedUnclear(t *testing.T) {
	p, dir, file := written(t)
	put(t, dir, map[string]string{"src/auth/login.ts": "export function login(name: string, {{{{\n"})
	r := detect(t, p, drift.Options{Spec: file, NoReport: true})
	if len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0], "[unclear") {
		t.Errorf("warnings %q", r.Warnings)
	}
	for _, i := range r.Items {
		if !strings.Contains(i.Description, "[unclear") {
			t.Errorf("certain about broken code: %s", i.Description)
		}
	}
}

func TestErrorsSayWhatIsMissing(t *testing.T) {
	p, _, file := written(t)
	missing := (*project.MissingError)(nil)
	outside := (*project.OutsideError)(nil)
	for name, c := range map[string]struct {
		opts drift.Options
		is   func(err error) bool
	}{
		"spec":    {drift.Options{Spec: "specs/none.spec.md"}, func(err error) bool { return errors.As(err, &missing) }},
		"source":  {drift.Options{Spec: file, Source: "src/none"}, func(err error) bool { return errors.As(err, &missing) }},
		"outside": {drift.Options{Spec: file, Source: "../x"}, func(err error) bool { return errors.As(err, &outside) }},
		"no spec": {drift.Options{Spec: "src/auth/login.ts"}, func(err error) bool { return errors.Is(err, spec.ErrNotSpec) }},
		"nothing": {drift.Options{}, func(err error) bool { return strings.Contains(err.Error(), "name a spec") }},
	} {
		_, err := drift.Detect(t.Context(), p, c.opts)
		if err == nil || !c.is(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := drift.Detect(ctx, p, drift.Options{Spec: file}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
