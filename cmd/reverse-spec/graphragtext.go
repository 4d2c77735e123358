package main

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// shownLines is the number of source lines printed per candidate.
const shownLines = 10

// paint has the colours of the output; the zero value has none.
type paint struct{ place, score, faint, end string }

// shownPlaces is the number of candidates printed without their code.
const shownPlaces = 10

// showFound prints candidates as text: a line for each of the first, or all with their code. The place comes first, so that
// editors link it.
func (a *app) showFound(answer *rag.Answer, code bool) error {
	m := &answer.Metadata
	head := message.Count(m.Total, "%d relevant result", "%d relevant results")
	if code {
		head = message.New("%v (about %d tokens)", head, m.TokenCount)
	}
	fmt.Fprintln(a.out, a.localize(head))
	if n := m.BoundaryFiltered; n > 0 {
		a.note(message.Count(n, "(%d result in vendored or generated code is left out)", "(%d results in vendored or generated code are left out)"))
	}
	if m.Warning != "" {
		a.warn([]string{m.Warning})
	}
	list := answer.Candidates
	if !code {
		list = list[:min(len(list), shownPlaces)]
	}
	var p paint
	if a.colored() {
		p = paint{"\x1b[1;36m", "\x1b[33m", "\x1b[2m", "\x1b[0m"}
	}
	places, width := a.placesOf(list)
	for i := range list {
		c := &list[i]
		pad := strings.Repeat(" ", width-utf8.RuneCountInString(places[i]))
		line := fmt.Sprintf("%s%s%s%s  %s%.2f%s  %-9s  %s", p.place, places[i], p.end, pad, p.score, c.Relevance, p.end, c.Source, explore.Short(c.Symbol, c.File))
		if !code {
			fmt.Fprintln(a.out, strings.TrimRight(line, " "))
			continue
		}
		fmt.Fprintf(a.out, "\n%s\n", line)
		a.showCandidate(c, p)
	}
	if n := len(answer.Candidates) - len(list); n > 0 {
		a.note(message.Count(n, "%d more place: --code shows all, with their code", "%d more places: --code shows all, with their code"))
	}
	return nil
}

// placesOf returns the places of candidates, cut at their beginning where the lines would be wider than the terminal, and the width of the
// longest.
func (a *app) placesOf(list []rag.Candidate) (places []string, width int) {
	const between = 19 // columns of the score, the source and the spaces
	most := math.MaxInt
	if all := a.width(); all > 0 {
		name := 0
		for i := range list {
			name = max(name, utf8.RuneCountInString(explore.Short(list[i].Symbol, list[i].File)))
		}
		most = max(leastPlace, all-between-name)
	}
	places = make([]string, len(list))
	for i := range list {
		places[i] = cutLeft(fmt.Sprintf("%s:%d", list[i].File, max(1, list[i].StartLine)), most)
		width = max(width, utf8.RuneCountInString(places[i]))
	}
	return places, width
}

// showCandidate prints how a candidate was reached, its callers, and the first lines of its
// source.
func (a *app) showCandidate(c *rag.Candidate, p paint) {
	if c.Via != nil {
		from, to := c.Via.From, a.localize(message.New("here"))
		if !c.Via.Forward {
			from, to = to, from
		}
		fmt.Fprintf(a.out, "  %s%s --%s--> %s  (%.2f)%s\n", p.faint, from, c.Via.Type, to, c.Via.Confidence, p.end)
	}
	for _, r := range []struct {
		list []rag.Related
		text func(names string) message.Text
	}{
		{c.Callers, func(names string) message.Text { return message.New("called by %s", names) }},
		{c.Callees, func(names string) message.Text { return message.New("calls %s", names) }},
	} {
		if len(r.list) == 0 {
			continue
		}
		names := make([]string, len(r.list))
		for i, x := range r.list {
			names[i] = x.Symbol
		}
		fmt.Fprintf(a.out, "  %s%s%s\n", p.faint, a.localize(r.text(strings.Join(names, ", "))), p.end)
	}
	if c.Content == "" {
		return
	}
	lines := strings.Split(c.Content, "\n")
	for _, line := range lines[:min(len(lines), shownLines)] {
		fmt.Fprintf(a.out, "  %s\n", strings.TrimRight(line, "\r"))
	}
	if len(lines) > shownLines || c.Truncated {
		fmt.Fprintf(a.out, "  %s%s%s\n", p.faint, a.localize(message.New("… %d lines in all", c.EndLine-c.StartLine+1)), p.end)
	}
}
