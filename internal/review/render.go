package review

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/annotation"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Limits of what is written for people; JSON has everything.
const (
	maxItems   = 12
	maxChanged = 8
	maxValue   = 160
)

// section is a part of the briefing.
type section struct {
	title message.Text
	rows  []row
	fold  bool // Markdown hides it until it is asked for
}

// row is a line of a section, and lines about it.
type row struct {
	text  string
	facts []string
}

func (r *Review) in(t message.Text) string { return t.In(r.Lang) }

// Headline returns the risk in one line.
func (r *Review) Headline() string {
	reasons := strings.Join(r.Risk.Reasons, "; ")
	if r.Lang == message.Chinese {
		reasons = strings.Join(r.Risk.Reasons, "；")
	}
	return r.in(message.New("Risk: %s — %s", r.Risk.Level.Text(), reasons))
}

// sections returns the parts of the briefing that say something.
func (r *Review) sections() []section {
	all := []section{
		{title: message.New("Breaking"), rows: r.rows(r.Breaking, maxItems)},
		{title: message.New("No longer as it was"), rows: r.rows(r.Untrue, maxItems)},
		{title: message.New("New, and no requirement states it"), rows: r.rows(r.New, maxChanged)},
		{title: message.New("Tests to run"), rows: r.testRows()},
		{title: message.New("Also changed"), rows: r.rows(r.Changed, maxChanged), fold: true},
		{title: message.New("Remarks"), rows: r.remarks(), fold: true},
	}
	return slices.DeleteFunc(all, func(s section) bool { return len(s.rows) == 0 })
}

func (r *Review) rows(list []Item, most int) []row {
	var out []row
	for _, i := range list[:min(len(list), most)] {
		out = append(out, r.row(&i))
	}
	if left := len(list) - most; left > 0 {
		out = append(out, row{text: r.in(message.New("… and %d more: --json has them", left))})
	}
	return out
}

// row tells an item.
func (r *Review) row(i *Item) row {
	out := row{text: i.Location + " " + i.Description}
	add := func(t message.Text) { out.facts = append(out.facts, r.in(t)) }
	if slices.Contains(inner, i.Rule) { // the diff shows it
		r.demands(i, add)
		return out
	}
	if i.OldValue != "" && i.NewValue != "" && !strings.Contains(i.Description, clip(i.NewValue)) {
		add(message.New("`%s` → `%s`", clip(i.OldValue), clip(i.NewValue)))
	}
	if i.Was != nil && i.Was.Text != "" && i.Category == drift.Behavior && i.Is != nil && i.Is.Text != i.Was.Text && clip(i.OldValue) != clip(i.Was.Text) {
		add(message.New("was: `%s` (%s)", clip(i.Was.Text), i.Was.Location))
	}
	for _, s := range i.Statements {
		if !s.Adopted {
			add(message.New("says otherwise: %s “%s” (%s)", s.ID, clip(s.Title), s.Location))
		}
	}
	r.demands(i, add)
	if len(i.Tests) > 0 {
		add(message.New("shown by the tests: %s", strings.Join(i.Tests, ", ")))
	}
	out.facts = append(out.facts, r.users(i)...)
	return out
}

// demands tells which requirements that people wrote a change contradicts or touches.
func (r *Review) demands(i *Item, add func(message.Text)) {
	for _, s := range i.Statements {
		if s.Adopted {
			add(message.New("contradicts: %s “%s” (%s)", s.ID, clip(s.Title), s.Location))
		}
	}
	for _, s := range i.Related {
		if s.Adopted {
			add(message.New("touches: %s “%s” (%s)", s.ID, clip(s.Title), s.Location))
		}
	}
}

// users tells who uses an item.
func (r *Review) users(i *Item) []string {
	var stale, touched []string
	named := false
	for _, u := range i.Users {
		text := u.Place
		if u.Repository != "" {
			text = u.Repository + "://" + u.Place
		}
		if u.Symbol != "" {
			text += " (" + u.Symbol + ")"
		}
		named = named || u.ByName
		if u.Changed {
			touched = append(touched, text)
		} else {
			stale = append(stale, text)
		}
	}
	var out []string
	more := ""
	if i.More > 0 {
		more = r.in(message.New(", and %d more", i.More))
	}
	switch {
	case len(stale) > 0 && named:
		out = append(out, r.in(message.New("named by, and not touched: %s", strings.Join(stale, ", ")+more)))
	case len(stale) > 0:
		out = append(out, r.in(message.New("used by, and not touched: %s", strings.Join(stale, ", ")+more)))
	case len(touched) > 0:
		out = append(out, r.in(message.New("all uses are part of the change: %s", strings.Join(touched, ", ")+more)))
	}
	return out
}

// testRows tells the commands, and what the tests reach.
func (r *Review) testRows() []row {
	var out []row
	for _, c := range r.Tests.Commands {
		text := "`" + runner.ForPeople(c.Script) + "`"
		switch c.Outcome {
		case "":
		case "passed":
			text += " " + r.in(message.New("passed"))
		case "failed":
			text += " " + r.in(message.New("failed: %s", clip(c.Reason)))
		default:
			text += " " + r.in(message.New("could not be run: %s", clip(c.Reason)))
		}
		out = append(out, row{text: text})
	}
	if len(r.Tests.Files) == 0 {
		return out
	}
	var files []string
	for _, f := range r.Tests.Files[:min(len(r.Tests.Files), maxChanged)] {
		files = append(files, f.Path)
	}
	text := r.in(message.Count(len(r.Tests.Files)+r.Tests.More, "%d file", "%d files")) + ": " + strings.Join(files, ", ")
	if left := len(r.Tests.Files) + r.Tests.More - len(files); left > 0 {
		text += r.in(message.New(", and %d more", left))
	}
	return append(out, row{text: text})
}

// remarks tells what the briefing was made of.
func (r *Review) remarks() []row {
	var out []row
	for _, w := range r.Warnings {
		out = append(out, row{text: w})
	}
	return out
}

// scope tells what was reviewed.
func (r *Review) scope() string {
	f := r.Files
	parts := []string{r.in(message.New("since %s", r.Base))}
	for _, p := range []struct {
		n    int
		text message.Text
	}{
		{f.Code, message.Count(f.Code, "%d file of code", "%d files of code")},
		{f.Tests, message.Count(f.Tests, "%d of tests", "%d of tests")},
		{f.Specs, message.Count(f.Specs, "%d of specs", "%d of specs")},
		{f.Manifests, message.Count(f.Manifests, "%d manifest", "%d manifests")},
		{f.Other, message.Count(f.Other, "%d other", "%d others")},
	} {
		if p.n > 0 {
			parts = append(parts, r.in(p.text))
		}
	}
	return strings.Join(parts, ", ")
}

// Marker begins the Markdown of a review, so that a comment can be found again.
const Marker = "<!-- reverse-spec review -->"

// Markdown returns the briefing as Markdown, for a comment.
func (r *Review) Markdown() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n**%s**\n\n%s\n", Marker, r.Headline(), r.scope())
	for _, s := range r.sections() {
		if s.fold {
			fmt.Fprintf(&b, "\n<details><summary>%s (%d)</summary>\n\n", r.in(s.title), len(s.rows))
		} else {
			fmt.Fprintf(&b, "\n### %s\n\n", r.in(s.title))
		}
		for _, row := range s.rows {
			fmt.Fprintf(&b, "- %s\n", linked(row.text))
			for _, f := range row.facts {
				fmt.Fprintf(&b, "  - %s\n", f)
			}
		}
		if s.fold {
			b.WriteString("\n</details>\n")
		}
	}
	return []byte(b.String())
}

// linked sets the place at the beginning of a line as code.
func linked(text string) string {
	place, rest, ok := strings.Cut(text, " ")
	if _, line := splitPlace(place); !ok || line == 0 {
		return text
	}
	return "`" + place + "` " + rest
}

// Text writes the briefing for a terminal.
func (r *Review) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", r.Headline(), r.scope())
	for _, s := range r.sections() {
		fmt.Fprintf(&b, "\n%s\n", r.in(s.title))
		for _, row := range s.rows {
			fmt.Fprintf(&b, "  %s\n", row.text)
			for _, f := range row.facts {
				fmt.Fprintf(&b, "      %s\n", f)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Findings returns what a forge shows beside the code.
func (r *Review) Findings() []annotation.Finding {
	var out []annotation.Finding
	add := func(level annotation.Level, list []Item) {
		for _, i := range list {
			file, line := splitPlace(i.Location)
			row := r.row(&i)
			text := strings.Join(append([]string{i.Description}, row.facts...), "\n")
			out = append(out, annotation.Finding{Rule: i.Rule, Title: i.SymbolName, Text: text, File: file, Line: line, Level: level})
		}
	}
	add(annotation.Error, r.Breaking)
	add(annotation.Warning, r.Untrue)
	add(annotation.Note, r.New)
	return out
}

// Annotations writes the findings as workflow commands of GitHub.
func (r *Review) Annotations(w io.Writer) error { return annotation.GitHub(w, r.Findings()) }

// SARIF returns the findings in SARIF 2.1.0.
func (r *Review) SARIF() []byte { return drift.SARIF(r.Findings(), r.Lang) }

// Fails reports whether the review has something at or above a level: a level of risk, or "breaking". Another level is an error.
func (r *Review) Fails(level string) (bool, error) {
	levels := []Level{None, Low, Medium, High}
	at := slices.Index(levels, Level(level))
	switch {
	case level == "breaking":
		return len(r.Breaking) > 0, nil
	case level == "never":
		return false, nil
	case at < 1:
		return false, message.Errorf("no such level: %q (low, medium, high, breaking or never)", level)
	}
	return slices.Index(levels, r.Risk.Level) >= at, nil
}

// clip returns text on one line, cut to fit into a sentence.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > maxValue {
		return string(r[:maxValue-1]) + "…"
	}
	return text
}
