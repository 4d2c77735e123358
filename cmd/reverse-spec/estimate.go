package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/reverse-spec/reverse-spec/internal/batch"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// forecast is the output of batch --dry-run.
type forecast struct {
	*batch.Estimated
	Cost *cost  `json:"cost,omitempty"` // nil if no model is used or its price is unknown
	Note string `json:"note,omitempty"` // why there is no cost
}

// cost is the estimated cost of a run in US dollars.
type cost struct {
	Price      llm.Price `json:"pricePerMillion"`
	Input      float64   `json:"input"`
	MostOutput float64   `json:"mostOutput"` // if all answers have the maximum length
}

// estimate predicts the work and cost of a batch.
func (a *app) estimate(ctx context.Context, p *project.Project, opts batch.Options, model modelFlags, price string) (*forecast, error) {
	choice, settings, err := chooseModel(ctx, p.Root(), model)
	if err != nil {
		return nil, err
	}
	opts.Writer, opts.Notes = model.open(message.From(ctx), choice, settings)
	ctx, bar := a.progress(ctx)
	defer bar.done()
	e, err := batch.Estimate(ctx, p, opts)
	if err != nil {
		return nil, err
	}
	f := &forecast{Estimated: e}
	return f, f.price(a.lang, choice, price)
}

// price computes the cost from given or known prices.
func (f *forecast) price(lang message.Lang, choice *llm.Choice, given string) error {
	price, known := choice.Price()
	if given != "" {
		var err error
		if price, err = llm.ParsePrice(given); err != nil {
			return usageError{message.Errorf("--price: %w", err)}
		}
		known = true
	}
	switch {
	case f.Writer == "":
		f.Note = message.New("no model is asked").In(lang)
	case !known:
		f.Note = message.New("the price of %s is not known here; --price IN,OUT gives it, in dollars for a million tokens", f.Writer).In(lang)
	default:
		f.Cost = &cost{price, price.Cost(f.Tokens, 0), price.Cost(0, f.Requests*llm.DefaultMaxTokens)}
	}
	return nil
}

func (a *app) printForecast(f *forecast, asJSON bool) error {
	if asJSON {
		return a.printJSON(f)
	}
	a.warn(f.Warnings)
	w := a.table()
	for _, m := range f.Modules {
		fmt.Fprintf(w, "%s\t%s", m.Path, m.Reason)
		if f.Writer != "" {
			fmt.Fprintf(w, "\t%s", a.localize(message.Count(m.Tokens, "%d token", "%d tokens")))
		}
		fmt.Fprintln(w)
	}
	return errors.Join(w.Flush(), f.total(a.out, a.lang))
}

// total prints the totals.
func (f *forecast) total(w io.Writer, lang message.Lang) error {
	lines := []message.Text{message.New("%s: %d to write, %d unchanged", message.Count(f.TotalModules, "%d module", "%d modules"), len(f.Modules), f.Unchanged)}
	if f.Writer != "" {
		lines = append(lines, message.New("%s would read about %d tokens in %s", f.Writer, f.Tokens, message.Count(f.Requests, "%d request", "%d requests")))
	}
	if f.Cost != nil {
		lines = append(lines, message.New("cost: about $%.2f to read, and at most $%.2f to write (%d tokens an answer), at $%g and $%g for a million tokens",
			f.Cost.Input, f.Cost.MostOutput, llm.DefaultMaxTokens, f.Cost.Price.Input, f.Cost.Price.Output))
	} else {
		lines = append(lines, message.New("cost: %s", f.Note))
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line.In(lang)); err != nil {
			return err
		}
	}
	return nil
}
