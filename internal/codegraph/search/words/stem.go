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
	if !mayEnd(word) {
		return word
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

// mayEnd reports whether a word may have an ending that Snowball's rules know. It only saves time.
func mayEnd(word string) bool {
	before := word[len(word)-2]
	switch word[len(word)-1] {
	case 'e', 'i', 's', 'y':
		return true
	case 'c', 'm': // ic, ism
		return before == 'i' || before == 's'
	case 'd', 'r': // ed, er, ator, izer
		return before == 'e' || before == 'o'
	case 'g', 't': // ing, ant, ent
		return before == 'n'
	case 'l': // al, ful, ll
		return before == 'a' || before == 'u' || before == 'l'
	case 'n': // ion
		return before == 'o'
	}
	return false
}
