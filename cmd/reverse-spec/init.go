package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/internal/agents"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

type initFlags struct {
	targets  []string
	global   bool
	remove   bool
	dryRun   bool
	noSkills bool
	check    bool
}

func (a *app) initCommand() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Register with the coding agents on this machine",
		Long: `Init registers the MCP server and the skills with the coding agents on this machine, or
with those that --target names: for this project, or with --global for all of yours. It
changes the agent's own configuration file, in one step, and leaves every byte in it that
is not about reverse-spec. What is registered already stays as it is; --remove undoes it,
and --check says what is missing and writes nothing.

Where a plugin can be installed, that is better: it has commands and hooks, too.`,
		Example: `  reverse-spec init
  reverse-spec init --global --target codex,cursor
  reverse-spec init --check
  reverse-spec init --remove`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.initialize(f, !cmd.Flags().Changed("target")) },
	}
	cmd.Flags().StringSliceVar(&f.targets, "target", nil, "the `agents`: "+strings.Join(agents.Clients(), ", ")+" (default: those on this machine, else claude)")
	cmd.Flags().BoolVar(&f.global, "global", false, "for all projects of the user")
	cmd.Flags().BoolVar(&f.remove, "remove", false, "take it out again")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would be written, and write nothing")
	cmd.Flags().BoolVar(&f.check, "check", false, "say which agents are not registered, and write nothing; the exit status is then 1")
	cmd.Flags().BoolVar(&f.noSkills, "no-skills", false, "the server alone")
	return cmd
}

// initialize registers with agents, with those on this machine if none is named.
func (a *app) initialize(f initFlags, all bool) error {
	if all {
		found, err := a.agentsHere(f)
		if err != nil {
			return err
		}
		f.targets = found
	}
	missing := 0
	var done initResult
	for _, target := range f.targets {
		if f.check {
			state, err := a.isRegistered(target, f)
			if err != nil {
				return err
			}
			if !*state.Registered {
				missing++
			}
			done.Agents = append(done.Agents, state)
			continue
		}
		changes, err := a.register(target, f)
		if err != nil {
			return err
		}
		done.Agents = append(done.Agents, changes)
	}
	if a.json {
		return a.initDone(done, missing)
	}
	if !f.check && !f.remove && !f.dryRun && len(f.targets) > 0 {
		a.note(message.New("next: start the agent in this folder, or write the specs with reverse-spec batch; reverse-spec doctor tells what is missing"))
	}
	if missing > 0 {
		return notRegistered(missing, len(f.targets))
	}
	return nil
}

// initResult is what init prints as JSON.
type initResult struct {
	Agents []agentResult `json:"agents"`
}

// agentResult is what init did for an agent, or found with --check.
type agentResult struct {
	Agent      string       `json:"agent"`
	Registered *bool        `json:"registered,omitempty"` // with --check
	Changes    []fileResult `json:"changes,omitempty"`    // made; missing ones with --check
}

// fileResult is a change of a file: "write", "change", "remove", or "leave" and why.
type fileResult struct {
	File string `json:"file"`
	Does string `json:"does"`
	Why  string `json:"why,omitempty"`
}

// agentResult returns the changes of an agent's files.
func (a *app) agentResult(agent string, changes []agents.Change) agentResult {
	out := agentResult{Agent: agent}
	for _, c := range changes {
		does, why := "change", ""
		switch {
		case !c.Note.Empty():
			does, why = "leave", a.localize(c.Note)
		case c.After == nil:
			does = "remove"
		case c.Before == nil:
			does = "write"
		}
		out.Changes = append(out.Changes, fileResult{c.File, does, why})
	}
	return out
}

// initDone prints the result as JSON. What is missing is in it, so that it is no error in addition.
func (a *app) initDone(done initResult, missing int) error {
	if err := a.printJSON(done); err != nil {
		return err
	}
	if missing > 0 {
		return codedError{notRegistered(missing, len(done.Agents)), exitError}
	}
	return nil
}

// notRegistered is the error of --check.
func notRegistered(missing, all int) error {
	return message.Errorf("%d of %d agents are not registered: reverse-spec init", missing, all)
}

// agentsHere returns the agents on this machine that can be registered, or in which something is to be removed; Claude Code if there
// are none. Those that have something of ours are checked wherever they are installed: a team shares the files of a project.
func (a *app) agentsHere(f initFlags) ([]string, error) {
	var out []string
	for _, client := range agents.Clients() {
		o, err := a.setupOptions(client, f)
		if err != nil {
			return nil, err
		}
		switch {
		case (f.remove || f.check) && agents.HasOurs(o):
			out = append(out, client)
		case f.remove, !agents.Installed(o):
		case !f.global && !agents.ByProject(client):
			a.note(message.New("%s has no configuration for one project; for all of yours: reverse-spec init --global --target %s", client, client))
		default:
			out = append(out, client)
		}
	}
	if len(out) == 0 {
		if !f.remove {
			a.note(message.New("no coding agent was found on this machine: this is for Claude Code; --target names another"))
		}
		out = []string{"claude"}
	}
	return out, nil
}

// isRegistered says whether a client is registered.
func (a *app) isRegistered(target string, f initFlags) (agentResult, error) {
	o, err := a.setupOptions(target, f)
	if err != nil {
		return agentResult{}, err
	}
	changes, err := agents.Missing(o)
	if _, unknown := errors.AsType[*agents.UnknownClientError](err); unknown {
		return agentResult{}, usageError{err}
	}
	if err != nil {
		return agentResult{}, err
	}
	out := a.agentResult(target, changes)
	out.Registered = new(len(changes) == 0)
	if a.json {
		return out, nil
	}
	said := message.New("%s: registered", target)
	if len(changes) > 0 {
		said = message.New("%s: not registered, or not as this version would: %s", target, changes[0].File)
	}
	fmt.Fprintln(a.out, a.localize(said))
	return out, nil
}

// register registers the program with one client.
func (a *app) register(target string, f initFlags) (agentResult, error) {
	o, err := a.setupOptions(target, f)
	if err != nil {
		return agentResult{}, err
	}
	plan := agents.Add
	if f.remove {
		plan = agents.Remove
	}
	changes, err := plan(o)
	if _, unknown := errors.AsType[*agents.UnknownClientError](err); unknown {
		return agentResult{}, usageError{err}
	}
	if err != nil {
		return agentResult{}, err
	}
	if len(changes) == 0 {
		a.note(message.New("%s: nothing to change", target))
	}
	if _, onPath, err := ownCommand(f.global); err == nil && !onPath && !f.global && !f.remove && len(changes) > 0 {
		a.note(message.New("%s starts the server by its name, reverse-spec, which is not on PATH", target))
	}
	for _, c := range changes {
		if !f.dryRun {
			if err := c.Apply(); err != nil {
				return agentResult{}, err
			}
		}
		if !a.json {
			a.showChange(c, f.dryRun)
		}
	}
	return a.agentResult(target, changes), nil
}

func (a *app) setupOptions(target string, f initFlags) (o agents.Options, err error) {
	o = agents.Options{Client: target, Getenv: os.Getenv}
	if o.Home, err = os.UserHomeDir(); err != nil {
		return o, err
	}
	if !f.global {
		if o.Project, err = filepath.Abs(a.root()); err != nil {
			return o, err
		}
	}
	if !f.noSkills {
		if o.Skills, err = fs.Sub(reversespec.Plugin(), "skills"); err != nil {
			return o, err
		}
	}
	o.Command, _, err = ownCommand(f.global)
	return o, err
}

// ownCommand returns the command that starts this program: its name for a project's file, which a team shares; for the user's own
// configuration the path found by PATH, which updates keep, or else that of the program. OnPath says whether PATH leads to the
// program or to its launcher.
func ownCommand(global bool) (command string, onPath bool, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", false, err
	}
	const name = "reverse-spec"
	launcher := filepath.Join(filepath.Dir(self), "..", "..", "bin", name) // relative to native/<system>/reverse-spec
	found, err := exec.LookPath(name)
	onPath = err == nil && (sameFile(found, self) || sameFile(found, launcher))
	switch {
	case !global:
		return name, onPath, nil
	case !onPath:
		return self, false, nil
	}
	command, err = filepath.Abs(found)
	return command, true, err
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}

// showChange prints a change of a file, in a dry run with the changed lines.
func (a *app) showChange(c agents.Change, dry bool) {
	w, said := a.out, tense{message.New("changed %s", c.File), message.New("would change %s", c.File)}
	switch {
	case !c.Note.Empty():
		fmt.Fprintln(w, a.localize(message.New("left %s: %s", c.File, c.Note)))
		return
	case c.After == nil:
		said = tense{message.New("removed %s", c.File), message.New("would remove %s", c.File)}
	case c.Before == nil:
		said = tense{message.New("written %s", c.File), message.New("would write %s", c.File)}
	}
	fmt.Fprintln(w, a.localize(said.of(dry)))
	if !dry || c.After == nil || filepath.Ext(c.File) == ".md" { // for skills the name suffices
		return
	}
	before, after := unlike(bytes.SplitAfter(c.Before, []byte("\n")), bytes.SplitAfter(c.After, []byte("\n")))
	for _, line := range before {
		fmt.Fprintf(w, "  - %s\n", bytes.TrimRight(line, "\n"))
	}
	for _, line := range after {
		fmt.Fprintf(w, "  + %s\n", bytes.TrimRight(line, "\n"))
	}
}

// tense is a message in two forms: done, or to be done.
type tense struct{ done, would message.Text }

func (w tense) of(dry bool) message.Text {
	if dry {
		return w.would
	}
	return w.done
}

// unlike drops the common first and last lines of two texts.
func unlike(a, b [][]byte) (one, two [][]byte) {
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}
