package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/internal/agents"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/doctor"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

func (a *app) doctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Tell what is installed, wired and up to date, and how to repair the rest",
		Long: `Doctor looks at the program, git, the project's files, its code graph and specs, the
tools that run their contract tests, the coding agents on this machine, the model and
CKB, and names the command that repairs what is not well. It changes nothing.

EXIT STATUS
  3 when something is broken; what is optional and absent is not`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return with(a.open, func(p *project.Project) error {
				return withGraphs(func(g *graphs.Graphs) error {
					around := doctor.Surroundings{
						Version: reversespec.Version(), Store: g.Store, Shared: g.SharedProjects,
						Server: func(ctx context.Context) (bool, message.Text) {
							p, says := serverState(ctx)
							return p != nil, says
						},
						Agent: func(client string, global bool) (agents.Options, error) {
							return a.setupOptions(client, initFlags{global: global, noSkills: true})
						},
					}
					around.Model, _, around.ModelErr = chooseModel(cmd.Context(), p.Root(), modelFlags{})
					list, err := doctor.Examine(cmd.Context(), p, around)
					if err != nil {
						return err
					}
					if asJSON {
						err = a.printJSON(list)
					} else {
						err = a.showFindings(list)
					}
					if err == nil && !doctor.OK(list) {
						return errCheckFailed
					}
					return err
				})
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (a *app) showFindings(list []doctor.Finding) error {
	words := map[doctor.State]message.Text{
		doctor.Good: message.New("ok"), doctor.Notable: message.New("note"), doctor.Broken: message.New("broken"), doctor.Absent: message.New("absent"),
	}
	w := a.table()
	w.whole = "→ "
	for _, f := range list {
		topic := strings.TrimSpace(message.Translate(a.lang, f.Topic) + " " + f.Name)
		fmt.Fprintf(w, "%s\t%s\t%s\n", a.localize(words[f.State]), topic, f.Says)
		if f.Repair != "" {
			fmt.Fprintf(w, "\t\t→ %s\n", f.Repair)
		}
	}
	return w.Flush()
}
