// Package tck reads the openCypher TCK: the scenarios of its feature files, their initial graphs, and its notation
// of values.
package tck

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Scenario is a scenario, or one example of a scenario outline.
type Scenario struct {
	Feature string // first word of the feature's name: "Match1"
	Name    string
	Example int    // 1-based; 0 if it is not an outline
	Steps   []Step // including those of the background
}

// ID identifies the scenario in lists.
func (s *Scenario) ID() string {
	return fmt.Sprintf("%s › %s › %d", s.Feature, s.Name, s.Example)
}

// Step is a step of a scenario with its arguments.
type Step struct {
	Text  string // without Given, When, Then, And, But
	Doc   string // the text between """
	Table [][]string
}

// Read reads the feature files in a folder and its subfolders, sorted by name.
func Read(dir string) ([]Scenario, error) {
	var all []Scenario
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".feature" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		scenarios, err := Parse(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, scenarios...)
		return nil
	})
	return all, err
}

// Parse parses a feature file. Outlines are expanded to their examples.
func Parse(text string) ([]Scenario, error) {
	p := feature{lines: strings.Split(text, "\n")}
	for p.next() {
		if err := p.line(); err != nil {
			return nil, fmt.Errorf("line %d: %w", p.at, err)
		}
	}
	p.finish()
	return p.done, nil
}

// feature is the state of parsing a feature file.
type feature struct {
	lines []string
	at    int    // current line, 1-based
	text  string // text of the line, trimmed

	name       string
	background []Step
	open       *Scenario
	steps      *[]Step      // destination of steps
	examples   [][][]string // the tables of an outline
	table      *[][]string  // destination of rows
	done       []Scenario
}

// next advances to the next line that is neither blank nor a comment.
func (p *feature) next() bool {
	for p.at < len(p.lines) {
		p.text = strings.TrimSpace(p.lines[p.at])
		p.at++
		if p.text != "" && p.text[0] != '#' {
			return true
		}
	}
	return false
}

// line reads the current line.
func (p *feature) line() error {
	switch p.text[0] {
	case '@': // tags are instructions for the TCK's own runner
		return nil
	case '|':
		if p.table == nil {
			return fmt.Errorf("a row without a table")
		}
		*p.table = append(*p.table, cells(p.text))
		return nil
	}
	if p.text == `"""` {
		return p.doc()
	}
	if head, rest, ok := strings.Cut(p.text, ":"); ok && p.heading(head, strings.TrimSpace(rest)) {
		return nil
	}
	return p.step()
}

// heading handles a heading.
func (p *feature) heading(word, name string) bool {
	switch word {
	case "Feature":
		p.name, _, _ = strings.Cut(name, " ")
	case "Background":
		p.finish()
		p.steps = &p.background
	case "Scenario", "Scenario Outline":
		p.finish()
		p.open = &Scenario{Feature: p.name, Name: name}
		p.steps = &p.open.Steps
	case "Examples":
		p.examples = append(p.examples, nil)
		p.table = &p.examples[len(p.examples)-1]
	default:
		return false
	}
	return true
}

// step reads the first line of a step.
func (p *feature) step() error {
	word, text, _ := strings.Cut(p.text, " ")
	switch word {
	case "Given", "When", "Then", "And", "But":
	default:
		return fmt.Errorf("unknown: %s", p.text)
	}
	if p.steps == nil {
		return fmt.Errorf("a step without a scenario")
	}
	*p.steps = append(*p.steps, Step{Text: text})
	p.table = &(*p.steps)[len(*p.steps)-1].Table
	return nil
}

// doc reads the text between """, without its indentation.
func (p *feature) doc() error {
	if p.steps == nil || len(*p.steps) == 0 {
		return fmt.Errorf("a text without a step")
	}
	indent := strings.Index(p.lines[p.at-1], `"""`)
	var text []string
	for p.at < len(p.lines) {
		line := p.lines[p.at]
		p.at++
		if strings.TrimSpace(line) == `"""` {
			(*p.steps)[len(*p.steps)-1].Doc = strings.ReplaceAll(strings.Join(text, "\n"), `\"\"\"`, `"""`)
			return nil
		}
		blank := len(line) - len(strings.TrimLeft(line, " \t"))
		text = append(text, line[min(indent, blank):])
	}
	return fmt.Errorf(`no """ at the end of a text`)
}

// finish adds the current scenario to the result.
func (p *feature) finish() {
	if p.open == nil {
		return
	}
	s := *p.open
	s.Steps = slices.Concat(p.background, s.Steps)
	if p.examples == nil {
		p.done = append(p.done, s)
	}
	number := 0
	for _, table := range p.examples {
		for _, row := range table[min(1, len(table)):] {
			number++
			p.done = append(p.done, s.fill(number, table[0], row))
		}
	}
	p.open, p.steps, p.table, p.examples = nil, nil, nil, nil
}

// fill returns an example of an outline.
func (s *Scenario) fill(number int, names, values []string) Scenario {
	var pairs []string
	for i, name := range names {
		pairs = append(pairs, "<"+name+">", values[i])
	}
	replace := strings.NewReplacer(pairs...).Replace
	filled := Scenario{Feature: s.Feature, Name: replace(s.Name), Example: number}
	for _, step := range s.Steps {
		var table [][]string
		for _, row := range step.Table {
			var cells []string
			for _, cell := range row {
				cells = append(cells, replace(cell))
			}
			table = append(table, cells)
		}
		filled.Steps = append(filled.Steps, Step{Text: replace(step.Text), Doc: replace(step.Doc), Table: table})
	}
	return filled
}

// cells splits a row of a table at "|". In a cell, \| is a bar, \\ is \ and
//
//	a newline.
func cells(row string) []string {
	var all []string
	var cell strings.Builder
	for i := 1; i < len(row); i++ {
		switch c := row[i]; {
		case c == '|':
			all = append(all, strings.TrimSpace(cell.String()))
			cell.Reset()
		case c == '\\' && i+1 < len(row) && row[i+1] == 'n':
			cell.WriteByte('\n')
			i++
		case c == '\\' && i+1 < len(row) && (row[i+1] == '|' || row[i+1] == '\\'):
			i++
			cell.WriteByte(row[i])
		default:
			cell.WriteByte(c)
		}
	}
	return all
}
