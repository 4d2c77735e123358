package search

// signal is what speaks for or against a symbol.
type signal int

// The signals. Most are from 0 to 1. The past adds to that of the file, likeness is from -1 to 1, and the last two are 0 or 1.
const (
	signalWords    signal = iota // its words, relative to the best match
	signalFile                   // the words of its file, and the past
	signalName                   // how much of its name the question explains
	signalHas                    // the share of the question's words that it has, by how rare they are
	signalAlike                  // how alike it and the question are
	signalExported               // it can be used from elsewhere
	signalShort                  // it has less than shortLines lines
	signals
)

// shortLines is the number of lines from which a symbol is not short.
const shortLines = 3

// weights say how much each signal counts.
type weights [signals]float64

// subjectWeights are learned from questions about the repositories that scripts/retrieval.txt names for it: `make weights` prints them.
var subjectWeights = weights{
	signalWords: 1, signalFile: 0.59, signalName: 0.34, signalHas: 0.91, signalAlike: 1.28, signalExported: 0.17, signalShort: -0.39,
}

// taskWeights are for a change or a fault, whose words are those of the code. The file counts as a whole there.
var taskWeights = weights{signalWords: 1, signalName: 0.34, signalHas: 0.91}

// of returns what signals say together.
func (w *weights) of(s *[signals]float64) (sum float64) {
	for i, x := range s {
		sum += w[i] * x
	}
	return sum
}

// asked is a question, to compare symbols with.
type asked struct {
	stems []string
	alike *alike
}

func newAsked(question string) *asked {
	stems := subjects(question)
	return &asked{stems, newAlike(stems)}
}

// signals returns the signals of a symbol that was found.
func (m *matches) signals(i int, q *asked, whole map[string]float64) (s [signals]float64) {
	n, hit := &m.symbols[i], &m.found.Symbols[i]
	s[signalWords] = hit.Score / m.found.Symbols[0].Score
	s[signalFile] = whole[n.Path] + pastWeight*m.past[n.Path]
	s[signalName] = described().explained(q.stems, q.alike.words(n.Name))
	s[signalHas] = hit.Has
	s[signalAlike] = q.alike.of(n)
	s[signalExported] = oneIf(n.Exported)
	s[signalShort] = oneIf(n.EndLine-n.StartLine+1 < shortLines)
	return s
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
