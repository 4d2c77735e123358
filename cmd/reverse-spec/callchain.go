package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func (a *app) callChainCommand() *cobra.Command {
	var flags graphFlags
	opts := rag.ChainOptions{}
	cmd := &cobra.Command{
		Use:   "call-chain <symbol>",
		Short: "Show who calls a symbol, and what it calls, step by step",
		Long: `Call-chain follows the calls to a symbol and from it, as a tree. Every line has the
place of the call and its confidence; a call back into the chain is marked as a cycle.`,
		Example: `  reverse-spec call-chain Store.Put --direction callers --depth 2
  reverse-spec call-chain main --direction callees --json`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withGraph(cmd.Context(), flags, func(g *graphs.Graph) error {
				return a.callChain(cmd.Context(), g, args[0], opts, flags.json)
			})
		},
	}
	flags.add(cmd)
	flags.addIn(cmd)
	cmd.Flags().StringVar(&opts.Direction, "direction", "both", "which `way`: "+strings.Join(rag.Directions(), ", "))
	cmd.Flags().IntVar(&opts.Depth, "depth", rag.ChainDepth, "most `steps` from the symbol")
	cmd.Flags().IntVar(&opts.Limit, "limit", rag.MaxHops, "most `calls` to show each way")
	cmd.Flags().Float32Var(&opts.MinConfidence, "min-confidence", explore.Sure, "leave out guesses: what is less sure, from 0 to 1")
	return cmd
}

func (a *app) callChain(ctx context.Context, g *graphs.Graph, symbol string, opts rag.ChainOptions, asJSON bool) error {
	c, err := g.CallChain(ctx, symbol, opts)
	if param := (*rag.ParamError)(nil); errors.As(err, &param) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(c)
	}
	a.showChain(c)
	return nil
}

func (a *app) showChain(c *rag.Chain) {
	root := c.Chain[0]
	nobody, nothing := message.New("called by: nothing, as far as the code tells"), message.New("calls: nothing, as far as the code tells")
	if c.Metadata.Guesses > 0 {
		nobody, nothing = message.New("called by: nothing that is sure"), message.New("calls: nothing that is sure")
	}
	fmt.Fprintf(a.out, "%s:%d  %s\n", root.File, root.Line, explore.Short(root.Symbol, root.File))
	for _, part := range []struct {
		name           string
		hops           []*rag.Hop
		title, without message.Text
	}{
		{"callers", root.Callers, message.New("called by:"), nobody},
		{"callees", root.Callees, message.New("calls:"), nothing},
	} {
		switch {
		case c.Direction != "both" && c.Direction != part.name:
		case len(part.hops) == 0:
			fmt.Fprintf(a.out, "\n%s\n", a.localize(part.without))
		default:
			fmt.Fprintf(a.out, "\n%s\n", a.localize(part.title))
			a.showHops(part.hops, "")
		}
	}
	if c.Metadata.Warning != "" {
		a.warn([]string{c.Metadata.Warning})
	}
	guesses := c.Metadata.Guesses
	a.hidden(message.Count(guesses, "%d call was left out that is a guess: see --min-confidence", "%d calls were left out that are guesses: see --min-confidence"), guesses)
	if c.Metadata.Dropped > 0 {
		a.warn([]string{a.localize(message.Count(c.Metadata.Dropped, "%d more call was left out: see --limit", "%d more calls were left out: see --limit"))})
	}
}

// showHops prints hops as a tree.
func (a *app) showHops(hops []*rag.Hop, indent string) {
	for i, h := range hops {
		branch, below := "├── ", "│   "
		if i == len(hops)-1 {
			branch, below = "└── ", "    "
		}
		mark := ""
		switch {
		case h.IsCycle:
			mark = "  " + a.localize(message.New("(cycle)"))
		case h.Repeated:
			mark = "  " + a.localize(message.New("(see above)"))
		}
		place := h.Call.File
		if h.Call.Line > 0 {
			place = fmt.Sprintf("%s:%d", place, h.Call.Line)
		}
		if h.Call.Source == rag.OfCKB {
			mark = "  " + a.localize(message.New("(by CKB)")) + mark
		}
		fmt.Fprintf(a.out, "%s%s%s  %s  %.2f%s\n", indent, branch, explore.ShortFrom(h.Symbol, h.File, h.Call.File), place, h.Call.Confidence, mark)
		a.showHops(slices.Concat(h.Callers, h.Callees), indent+below)
	}
}
