package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// scored is the reciprocal rank of the first answer and the recall among the first ten, for one question.
type scored struct{ rank, recall float64 }

func score(hits []bool, answers int) (s scored) {
	if first := slices.Index(hits, true); first >= 0 {
		s.rank = 1 / float64(first+1)
	}
	for _, hit := range hits {
		if hit {
			s.recall += 1 / float64(answers)
		}
	}
	return s
}

// compared holds the scores of the same questions, ours and those of each way of plain BM25.
type compared struct {
	ours  []scored
	plain [][]scored // by way
}

// ask adds a question.
func (c *compared) ask(ours []bool, plain [][]bool, answers int) {
	c.ours = append(c.ours, score(ours, answers))
	for i, hits := range plain {
		if i == len(c.plain) {
			c.plain = append(c.plain, nil)
		}
		c.plain[i] = append(c.plain[i], score(hits, answers))
	}
}

// best returns the scores of the way of plain BM25 with the best mean reciprocal rank.
func (c *compared) best() []scored {
	return slices.MaxFunc(c.plain, func(a, b []scored) int {
		if mean(a).rank < mean(b).rank {
			return -1
		}
		return 1
	})
}

func mean(list []scored) (m scored) {
	for _, s := range list {
		m.rank += s.rank / float64(len(list))
		m.recall += s.recall / float64(len(list))
	}
	return m
}

func (s scored) String() string { return fmt.Sprintf("%.3f / %.3f", s.rank, s.recall) }

// comparison is a table of compared repositories.
type comparison struct {
	asked string
	rows  []comparedRow
}

type comparedRow struct {
	r *repository
	c *compared
}

func (o *comparison) add(r *repository, c *compared) {
	if len(c.ours) > 0 {
		o.rows = append(o.rows, comparedRow{r, c})
	}
}

// String is the table, with the gain over BM25 and its interval.
func (o *comparison) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | use | questions | graph-rag | best plain BM25 | gain in MRR (95 %%) |\n|---|---|---|---|---|---|\n", o.asked)
	for _, row := range o.rows {
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s |\n", row.r.name, row.r.use, len(row.c.ours), mean(row.c.ours), mean(row.c.best()), gain([]comparedRow{row}))
	}
	for _, use := range []string{"tuned", "held"} {
		rows := slices.DeleteFunc(slices.Clone(o.rows), func(row comparedRow) bool { return row.r.use != use })
		if len(rows) == 0 {
			continue
		}
		var ours, plain []scored
		for _, row := range rows {
			ours, plain = append(ours, mean(row.c.ours)), append(plain, mean(row.c.best()))
		}
		fmt.Fprintf(&b, "| **mean** | %s | | **%s** | %s | %s |\n", use, mean(ours), mean(plain), gain(rows))
	}
	return b.String() + "\n"
}

// gain returns by how much the mean of the repositories' mean reciprocal ranks is above that of BM25, with the
// interval that 95 of 100 bootstrap samples of the questions of each repository are in.
func gain(rows []comparedRow) string {
	ratio := func(pick func(n int) int) float64 {
		ours, plain := 0.0, 0.0
		for _, row := range rows {
			best := row.c.best()
			for range best {
				i := pick(len(best))
				ours += row.c.ours[i].rank / float64(len(best))
				plain += best[i].rank / float64(len(best))
			}
		}
		return 100 * (ours/max(plain, 1e-9) - 1)
	}
	random := rand.New(rand.NewPCG(1, 2))
	samples := make([]float64, 1000)
	for i := range samples {
		samples[i] = ratio(random.IntN)
	}
	slices.Sort(samples)
	ours, plain := 0.0, 0.0
	for _, row := range rows {
		ours += mean(row.c.ours).rank
		plain += mean(row.c.best()).rank
	}
	return fmt.Sprintf("%+.0f %% (%+.0f to %+.0f)", 100*(ours/max(plain, 1e-9)-1), samples[25], samples[974])
}

// places returns which of the first ten of each way are answers.
func (list plains) places(text string, gold func(n *codegraph.Node) bool) (all [][]bool) {
	for _, p := range list {
		all = append(all, places(p.ask(text), gold, nil))
	}
	return all
}
