package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func (a *app) impactCommand() *cobra.Command {
	var flags graphFlags
	opts := explore.ImpactOptions{}
	cmd := &cobra.Command{
		Use:   "impact <symbol>",
		Short: "List what is affected by a change of a symbol",
		Long: `Impact lists what calls or uses a symbol or is built on it, then what does so of
those, by distance and by how sure it is. Tests are marked.`,
		Example: `  reverse-spec impact UserService.create
  reverse-spec impact Store.Put --depth 2 --min-confidence 0.9 --json`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withGraph(cmd.Context(), flags, func(g *graphs.Graph) error {
				i, err := g.Impact(cmd.Context(), args[0], opts)
				if err != nil {
					return err
				}
				if flags.json {
					return a.printJSON(i)
				}
				return a.showImpact(i)
			})
		},
	}
	flags.add(cmd)
	flags.addIn(cmd)
	cmd.Flags().IntVar(&opts.Depth, "depth", explore.ImpactDepth, "most `steps` from the symbol")
	cmd.Flags().IntVar(&opts.Limit, "limit", explore.MaxNodes, "most `symbols` to list")
	cmd.Flags().Float32Var(&opts.MinConfidence, "min-confidence", explore.Sure, "leave out guesses: what is less sure, from 0 to 1")
	return cmd
}

func (a *app) showImpact(i *graphs.Impact) error {
	place := ""
	if i.Symbol.Path != "" { // not of others
		place = fmt.Sprintf("  %s:%d", i.Symbol.Path, i.Symbol.StartLine)
	}
	fmt.Fprintln(a.out, i.Symbol.QualifiedName+place)
	if len(i.Outside) > 0 {
		fmt.Fprintln(a.out, a.localize(message.New("it implements %s, so that code outside the project may call it", strings.Join(i.Outside, ", "))))
	}
	if len(i.Implements) > 0 {
		fmt.Fprintln(a.out, a.localize(message.New("its type implements %s, whose methods are not known here: code outside the project may call it", strings.Join(i.Implements, ", "))))
	}
	defer a.hidden(message.Count(i.Guesses, "%d symbol was left out that may be affected: see --min-confidence", "%d symbols were left out that may be affected: see --min-confidence"), i.Guesses)
	if i.Unknown != nil {
		a.warn([]string{a.localize(message.New("who uses it in other projects is unknown: %v", i.Unknown))})
	}
	if len(i.Affected) == 0 && len(i.Consumers) > 0 {
		return a.showConsumers(i.Consumers)
	}
	if len(i.Affected) == 0 && i.Guesses > 0 {
		fmt.Fprintln(a.out, a.localize(message.New("nothing in the project is sure to call or use it")))
		return nil
	}
	if len(i.Affected) == 0 {
		fmt.Fprintln(a.out, a.localize(message.New("nothing in the project calls or uses it, as far as the code tells")))
		return nil
	}
	fmt.Fprintf(a.out, "%s\n\n", a.localize(message.New("a change affects %s in %s, %s",
		message.Count(len(i.Affected), "%d symbol", "%d symbols"), message.Count(i.Files, "%d file", "%d files"),
		message.Count(i.Tests, "%d of them is a test", "%d of them are tests"))))
	w := a.table()
	w.places = true
	for _, x := range i.Affected {
		mark := ""
		if x.Test {
			mark = a.localize(message.New("test"))
		}
		fmt.Fprintf(w, "%s:%d\t%d\t%.2f\t%s\t%s\t%s\n", x.Path, x.Line, x.Distance, x.Reach, x.By, explore.Short(x.QualifiedName, x.Path), mark)
	}
	if err := w.Flush(); err != nil {
		return message.Errorf("print impact: %w", err)
	}
	if i.Dropped > 0 {
		a.warn([]string{a.localize(message.Count(i.Dropped, "%d more was left out: see --limit", "%d more were left out: see --limit"))})
	}
	if len(i.Consumers) > 0 {
		fmt.Fprintln(a.out)
		return a.showConsumers(i.Consumers)
	}
	return nil
}

// showConsumers lists the uses by other projects of the shared store.
func (a *app) showConsumers(list []graphs.Consumer) error {
	projects := map[string]bool{}
	for _, c := range list {
		projects[c.Key] = true
	}
	fmt.Fprintf(a.out, "%s\n\n", a.localize(message.New("%s use it, or what is affected, at %s",
		message.Count(len(projects), "%d other project", "%d other projects"), message.Count(len(list), "%d place", "%d places"))))
	w := a.table()
	for _, c := range list {
		fmt.Fprintf(w, "%s\t%s:%d\t%.2f\t%s\t%s\n", c.Project, c.File, c.Line, c.Confidence, c.Symbol, c.Uses)
	}
	return w.Flush()
}
