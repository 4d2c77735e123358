package words

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Stem returns a word without its English endings, by the rules of Snowball's stemmer
// for English (Porter2): "connected", "connecting" and "connections" are all "connect".
// Words of less than three letters, and what is not in lower-case ASCII, stay as they
// are.
func Stem(word string) string {
	if len(word) < 3 {
		return word
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}
