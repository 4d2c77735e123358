package scip

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// The field numbers in use, by message.
const (
	metadataToolInfo    = 2
	metadataProjectRoot = 3

	toolName      = 1
	toolVersion   = 2
	toolArguments = 3

	documentPath        = 1
	documentOccurrences = 2
	documentSymbols     = 3
	documentLanguage    = 4
	documentEncoding    = 6

	occurrenceRange     = 1
	occurrenceSymbol    = 2
	occurrenceRoles     = 3
	occurrenceEnclosing = 7

	symbolSymbol        = 1
	symbolRelationships = 4
	symbolKind          = 5
	symbolDisplayName   = 6
	symbolEnclosing     = 8

	relationshipSymbol         = 1
	relationshipReference      = 2
	relationshipImplementation = 3
	relationshipTypeDefinition = 4
	relationshipDefinition     = 5
)

func (s *stream) metadata(m *Metadata) error {
	f, err := s.message()
	if err != nil {
		return err
	}
	for f.next() {
		switch {
		case f.is(metadataToolInfo, protowire.BytesType):
			f.err = m.tool(f.inner())
		case f.is(metadataProjectRoot, protowire.BytesType):
			m.ProjectRoot = string(f.value)
		}
	}
	return f.err
}

func (m *Metadata) tool(f *fields) error {
	for f.next() {
		switch {
		case f.is(toolName, protowire.BytesType):
			m.Tool = string(f.value)
		case f.is(toolVersion, protowire.BytesType):
			m.ToolVersion = string(f.value)
		case f.is(toolArguments, protowire.BytesType):
			m.Arguments = append(m.Arguments, string(f.value))
		}
	}
	return f.err
}

func (s *stream) document() (*Document, error) {
	f, err := s.message()
	if err != nil {
		return nil, err
	}
	r := &reader{known: map[string]string{}}
	d := &Document{}
	for f.next() {
		switch {
		case f.is(documentPath, protowire.BytesType):
			d.Path = string(f.value)
		case f.is(documentLanguage, protowire.BytesType):
			d.Language = string(f.value)
		case f.is(documentEncoding, protowire.VarintType):
			d.Encoding = Encoding(min(f.num, 255))
		case f.is(documentOccurrences, protowire.BytesType):
			var o Occurrence
			o, f.err = r.occurrence(f.inner())
			d.Occurrences = append(d.Occurrences, o)
		case f.is(documentSymbols, protowire.BytesType):
			var i SymbolInfo
			i, f.err = r.symbol(f.inner())
			d.Symbols = append(d.Symbols, i)
		}
	}
	return d, f.err
}

// reader reads the messages of one document. It interns strings, because symbols are repeated many times.
type reader struct{ known map[string]string }

func (r *reader) text(b []byte) string {
	if s, ok := r.known[string(b)]; ok {
		return s
	}
	s := string(b)
	r.known[s] = s
	return s
}

func (r *reader) occurrence(f *fields) (o Occurrence, err error) {
	var at, around []int
	for f.next() {
		switch {
		case f.number == occurrenceRange:
			at = f.numbers(at)
		case f.is(occurrenceSymbol, protowire.BytesType):
			o.Symbol = r.text(f.value)
		case f.is(occurrenceRoles, protowire.VarintType):
			o.Roles = Role(f.num)
		case f.number == occurrenceEnclosing:
			around = f.numbers(around)
		}
	}
	if f.err != nil {
		return o, f.err
	}
	var ok bool
	if o.Range, ok = toRange(at); !ok {
		f.fail(message.New("a range of the numbers %v", at))
	}
	if len(around) > 0 {
		if o.Enclosing, ok = toRange(around); !ok {
			f.fail(message.New("an enclosing range of the numbers %v", around))
		}
	}
	return o, f.err
}

// toRange converts a range: start line, start column, end line, end column. The end line is omitted if it equals
// the start line.
func toRange(n []int) (r Range, ok bool) {
	switch len(n) {
	case 3:
		r = Range{n[0], n[1], n[0], n[2]}
	case 4:
		r = Range{n[0], n[1], n[2], n[3]}
	default:
		return Range{}, false
	}
	positive := r.StartLine >= 0 && r.StartColumn >= 0 && r.EndColumn >= 0
	forwards := r.EndLine > r.StartLine || r.EndLine == r.StartLine && r.EndColumn >= r.StartColumn
	return r, positive && forwards
}

func (r *reader) symbol(f *fields) (i SymbolInfo, err error) {
	for f.next() {
		switch {
		case f.is(symbolSymbol, protowire.BytesType):
			i.Symbol = r.text(f.value)
		case f.is(symbolKind, protowire.VarintType):
			i.Kind = int(int32(f.num))
		case f.is(symbolDisplayName, protowire.BytesType):
			i.DisplayName = r.text(f.value)
		case f.is(symbolEnclosing, protowire.BytesType):
			i.Enclosing = r.text(f.value)
		case f.is(symbolRelationships, protowire.BytesType):
			var to Relationship
			to, f.err = r.relationship(f.inner())
			i.Relationships = append(i.Relationships, to)
		}
	}
	return i, f.err
}

func (r *reader) relationship(f *fields) (to Relationship, err error) {
	for f.next() {
		switch {
		case f.is(relationshipSymbol, protowire.BytesType):
			to.Symbol = r.text(f.value)
		case f.is(relationshipReference, protowire.VarintType):
			to.Reference = f.num != 0
		case f.is(relationshipImplementation, protowire.VarintType):
			to.Implementation = f.num != 0
		case f.is(relationshipTypeDefinition, protowire.VarintType):
			to.TypeDefinition = f.num != 0
		case f.is(relationshipDefinition, protowire.VarintType):
			to.Definition = f.num != 0
		}
	}
	return to, f.err
}
