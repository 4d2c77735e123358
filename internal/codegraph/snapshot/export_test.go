package snapshot

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// Reseal gives a snapshot's bytes the checksums that they have now.
func Reseal(data []byte) {
	order := binary.NativeEndian
	if len(data) < headerSize {
		return
	}
	count := uint64(order.Uint32(data[56:]))
	end := headerSize + entrySize*count
	if count > maxSections || end > uint64(len(data)) {
		return
	}
	for e := data[headerSize:end]; len(e) > 0; e = e[entrySize:] {
		at, size := order.Uint64(e[nameSize+4:]), order.Uint64(e[nameSize+12:])
		if at <= uint64(len(data)) && size <= uint64(len(data))-at {
			order.PutUint32(e[nameSize:], checksum(data[at:at+size]))
		}
	}
	order.PutUint32(data[sumAt:], 0)
	order.PutUint32(data[sumAt:], checksum(data[:end]))
}

// Dump lists everything in a snapshot by its meaning: what is the same in two of them answers the same.
func Dump(s *Snapshot) (lines []string, err error) {
	line := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	text := func(n uint32) string {
		got, bad := s.bytesOf(n)
		err = errors.Join(err, bad)
		return string(got)
	}
	for i, r := range s.nodes {
		line("node %d of %d: %s %d-%d %b %v %q", s.ids[i], s.nodeFiles[i], s.dict.Labels[r.label], r.start, r.end, r.flags, s.sizes[i], []string{
			text(r.qualified), text(r.name), text(r.kind), text(r.path), text(r.signature), text(r.doc), text(r.decorators), text(r.language), text(r.version),
		})
		if s.place(codegraph.ID(s.ids[i])) != i {
			line("node %d is not found", s.ids[i])
		}
	}
	for i := range s.nodes {
		out, err1 := span(s.out, s.outEnds, i)
		files, err2 := span(s.edgeFiles, s.outEnds, i)
		in, err3 := span(s.in, s.inEnds, i)
		err = errors.Join(err, err1, err2, err3)
		for j, e := range out {
			line("edge %d %s %d of %d: %d %d %v", s.ids[i], s.dict.Types[e.kind], e.to, files[j], e.line, e.count, s.dict.Hows[e.how])
		}
		for _, e := range in {
			line("to %d: %s from %d, to %d in line %d", s.ids[i], s.dict.Types[e.kind], e.from, s.out[e.edge].to, s.out[e.edge].line)
		}
	}
	for _, place := range s.qualified {
		line("qualified %d", s.ids[place])
	}
	listed := func(what string, l listing) {
		for i, key := range l.keys {
			places, bad := span(l.places, l.ends, i)
			err = errors.Join(err, bad)
			line("%s %q: %v", what, text(key), places)
		}
	}
	listed("key", listing{s.keys, s.keyEnds, s.keyed})
	listed("path", listing{s.paths, s.pathEnds, s.pathed})
	for i, term := range s.terms {
		postings, bad := span(s.postings, s.termEnds, i)
		err = errors.Join(err, bad)
		line("term %q: %d, %v", text(term), s.termCounts[i], postings)
	}
	counts, bad := s.Counts(context.Background())
	line("%v", counts)
	return lines, errors.Join(err, bad)
}

// Extend writes the snapshot of a source, made from that of an earlier state, and reports whether that could be.
func Extend(ctx context.Context, path string, source store.Contents, old *Snapshot) (bool, error) {
	_, _, err := extend(ctx, source, old)
	if errors.Is(err, errOther) {
		return false, nil
	}
	return err == nil, errors.Join(err, write(ctx, path, source, old, nil))
}
