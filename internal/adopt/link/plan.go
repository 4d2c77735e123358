package link

import (
	"math"
	"path"
	"slices"
	"strings"
)

// Plan is what people wrote when they made a change: its proposal, design or tasks. It names the files and declarations that the
// requirements were to be implemented in.
type Plan struct {
	Of   []string // ids of the requirements
	Text string
}

// mention is a file or a declaration that a line of a plan names.
type mention struct {
	file  string
	name  string // "" for the file alone
	words []string
}

// readPlan is a plan with what it names.
type readPlan struct {
	of       map[string]bool
	mentions []mention
}

// Plan adds plans, before the first [Corpus.Links].
func (c *Corpus) Plan(plans []Plan) {
	bases := map[string][]string{}
	for file := range c.files {
		bases[path.Base(file)] = append(bases[path.Base(file)], file)
	}
	c.planned = map[string]int{}
	for i := range plans {
		p := readPlan{of: map[string]bool{}, mentions: c.mentions(plans[i].Text, bases)}
		for _, id := range plans[i].Of {
			p.of[id] = true
		}
		c.plans = append(c.plans, p)
		seen := map[string]bool{}
		for _, m := range p.mentions {
			if key := m.file + "#" + m.name; !seen[key] {
				seen[key] = true
				c.planned[key]++
			}
		}
	}
}

// mentions reads what each line of a plan names. The words of a line are those of the heading above it, too.
func (c *Corpus) mentions(text string, bases map[string][]string) []mention {
	var out []mention
	heading := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			heading = line
		}
		var said []string
		note := func(file, name string) {
			if said == nil {
				said = wordsOf(heading + " " + line)
			}
			out = append(out, mention{file, name, said})
		}
		for _, file := range filesOf(line, bases) {
			note(file, "")
		}
		for _, a := range Anchors(line) {
			if a.Kind != Name {
				continue
			}
			declared := c.declared[a.Value]
			if len(declared) == 0 || len(declared) > fewFiles || !certain(&a, len(declared)) {
				continue
			}
			for _, u := range declared {
				note(c.Units[u].File, a.Value)
			}
		}
	}
	return out
}

// filesOf returns the files of the project that a line names.
func filesOf(line string, bases map[string][]string) []string {
	var out []string
	for _, p := range filePath.FindAllString(line, -1) {
		p = strings.Trim(strings.TrimPrefix(strings.TrimSpace(p), "./"), "`.,:;()")
		named := bases[path.Base(p)]
		if len(named) > fewFiles && !strings.Contains(p, "/") {
			continue
		}
		for _, file := range named {
			if file == p || strings.HasSuffix(file, "/"+p) {
				out = append(out, file)
			}
		}
	}
	return out
}

// fewFiles is the number of files of a name, or declarations, that a plan can mean.
const fewFiles = 3

// foreseen finds what the plans of a requirement name: how much they speak for a file, and for a declaration ("file#name").
func (s *search) foreseen(q *query) map[string]float64 {
	out := map[string]float64{}
	title, all := wordsOf(q.Title), map[string]bool{}
	for _, w := range wordsOf(q.Words()) {
		all[w] = true
	}
	for i := range s.plans {
		p := &s.plans[i]
		if !p.of[q.ID] {
			continue
		}
		for _, m := range p.mentions {
			near := math.Max(s.share(title, func(w string) bool { return slices.Contains(m.words, w) }), s.share(m.words, func(w string) bool { return all[w] }))
			key := m.file + "#" + m.name
			rare := math.Log(1+float64(len(s.plans))/float64(s.planned[key])) / math.Log(1+float64(len(s.plans)))
			v := (0.4 + 0.6*near) * rare / math.Sqrt(1+math.Log(float64(len(p.of))))
			out[key] = math.Max(out[key], v)
		}
	}
	return out
}

// share returns the share of words that others have, weighed by how much they tell.
func (s *search) share(words []string, others func(word string) bool) float64 {
	sum, has := 0.0, 0.0
	for _, w := range words {
		weight := s.telling(w)
		sum += weight
		if others(w) {
			has += weight
		}
	}
	if sum == 0 {
		return 0
	}
	return has / sum
}
