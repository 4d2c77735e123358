package words

// Stem returns a word without its English endings, by Porter's rules (An algorithm
// for suffix stripping, 1980): "connected", "connecting" and "connections" are all
// "connect". Words of less than three letters, and what is not in lower-case ASCII,
// stay as they are.
func Stem(word string) string {
	if len(word) < 3 {
		return word
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	s := stemmer(append(make([]byte, 0, len(word)+1), word...))
	s.plural()
	s.past()
	if s.ends("y") && s.vowelIn(len(s)-1) {
		s[len(s)-1] = 'i'
	}
	s.replace(doubleEndings, 0)
	s.replace(endings, 0)
	s.drop()
	s.tidy()
	return string(s)
}

// stemmer is a word that loses its endings.
type stemmer []byte

func (s stemmer) ends(end string) bool {
	return len(s) >= len(end) && string(s[len(s)-len(end):]) == end
}

// consonant tells whether the letter at i is one.
func (s stemmer) consonant(i int) bool {
	switch s[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !s.consonant(i-1)
	}
	return true
}

// measure counts the changes from vowels to consonants in the first n letters.
func (s stemmer) measure(n int) int {
	count, vowel := 0, false
	for i := range n {
		c := s.consonant(i)
		if c && vowel {
			count++
		}
		vowel = !c
	}
	return count
}

// vowelIn tells whether there is a vowel in the first n letters.
func (s stemmer) vowelIn(n int) bool {
	for i := range n {
		if !s.consonant(i) {
			return true
		}
	}
	return false
}

// double tells whether the word ends in two of one consonant.
func (s stemmer) double() bool {
	n := len(s)
	return n >= 2 && s[n-1] == s[n-2] && s.consonant(n-1)
}

// short tells whether the first n letters end in consonant, vowel and consonant, the
// last of which is not w, x or y.
func (s stemmer) short(n int) bool {
	if n < 3 || !s.consonant(n-3) || s.consonant(n-2) || !s.consonant(n-1) {
		return false
	}
	return s[n-1] != 'w' && s[n-1] != 'x' && s[n-1] != 'y'
}

// cut cuts off n letters.
func (s *stemmer) cut(n int) { *s = (*s)[:len(*s)-n] }

// plural is step 1a.
func (s *stemmer) plural() {
	switch {
	case s.ends("sses"), s.ends("ies"):
		s.cut(2)
	case s.ends("ss"):
	case s.ends("s"):
		s.cut(1)
	}
}

// past is step 1b.
func (s *stemmer) past() {
	switch {
	case s.ends("eed"):
		if s.measure(len(*s)-3) > 0 {
			s.cut(1)
		}
		return
	case s.ends("ed") && s.vowelIn(len(*s)-2):
		s.cut(2)
	case s.ends("ing") && s.vowelIn(len(*s)-3):
		s.cut(3)
	default:
		return
	}
	switch {
	case s.ends("at"), s.ends("bl"), s.ends("iz"):
		*s = append(*s, 'e')
	case s.double() && !s.ends("l") && !s.ends("s") && !s.ends("z"):
		s.cut(1)
	case s.measure(len(*s)) == 1 && s.short(len(*s)):
		*s = append(*s, 'e')
	}
}

// ending is an ending and what takes its place.
type ending struct{ from, to string }

// doubleEndings are those of step 2, endings those of step 3. Where one is the end of
// another, the longer stands first.
var (
	doubleEndings = []ending{
		{"ational", "ate"},
		{"tional", "tion"},
		{"enci", "ence"},
		{"anci", "ance"},
		{"izer", "ize"},
		{"abli", "able"},
		{"alli", "al"},
		{"entli", "ent"},
		{"eli", "e"},
		{"ousli", "ous"},
		{"ization", "ize"},
		{"ation", "ate"},
		{"ator", "ate"},
		{"alism", "al"},
		{"iveness", "ive"},
		{"fulness", "ful"},
		{"ousness", "ous"},
		{"aliti", "al"},
		{"iviti", "ive"},
		{"biliti", "ble"},
	}
	endings = []ending{
		{"icate", "ic"},
		{"ative", ""},
		{"alize", "al"},
		{"iciti", "ic"},
		{"ical", "ic"},
		{"ful", ""},
		{"ness", ""},
	}
	// lastEndings are those of step 4.
	lastEndings = []string{
		"al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion", "ou", "ism", "ate", "iti", "ous", "ive", "ize",
	}
)

// replace replaces the first ending of a list that the word has, where enough stands
// before it.
func (s *stemmer) replace(list []ending, least int) {
	for _, e := range list {
		if s.ends(e.from) {
			if s.measure(len(*s)-len(e.from)) > least {
				s.cut(len(e.from))
				*s = append(*s, e.to...)
			}
			return
		}
	}
}

// drop is step 4.
func (s *stemmer) drop() {
	for _, e := range lastEndings {
		if !s.ends(e) {
			continue
		}
		if e == "sion" || e == "tion" { // the letter before "ion" stays
			e = "ion"
		}
		if s.measure(len(*s)-len(e)) > 1 {
			s.cut(len(e))
		}
		return
	}
}

// tidy is step 5.
func (s *stemmer) tidy() {
	n := len(*s)
	if s.ends("e") {
		if m := s.measure(n - 1); m > 1 || m == 1 && !s.short(n-1) {
			s.cut(1)
		}
	}
	if s.ends("ll") && s.measure(len(*s)-1) > 1 {
		s.cut(1)
	}
}
