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
}

func (a *app) initCommand() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Register with a coding agent by hand, where no marketplace is used",
		Long: `Init registers the MCP server and the skills with a coding agent: for this project, or
with --global for all of yours. It changes the agent's own configuration file, in one
step, and leaves every byte in it that is not about reverse-spec. What is registered
already stays as it is; --remove undoes it.

Where a plugin can be installed, that is better: it has commands and hooks, too.`,
		Example: `  reverse-spec init --target claude
  reverse-spec init --global --target codex,cursor
  reverse-spec init --remove`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, target := range f.targets {
				if err := a.register(target, f); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringSliceVar(&f.targets, "target", []string{"claude"}, "the `agents`: "+strings.Join(agents.Clients(), ", "))
	cmd.Flags().BoolVar(&f.global, "global", false, "for all projects of the user")
	cmd.Flags().BoolVar(&f.remove, "remove", false, "take it out again")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would be written, and write nothing")
	cmd.Flags().BoolVar(&f.noSkills, "no-skills", false, "the server alone")
	return cmd
}

// register registers the program with one client.
func (a *app) register(target string, f initFlags) error {
	o, err := a.setupOptions(target, f)
	if err != nil {
		return err
	}
	plan := agents.Add
	if f.remove {
		plan = agents.Remove
	}
	changes, err := plan(o)
	if _, unknown := errors.AsType[*agents.UnknownClientError](err); unknown {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		a.note(message.New("%s: nothing to change", target))
	}
	for _, c := range changes {
		if !f.dryRun {
			if err := c.Apply(); err != nil {
				return err
			}
		}
		a.showChange(c, f.dryRun)
	}
	return nil
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
	o.Command, err = ownCommand(f.global)
	return o, err
}

// ownCommand returns the command that starts this program: its name if PATH leads to it or to
// its launcher, because a project's file is shared; for the user's own configuration the path
// found by PATH, which updates keep.
func ownCommand(global bool) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	const name = "reverse-spec"
	launcher := filepath.Join(filepath.Dir(self), "..", "..", "bin", name) // relative to native/<system>/reverse-spec
	switch found, err := exec.LookPath(name); {
	case err != nil || !sameFile(found, self) && !sameFile(found, launcher):
		return self, nil //nolint:nilerr // not on PATH
	case global:
		return filepath.Abs(found)
	}
	return name, nil
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
