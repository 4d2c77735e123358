package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

func (a *app) graphCommand() *cobra.Command {
	var flags graphFlags
	var format, around, direction string
	var types []string
	opts := explore.AroundOptions{}
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Write the code graph, or what stands around a symbol",
		Long: `Graph writes nodes and edges in a form for other programs: json (as code-graph-rag
exports it), dot (Graphviz), mermaid, graphml. Edges that are less sure than 0.9 are
drawn dashed.`,
		Example: `  reverse-spec graph --around UserService.create --depth 2 --format dot | dot -Tsvg > graph.svg
  reverse-spec graph --format graphml > project.graphml`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.json {
				format = "json"
			}
			if !slices.Contains(explore.Formats(), format) {
				return usageError{suggest.Choice(message.Errorf("no such format: %s (%s)", format, strings.Join(explore.Formats(), ", ")), format, explore.Formats()...)}
			}
			var err error
			if opts.Direction, err = directionOf(direction); err != nil {
				return err
			}
			for _, t := range types {
				opts.Types = append(opts.Types, codegraph.Relationship(strings.ToUpper(t)))
			}
			return a.withGraph(cmd.Context(), flags, func(g *graphs.Graph) error {
				return a.writeGraph(cmd.Context(), g.Graph, around, format, opts)
			})
		},
	}
	flags.add(cmd)
	flags.addIn(cmd)
	cmd.Flags().StringVar(&format, "format", "json", "`form`: "+strings.Join(explore.Formats(), ", "))
	cmd.Flags().StringVar(&around, "around", "", "only what stands around this `symbol`")
	cmd.Flags().IntVar(&opts.Depth, "depth", 1, "`steps` from the symbol")
	cmd.Flags().StringVar(&direction, "direction", "both", "which way edges are followed: in, out or both")
	cmd.Flags().StringSliceVar(&types, "types", nil, "edge `types` to follow, such as CALLS,IMPORTS")
	cmd.Flags().IntVar(&opts.Limit, "limit", explore.MaxNodes, "most `nodes` around a symbol")
	return cmd
}

func directionOf(name string) (codegraph.Direction, error) {
	for d, known := range []string{"out", "in", "both"} {
		if name == known {
			return codegraph.Direction(d), nil
		}
	}
	return 0, usageError{message.Errorf("no such direction: %s (in, out, both)", name)}
}

func (a *app) writeGraph(ctx context.Context, g *explore.Graph, around, format string, opts explore.AroundOptions) error {
	var s *explore.Subgraph
	var err error
	if around == "" {
		s, err = g.All(ctx)
	} else {
		s, err = g.Around(ctx, around, opts)
	}
	if err != nil {
		return err
	}
	if s.Dropped > 0 {
		a.warn([]string{a.localize(message.Count(s.Dropped, "%d node was left out: see --limit", "%d nodes were left out: see --limit"))})
	}
	return s.Write(a.out, format, time.Now())
}
