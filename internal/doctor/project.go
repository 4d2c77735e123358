package doctor

import (
	"errors"
	"maps"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// git looks for git, without which there are no revisions.
func (e *examination) git() {
	if _, err := exec.LookPath("git"); err != nil {
		e.add(aboutGit, Notable, installing("git"), message.New("git is not installed: install it, to list files as it does and to compare revisions"))
		return
	}
	e.add(aboutGit, Good, "", message.New("installed"))
}

// files counts the source files by language.
func (e *examination) files() {
	l, err := e.project.List(e.ctx, ".")
	if err != nil {
		e.add(aboutProject, Broken, "", message.New("%v", err))
		return
	}
	count := map[string]int{}
	for _, f := range l.Files {
		if language, ok := lang.ByPath(f.Path); ok {
			count[language.Name]++
		}
	}
	if len(count) == 0 {
		e.add(aboutProject, Broken, "reverse-spec --project <folder> doctor", message.New("%s has no source file in a language that is read here", e.project.Root()))
		return
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		names[i] = name + " " + strconv.Itoa(count[name])
	}
	e.add(aboutProject, Good, "", message.New("%s, source files: %s", e.project.Root(), strings.Join(names, ", ")))
}

// graph looks whether the code graph is that of the files.
func (e *examination) graph() {
	const build = "reverse-spec index"
	s, err := e.Store()
	if err != nil {
		e.add(aboutGraph, Broken, "", message.New("%v", err))
		return
	}
	switch st, err := explore.StatusOf(e.ctx, e.project, s); {
	case err != nil:
		e.add(aboutGraph, Broken, build+" --force", message.New("%v", err))
	case !st.Indexed:
		e.add(aboutGraph, Notable, build, message.New("not built yet; the first question builds it"))
	case st.Stale():
		e.add(aboutGraph, Notable, build, message.New("%d files changed since %s; the next question brings it up to date", st.Changed+st.Removed, st.BuiltAt.Local().Format(time.DateTime)))
	default:
		e.add(aboutGraph, Good, "", message.New("up to date: %s", message.Count(st.Files, "%d file", "%d files")))
	}
}

// server looks whether a process answers for commands.
func (e *examination) server() {
	if e.Server == nil {
		return
	}
	runs, says := e.Server(e.ctx)
	state := Absent
	if runs {
		state = Good
	}
	e.add(aboutServer, state, "", says)
}

// shared looks whether the shared store answers.
func (e *examination) shared() {
	if e.Shared == nil {
		return
	}
	n, configured, err := e.Shared(e.ctx)
	switch {
	case !configured:
	case err != nil:
		repair, hint := "", interface{ Hint() message.Text }(nil)
		if errors.As(err, &hint) {
			repair = e.text(hint.Hint())
		}
		e.add(aboutShared, Broken, repair, message.New("%v", err))
	default:
		e.add(aboutShared, Good, "", message.New("it answers: %s", message.Count(n, "%d project", "%d projects")))
	}
}

// specs counts the specs by health.
func (e *examination) specs() {
	paths, err := spec.Paths(e.ctx, e.project)
	switch {
	case err != nil:
		e.add(aboutSpecs, Broken, "", message.New("%v", err))
		return
	case len(paths) == 0:
		e.add(aboutSpecs, Notable, "reverse-spec batch", message.New("none yet"))
		return
	}
	r, err := contracttest.List(e.ctx, e.project, paths, contracttest.Options{})
	if err != nil {
		e.add(aboutSpecs, Broken, "", message.New("%v", err))
		return
	}
	health := map[string]int{}
	for _, s := range r.Specs {
		health[s.Health]++
	}
	said := message.New("%s: %d active, %d unverified, %d drifted, %d failing", message.Count(len(r.Specs), "%d spec", "%d specs"),
		health["active"], health["unverified"], health["drifted"], health["failing"])
	switch {
	case health["failing"] > 0:
		e.add(aboutSpecs, Notable, "reverse-spec verify --all", said)
	case health["drifted"] > 0:
		e.add(aboutSpecs, Notable, "reverse-spec diff", said)
	default:
		e.add(aboutSpecs, Good, "", said)
	}
}

// tools starts the tools that run the contract tests of the specs.
func (e *examination) tools() {
	paths, err := spec.Paths(e.ctx, e.project)
	if err != nil || len(paths) == 0 {
		return // said already
	}
	list, err := contracttest.Tools(e.ctx, e.project, paths)
	if err != nil {
		e.add(aboutTests, Broken, "", message.New("%v", err))
	}
	alike := map[[2]string]int{} // tools that lack the same, by how often
	for _, t := range list {
		alike[[2]string{t.Tool, t.Lacks}]++
	}
	for _, t := range list {
		name := t.Tool
		key := [2]string{t.Tool, t.Lacks}
		switch {
		case t.Lacks != "" && alike[key] == 0:
			continue // said of the first
		case t.Lacks != "" && alike[key] > 1:
			name = e.text(message.New("%s (%s and %d more)", name, t.Home, alike[key]-1))
			alike[key] = 0
		case t.Home != ".":
			name += " (" + t.Home + ")"
		}
		if t.Lacks != "" {
			e.add(aboutTests, Notable, repairOf(t, e.npm(t.Home)), message.New("%s cannot run: %s", name, t.Lacks))
			continue
		}
		e.add(aboutTests, Good, "", message.New("%s runs those of %s", name, message.Count(t.Specs, "%d spec", "%d specs")))
	}
}

// installs are the commands that bring what tools need which a project itself names.
var installs = map[string]string{
	"go test": "go mod download", "pytest": "python3 -m pip install pytest", "manage.py test": "python3 -m pip install django",
	"vitest": "npm install", "jest": "npm install", "mocha": "npm install", "ava": "npm install", "tape": "npm install",
	"cargo test": "cargo fetch", "cargo test --doc": "cargo fetch", "phpunit": "composer install", "pest": "composer install",
	"rspec": "bundle install", "minitest": "bundle install",
}

// npm returns the package manager of JavaScript by the lock file in a folder or the root.
func (e *examination) npm(home string) string {
	for _, dir := range []string{home, "."} {
		for _, m := range []struct{ lock, manager string }{
			{"package-lock.json", "npm"}, {"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"},
		} {
			if _, err := e.project.List(e.ctx, path.Join(dir, m.lock)); err == nil {
				return m.manager
			}
		}
	}
	return "npm"
}

// repairOf returns the command that brings what a tool lacks, or else the one that shows what is wrong; "" for a program that
// nothing here is known to install.
func repairOf(t contracttest.ToolState, npm string) string {
	command := installs[t.Tool]
	if rest, ok := strings.CutPrefix(command, "npm "); ok {
		command = npm + " " + rest
	}
	switch {
	case t.Absent != "" && !strings.Contains(t.Absent, "/"):
		return installing(t.Absent)
	case command == "":
		return t.Probe
	case t.Home != ".":
		return "cd " + t.Home + " && " + command
	}
	return command
}
