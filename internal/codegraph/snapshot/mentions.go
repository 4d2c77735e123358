package snapshot

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
)

// Mentions returns the number of other nodes whose text has the name of one: in code, in a comment, in a string. Case and
// English endings do not count. What is in the node, and the file around it, are not among them.
func (s *Snapshot) Mentions(n *codegraph.Node) (int, error) {
	word := ""
	words.Each(n.Name, func(w string, whole bool) {
		if word == "" || whole {
			word = w
		}
	})
	mentions := 0
	err := s.read(func() error {
		i, found, err := find(s.terms, words.Stem(word), s.bytesOf)
		if err != nil || !found {
			return err
		}
		postings, err := span(s.postings, s.termEnds, i)
		if err != nil {
			return err
		}
		return eachImpact(postings, len(s.nodes), func(place uint32, _ byte) error {
			inside, err := s.isInside(place, n)
			if err == nil && !inside {
				mentions++
			}
			return err
		})
	}, secTerms, secTermEnds, secPostings, secStrings, secText, secNodes, secIDs)
	return mentions, err
}

// isInside reports whether the node at a place is n, in it, or its file.
func (s *Snapshot) isInside(place uint32, n *codegraph.Node) (bool, error) {
	if codegraph.ID(s.ids[place]) == n.ID {
		return true, nil
	}
	r := &s.nodes[place]
	path, err := s.bytesOf(r.path)
	if err != nil || string(path) != n.Path {
		return false, err
	}
	qualified, err := s.qualifiedOf(place)
	return s.labelAt(place) == codegraph.LabelModule || strings.HasPrefix(string(qualified), n.QualifiedName+"."), err
}

// labelAt returns the label of the node at a place; "" if it has none.
func (s *Snapshot) labelAt(place uint32) codegraph.Label {
	if n := int(s.nodes[place].label); n < len(s.dict.Labels) {
		return s.dict.Labels[n]
	}
	return ""
}

// eachImpact calls f for each posting: the place of its node, and the impact of the term.
func eachImpact(postings []byte, nodes int, f func(place uint32, impact byte) error) error {
	place := uint64(0)
	for len(postings) > 0 {
		step, n := binary.Uvarint(postings)
		if n <= 0 || n >= len(postings) || step > uint64(nodes) || place+step >= uint64(nodes) {
			return fmt.Errorf("%w: a posting", ErrDamaged)
		}
		place += step
		if err := f(uint32(place), postings[n]); err != nil {
			return err
		}
		postings = postings[n+1:]
	}
	return nil
}
