package snapshot

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// qualifiedOf returns the qualified name of the node at a place.
func (s *Snapshot) qualifiedOf(place uint32) ([]byte, error) {
	if uint64(place) >= uint64(len(s.nodes)) {
		return nil, fmt.Errorf("%w: node %d", ErrDamaged, place)
	}
	return s.bytesOf(s.nodes[place].qualified)
}

// find binary-searches an array of numbers sorted by their texts.
func find(array []uint32, text string, textOf func(uint32) ([]byte, error)) (i int, found bool, err error) {
	want := []byte(text)
	i, found = slices.BinarySearchFunc(array, want, func(n uint32, want []byte) int {
		got, failed := textOf(n)
		if failed != nil {
			err = failed
		}
		return bytes.Compare(got, want)
	})
	return i, found, err
}

// Qualified returns the node with a qualified name.
func (s *Snapshot) Qualified(ctx context.Context, name string) (id codegraph.ID, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	err = s.read(func() error {
		i, found, err := find(s.qualified, name, s.qualifiedOf)
		if err != nil || !found {
			return err
		}
		id, err = s.id(s.qualified[i])
		return err
	}, secIDs, secNodes, secStrings, secText, secQualified)
	return id, err
}

// Named returns the nodes with a name.
func (s *Snapshot) Named(ctx context.Context, name string) ([]codegraph.ID, error) {
	return s.keyedBy(ctx, name, func(r *record) (bool, error) {
		got, err := s.bytesOf(r.name)
		return string(got) == name, err
	})
}

// Suffixed returns the nodes whose qualified names end in a suffix.
func (s *Snapshot) Suffixed(ctx context.Context, suffix string) ([]codegraph.ID, error) {
	return s.keyedBy(ctx, lastPart(suffix), func(r *record) (bool, error) {
		got, err := s.bytesOf(r.qualified)
		return endsIn(string(got), suffix) || endsIn(withoutLine(string(got)), suffix), err
	})
}

// endsIn reports whether a qualified name equals suffix or ends in "." and suffix.
func endsIn(qualified, suffix string) bool {
	rest, ok := strings.CutSuffix(qualified, suffix)
	return ok && (rest == "" || strings.HasSuffix(rest, "."))
}

// lastPart returns the part of a qualified name after the last dot, without "@" and line.
func lastPart(qualified string) string {
	name := withoutLine(qualified)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// withoutLine removes "@" and the line from a qualified name.
func withoutLine(qualified string) string {
	i := strings.LastIndexByte(qualified, '@')
	if i < 0 || i == len(qualified)-1 || strings.Trim(qualified[i+1:], "0123456789") != "" {
		return qualified
	}
	return qualified[:i]
}

// keyedBy returns the nodes listed under a key for which want returns true.
func (s *Snapshot) keyedBy(ctx context.Context, key string, want func(r *record) (bool, error)) (ids []codegraph.ID, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = s.read(func() error {
		i, found, err := find(s.keys, key, s.bytesOf)
		if err != nil || !found {
			return err
		}
		places, err := span(s.keyed, s.keyEnds, i)
		if err != nil {
			return err
		}
		for _, place := range places {
			id, err := s.id(place)
			if err != nil {
				return err
			}
			switch ok, err := want(&s.nodes[place]); {
			case err != nil:
				return err
			case ok:
				ids = append(ids, id)
			}
		}
		return nil
	}, secIDs, secNodes, secStrings, secText, secKeys, secKeyEnds, secKeyed)
	return ids, err
}

// Prefixed returns the nodes whose qualified names begin with a prefix.
func (s *Snapshot) Prefixed(ctx context.Context, prefix string) (ids []codegraph.ID, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = s.read(func() error {
		from, to, err := findPrefix(s.qualified, prefix, s.qualifiedOf)
		if err != nil {
			return err
		}
		ids, err = s.inOrder(s.qualified[from:to])
		return err
	}, secIDs, secNodes, secStrings, secText, secQualified)
	return ids, err
}

// At returns the nodes of a path, or of all paths that begin with it.
func (s *Snapshot) At(ctx context.Context, path string, below bool) (ids []codegraph.ID, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = s.read(func() error {
		from, to, err := findPrefix(s.paths, path, s.bytesOf)
		if err != nil || from == to {
			return err
		}
		if !below {
			first, err := s.bytesOf(s.paths[from])
			if err != nil || len(first) != len(path) {
				return err
			}
			to = from + 1
		}
		var places []uint32
		for i := from; i < to; i++ {
			some, err := span(s.pathed, s.pathEnds, i)
			if err != nil {
				return err
			}
			places = append(places, some...)
		}
		ids, err = s.inOrder(places)
		return err
	}, secIDs, secStrings, secText, secPaths, secPathEnds, secPathed)
	return ids, err
}

// inOrder returns the ids of the nodes at places, sorted.
func (s *Snapshot) inOrder(places []uint32) ([]codegraph.ID, error) {
	ids := make([]codegraph.ID, len(places))
	for i, place := range places {
		id, err := s.id(place)
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	slices.Sort(ids)
	return ids, nil
}

// findPrefix binary-searches an array of numbers sorted by their texts for the range of those that begin with
// prefix.
func findPrefix(array []uint32, prefix string, textOf func(uint32) ([]byte, error)) (from, to int, err error) {
	from, _, err = find(array, prefix, textOf)
	if err != nil {
		return 0, 0, err
	}
	size := sort.Search(len(array)-from, func(i int) bool {
		text, failed := textOf(array[from+i])
		if failed != nil {
			err = failed
		}
		return !strings.HasPrefix(string(text), prefix)
	})
	return from, from + size, err
}
