package redact

// matcher finds many words in one pass over a text (Aho and Corasick, 1975). If fold is set, lower-case words match
// in any case.
type matcher struct {
	class  [256]uint16 // column of each byte
	width  int
	next   []int32   // state*width + column -> next state, multiplied by width after linking
	found  [][]int32 // the words that end in each state
	ends   []bool    // whether any do
	length []int32   // by word
}

// newMatcher returns a matcher of words, none of which is empty.
func newMatcher(words []string, fold bool) *matcher {
	m := &matcher{width: 1}
	for _, w := range words {
		for i := range len(w) {
			if m.class[w[i]] == 0 {
				m.class[w[i]] = uint16(m.width)
				m.width++
			}
		}
		m.length = append(m.length, int32(len(w)))
	}
	for c := byte('A'); fold && c <= 'Z'; c++ {
		m.class[c] = m.class[c|0x20]
	}
	m.grow()
	for n, w := range words {
		at := int32(0)
		for i := range len(w) {
			edge := int(at)*m.width + int(m.class[w[i]])
			if m.next[edge] == 0 {
				m.next[edge] = m.grow()
			}
			at = m.next[edge]
		}
		m.found[at] = append(m.found[at], int32(n))
	}
	m.link()
	return m
}

// grow adds a state.
func (m *matcher) grow() int32 {
	m.next = append(m.next, make([]int32, m.width)...)
	m.found = append(m.found, nil)
	return int32(len(m.found) - 1)
}

// link completes the table with the transitions to the longest suffix that is a prefix of a word.
func (m *matcher) link() {
	fail := make([]int32, len(m.found))
	queue := []int32{0}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for c := range m.width {
			edge := int(at)*m.width + c
			back := int32(0)
			if at != 0 {
				back = m.next[int(fail[at])*m.width+c]
			}
			to := m.next[edge]
			if to == 0 {
				m.next[edge] = back
				continue
			}
			fail[to] = back
			m.found[to] = append(m.found[to], m.found[back]...)
			queue = append(queue, to)
		}
	}
	m.ends = make([]bool, len(m.next))
	for at, words := range m.found {
		m.ends[at*m.width] = len(words) > 0
	}
	for edge := range m.next {
		m.next[edge] *= int32(m.width)
	}
}

// each calls f for each occurrence of a word, with the word's index and range.
func (m *matcher) each(text string, f func(word, from, to int)) {
	next, ends, at := m.next, m.ends, int32(0)
	for i := range len(text) {
		at = next[int(at)+int(m.class[text[i]])]
		if !ends[at] {
			continue
		}
		for _, w := range m.found[int(at)/m.width] {
			f(int(w), i+1-int(m.length[w]), i+1)
		}
	}
}
