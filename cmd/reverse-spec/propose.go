package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/batch"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec/format"
)

func (a *app) proposeCommand() *cobra.Command {
	var opts batch.ProposeOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "propose --base revision",
		Short: "Write what a branch did as a change of OpenSpec",
		Long: `Propose compares what the code does with what it did at a git revision, and writes the
difference as a change of OpenSpec: openspec/changes/<id>/ with proposal.md, tasks.md and
the requirements that are added, modified, renamed or removed. openspec archive then makes
of the specs what generate --format openspec would write.

The deltas apply to the specs in openspec/specs that reverse-spec wrote. A spec or a
requirement that a person wrote or changed is left alone, and named. Both sides are read
whole, so it takes twice as long as batch.

The id of the change is the name of the branch, or else made of the revision. A change
of that id which says something else is replaced only with --force.`,
		Example: `  reverse-spec propose --base main
  reverse-spec propose --base v1.4.0 --id release-1-5`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return with(a.open, func(p *project.Project) error {
				c, err := a.propose(cmd.Context(), p, opts)
				if err != nil {
					return err
				}
				return a.printChange(c, asJSON)
			})
		},
	}
	cmd.Flags().StringVar(&opts.Base, "base", "", "git `revision` that the change begins at")
	cmd.Flags().StringVar(&opts.ID, "id", "", "`id` of the change")
	cmd.Flags().StringVar(&opts.Capabilities, "capabilities", "", "`file` that groups modules into capabilities")
	cmd.Flags().BoolVar(&opts.Force, "force", false, "replace a change of that id")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the result as JSON")
	return cmd
}

func (a *app) propose(ctx context.Context, p *project.Project, opts batch.ProposeOptions) (*format.Change, error) {
	heap.bound(batchGrowth, true)
	ctx, bar := a.progress(ctx)
	defer bar.done()
	return batch.Propose(ctx, p, opts)
}

// printChange prints what a change does to the requirements of each capability.
func (a *app) printChange(c *format.Change, asJSON bool) error {
	if asJSON {
		return a.printJSON(c)
	}
	a.warn(c.Warnings)
	if len(c.Deltas) == 0 {
		_, err := fmt.Fprintln(a.out, a.localize(message.New("the requirements are the same: no change was written")))
		return err
	}
	for _, d := range c.Deltas {
		line := message.New("%s: %d added, %d modified, %d removed, %d renamed", d.Capability, d.Added, d.Modified, d.Removed, d.Renamed)
		if _, err := fmt.Fprintln(a.out, a.localize(line)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(a.out, c.Path)
	return err
}
