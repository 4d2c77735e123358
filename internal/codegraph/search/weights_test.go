package search_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
)

// learnVariable names the file of the repositories from which TestWeights learns, as retrievalVariable does.
const learnVariable = "REVERSE_SPEC_LEARN"

// How weights are learned.
const (
	weightSteps  = 4000
	weightRate   = 0.5
	learnSamples = 100 // questions of a repository
)

// choice is a question: the signals of each function that is found, and which of them is the answer.
type choice struct {
	signals [][]float64
	answer  int
	share   float64 // repositories count alike, however many questions they have
}

// TestWeights prints the weights of signals with which the answers to questions are the likeliest of all functions that are found.
func TestWeights(t *testing.T) {
	list := os.Getenv(learnVariable)
	if list == "" {
		t.Skipf("%s is not set: make weights fetches the repositories to learn from", learnVariable)
	}
	text, err := os.ReadFile(list)
	check(t, err)
	var choices []choice
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		r := &repository{name: f[0], git: f[1], extensions: strings.Split(f[2], ","), use: f[3]}
		of := choicesOf(t, r)
		for i := range of {
			of[i].share = 1 / float64(len(of))
		}
		choices = append(choices, of...)
	}
	w, loss := likeliest(choices)
	for i, x := range w {
		t.Logf("%s: %.2f", search.SignalNames[i], x/w[0])
	}
	t.Logf("%d questions, loss %.3f", len(choices), loss)
}

// choicesOf asks for functions of a repository by their documentation.
func choicesOf(t *testing.T, r *repository) (list []choice) {
	t.Helper()
	corpus := t.TempDir()
	questions := docQuestions(t, r, corpus)
	g := explored(t, corpus)
	step := max(1, len(questions)/learnSamples)
	for i := 0; i < len(questions); i += step {
		q := &questions[i]
		nodes, signals, err := search.Signals(t.Context(), g.Snapshot(), q.Text)
		check(t, err)
		c := choice{answer: -1}
		for k := range nodes {
			if !isFunction(&nodes[k]) || nodes[k].Test {
				continue
			}
			if q.is(&nodes[k]) {
				c.answer = len(c.signals)
			}
			c.signals = append(c.signals, signals[k][:])
		}
		if c.answer >= 0 {
			list = append(list, c)
		}
	}
	return list
}

// likeliest returns the weights that make the answers likeliest, by descent of the slope, and the loss with them: minus the mean logarithm of
// the probability of an answer, where the probability of a function rises with the exponential of what its signals say.
func likeliest(choices []choice) (w []float64, loss float64) {
	if len(choices) == 0 {
		return nil, 0
	}
	n := len(choices[0].signals[0])
	w = make([]float64, n)
	for range weightSteps {
		slope, all := make([]float64, n), 0.0
		loss = 0
		for i := range choices {
			c := &choices[i]
			loss += c.share * c.descend(w, slope)
			all += c.share
		}
		loss /= all
		for k := range w {
			w[k] -= weightRate * slope[k] / all
		}
	}
	return w, loss
}

// descend adds the slope of the loss of one question, and returns the loss.
func (c *choice) descend(w, slope []float64) float64 {
	scores, sum := make([]float64, len(c.signals)), 0.0
	for j, signals := range c.signals {
		for k, x := range signals {
			scores[j] += w[k] * x
		}
	}
	most := scores[0]
	for _, s := range scores {
		most = max(most, s)
	}
	for j := range scores {
		scores[j] = math.Exp(scores[j] - most)
		sum += scores[j]
	}
	for j, signals := range c.signals {
		wrong := scores[j] / sum
		if j == c.answer {
			wrong--
		}
		for k, x := range signals {
			slope[k] += c.share * wrong * x
		}
	}
	return -math.Log(max(scores[c.answer]/sum, 1e-12))
}

// TestLikeliest learns from made-up questions that the second of three signals decides, and that the third says nothing.
func TestLikeliest(t *testing.T) {
	var choices []choice
	for i := range 40 {
		noise := float64(i % 2)
		choices = append(choices, choice{[][]float64{{0.5, 0.2, noise}, {0.5, 0.8, 1 - noise}, {0.6, 0.1, noise}}, 1, 1})
	}
	w, loss := likeliest(choices)
	if w[1] < 5 || math.Abs(w[2]) > 0.5 || loss > 0.1 {
		t.Errorf("weights %.2f, loss %.3f", w, loss)
	}
}
