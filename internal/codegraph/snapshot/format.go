package snapshot

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"unsafe"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// A file is a header, a table of sections, and the sections, aligned to multiples of align. Numbers are in native
// byte order: a file is not moved between machines, and the mark of another byte order is rejected.
//
//	magic     8 bytes
//	mark      uint32
//	version   uint32
//	serial    uint64
//	identity  32 bytes, padded with zeros
//	sections  uint32
//	sum       uint32, of the header with 0 here, and of the table
//
// An entry of the table is a name, padded with zeros, an offset, a length and a checksum.
const (
	magic      = "RSPGSNAP"
	mark       = 0x01020304
	version    = 5
	identities = 32
	headerSize = 64
	sumAt      = 60
	nameSize   = 12
	entrySize  = nameSize + 4 + 8 + 8
	align      = 64
	// maxSections bounds the table.
	maxSections = 256
)

// The sections. Those passed to Write have names of their own, prefixed with extra.
const (
	secDict       = "dict"        // a dictionary, as JSON
	secIDs        = "ids"         // the ids of the nodes, sorted; a node's index here is its place
	secNodes      = "nodes"       // record
	secNodeFiles  = "node.files"  // the file of each node; 0 for none
	secSizes      = "sizes"       // the sizes of each node
	secBuckets    = "buckets"     // start of each bucket in ids
	secOutEnds    = "out.ends"    // end of the edges from each node
	secOut        = "out"         // outEdge
	secEdgeFiles  = "edge.files"  // the file that each outEdge was found in; 0 for none
	secInEnds     = "in.ends"     // end of the edges to each node
	secIn         = "in"          // inEdge
	secStrings    = "strings"     // end of each string in text
	secText       = "text"        // the strings
	secQualified  = "qualified"   // node places, sorted by qualified name
	secKeys       = "keys"        // strings, sorted: names and last parts of qualified names
	secKeyEnds    = "key.ends"    // end of the nodes of each key
	secKeyed      = "keyed"       // node places
	secPaths      = "paths"       // strings, sorted: the paths
	secPathEnds   = "path.ends"   // end of the nodes of each path
	secPathed     = "pathed"      // node places
	secTerms      = "terms"       // strings, sorted: the words
	secTermEnds   = "term.ends"   // end of the postings of each term
	secTermCounts = "term.counts" // number of postings of each term
	secPostings   = "postings"    // each posting is the distance from the previous node (uvarint) and the impact of the term (byte)
	extra         = "+"
)

// dictionary holds repeated texts and the counts.
type dictionary struct {
	Labels     []codegraph.Label        `json:"labels"`
	LabelCount []int                    `json:"label_count"`
	Types      []codegraph.Relationship `json:"types"`
	TypeCount  []int                    `json:"type_count"`
	Hows       []weightedRule           `json:"hows"`
	Shift      uint                     `json:"shift"` // the bucket of an id is id >> Shift
}

// weightedRule is a rule with its confidence.
type weightedRule struct {
	Rule       string  `json:"rule"`
	Confidence float32 `json:"confidence"`
}

// record is a node. Texts are indexes of strings.
type record struct {
	qualified, name, kind, path, start, end       uint32
	signature, doc, decorators, language, version uint32
	label, flags                                  uint16
}

// Flags of a node.
const (
	flagExported = 1 << iota
	flagTest
	flagWhole // it stands for its file
)

// outEdge is an edge stored with its source. To is an id, so that traversal does not need the target's record.
type outEdge struct {
	to, line, count uint32
	kind, how       uint16
}

// inEdge is an edge stored with its target.
type inEdge struct {
	from, edge, kind uint32 // from is an id; edge is the index in the outEdges
}

// checksum returns the CRC-32C, for which processors have an instruction.
func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// section is a section to be written.
type section struct {
	name string
	data []byte
}

// header returns the header with the table of sections, and the offset of each section.
func header(serial uint64, identity string, sections []section) (head []byte, at []uint64, err error) {
	if len(identity) > identities || len(sections) > maxSections {
		return nil, nil, errors.New("the identity or the table of sections is too long")
	}
	order := binary.NativeEndian
	head = append(head, magic...)
	head = order.AppendUint32(head, mark)
	head = order.AppendUint32(head, version)
	head = order.AppendUint64(head, serial)
	head = append(head, make([]byte, identities)...)
	copy(head[len(head)-identities:], identity)
	head = order.AppendUint32(head, uint32(len(sections)))
	head = order.AppendUint32(head, 0)
	next := uint64(headerSize + entrySize*len(sections))
	for _, s := range sections {
		if len(s.name) > nameSize {
			return nil, nil, fmt.Errorf("the name %q is too long for a section", s.name)
		}
		next = (next + align - 1) / align * align
		at = append(at, next)
		head = append(head, s.name...)
		head = append(head, make([]byte, nameSize-len(s.name))...)
		head = order.AppendUint32(head, checksum(s.data))
		head = order.AppendUint64(head, next)
		head = order.AppendUint64(head, uint64(len(s.data)))
		next += uint64(len(s.data))
	}
	order.PutUint32(head[sumAt:], checksum(head))
	return head, at, nil
}

// markSize is the number of bytes that identify a snapshot.
const markSize = 16

// ours reports whether data, or the start of a file, is a snapshot: it begins with the magic or, in case that is
// damaged, has our mark and a version after it.
func ours(data []byte) bool {
	n := min(len(data), len(magic))
	return string(data[:n]) == magic[:n] ||
		len(data) >= markSize && binary.NativeEndian.Uint32(data[8:]) == mark && binary.NativeEndian.Uint32(data[12:]) <= version
}

// parse reads the header and the table.
func (s *Snapshot) parse() error {
	order, data := binary.NativeEndian, s.data
	if len(data) > 0 && !ours(data) {
		return ErrForeign
	}
	if len(data) < headerSize || string(data[:8]) != magic {
		return fmt.Errorf("%w: it is no snapshot", ErrDamaged)
	}
	if order.Uint32(data[8:]) != mark || order.Uint32(data[12:]) != version {
		return fmt.Errorf("%w: its version is another", ErrStale)
	}
	count := uint64(order.Uint32(data[56:]))
	end := headerSize + entrySize*count
	if count > maxSections || end > uint64(len(data)) {
		return fmt.Errorf("%w: its table is cut off", ErrDamaged)
	}
	head := bytes.Clone(data[:end])
	order.PutUint32(head[sumAt:], 0)
	if checksum(head) != order.Uint32(data[sumAt:]) {
		return fmt.Errorf("%w: its header", ErrDamaged)
	}
	s.serial, s.identity = order.Uint64(head[16:]), string(bytes.TrimRight(head[24:24+identities], "\x00"))
	return s.section(head[headerSize:])
}

// section reads an entry of the table of sections.
func (s *Snapshot) section(table []byte) error {
	order, data := binary.NativeEndian, s.data
	s.parts = make(map[string]*part, len(table)/entrySize)
	for e := table; len(e) > 0; e = e[entrySize:] {
		name := string(bytes.TrimRight(e[:nameSize], "\x00"))
		at, size := order.Uint64(e[nameSize+4:]), order.Uint64(e[nameSize+12:])
		if at%align != 0 || at > uint64(len(data)) || size > uint64(len(data))-at {
			return fmt.Errorf("%w: section %s is cut off", ErrDamaged, name)
		}
		s.parts[name] = &part{data: data[at : at+size : at+size], sum: order.Uint32(e[nameSize:])}
	}
	return nil
}

// layOut maps the arrays onto the sections.
func (s *Snapshot) layOut() error {
	if err := s.check(secDict); err != nil {
		return err
	}
	if err := json.Unmarshal(s.parts[secDict].data, &s.dict); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	err := errors.Join(
		view(s, secIDs, &s.ids), view(s, secNodes, &s.nodes), view(s, secNodeFiles, &s.nodeFiles), view(s, secSizes, &s.sizes), view(s, secBuckets, &s.buckets),
		view(s, secOutEnds, &s.outEnds), view(s, secOut, &s.out), view(s, secEdgeFiles, &s.edgeFiles), view(s, secInEnds, &s.inEnds), view(s, secIn, &s.in),
		view(s, secStrings, &s.stringAt), view(s, secText, &s.text), view(s, secQualified, &s.qualified),
		view(s, secKeys, &s.keys), view(s, secKeyEnds, &s.keyEnds), view(s, secKeyed, &s.keyed),
		view(s, secPaths, &s.paths), view(s, secPathEnds, &s.pathEnds), view(s, secPathed, &s.pathed),
		view(s, secTerms, &s.terms), view(s, secTermEnds, &s.termEnds), view(s, secTermCounts, &s.termCounts), view(s, secPostings, &s.postings))
	if err != nil {
		return err
	}
	if !s.fits() {
		return fmt.Errorf("%w: its sections do not fit together", ErrDamaged)
	}
	return nil
}

// fits reports whether the arrays have consistent lengths.
func (s *Snapshot) fits() bool {
	n, d := len(s.nodes), &s.dict
	return len(s.ids) == n && len(s.nodeFiles) == n && len(s.sizes) == n && len(s.edgeFiles) == len(s.out) && len(s.outEnds) == n && len(s.inEnds) == n && len(s.in) == len(s.out) && len(s.qualified) == n &&
		len(s.keyEnds) == len(s.keys) && len(s.pathEnds) == len(s.paths) &&
		len(s.termEnds) == len(s.terms) && len(s.termCounts) == len(s.terms) &&
		len(d.Labels) == len(d.LabelCount) && len(d.Types) == len(d.TypeCount)
}

// view maps an array onto a section. Sections are aligned for any element type.
func view[T any](s *Snapshot, name string, to *[]T) error {
	p := s.parts[name]
	size := int(unsafe.Sizeof(*new(T)))
	if p == nil || len(p.data)%size != 0 {
		return fmt.Errorf("%w: section %s", ErrDamaged, name)
	}
	if len(p.data) > 0 {
		*to = unsafe.Slice((*T)(unsafe.Pointer(&p.data[0])), len(p.data)/size)
	}
	return nil
}

// raw returns the bytes of an array.
func raw[T any](array []T) []byte {
	if len(array) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&array[0])), len(array)*int(unsafe.Sizeof(array[0])))
}
