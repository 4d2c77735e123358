package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/reverse-spec/reverse-spec/internal/decode"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// errShape is returned for a file that is JSON and holds something else than it should.
var errShape = message.Errorf("it holds something else than servers by their names; change it by hand")

// document is a JSON text, with comments perhaps, that is changed in places while every
// other byte stays. Members are named by the way to them from the top.
type document struct {
	text []byte
	top  hujson.Value
}

func readDocument(text []byte) (*document, error) {
	top, err := decode.TreeJSON(text)
	if err != nil {
		return nil, err
	}
	return &document{text: text, top: top}, nil
}

// decodeJSON reads what a text says, which has to be an object.
func decodeJSON(text []byte) (map[string]any, error) {
	var tree map[string]any
	err := decode.JSON(text, &tree)
	if e, ok := errors.AsType[*decode.Error](err); ok && e.Kind {
		return nil, errShape
	}
	return tree, err
}

// object finds the object at a way; nil where there is none. The error is [errShape]
// where there is something else.
func (d *document) object(way ...string) (*hujson.Value, error) {
	at := &d.top
	for _, name := range way {
		o, ok := at.Value.(*hujson.Object)
		if !ok {
			return nil, errShape
		}
		i := member(o, name)
		if i < 0 {
			return nil, nil // a missing file is not an error
		}
		at = &o.Members[i].Value
	}
	if _, ok := at.Value.(*hujson.Object); !ok {
		return nil, errShape
	}
	return at, nil
}

// member returns the place of the last member of a name, which is the one that counts;
// -1 for none.
func member(o *hujson.Object, name string) int {
	for i, m := range slices.Backward(o.Members) {
		if l, ok := m.Name.Value.(hujson.Literal); ok && l.String() == name {
			return i
		}
	}
	return -1
}

// setServer returns a text in which the object named section, made if it is not there,
// has a server with an entry. Of one that is there only what differs is changed.
func setServer(text []byte, section string, e object) ([]byte, error) {
	d, err := readDocument(text)
	if err != nil {
		return nil, err
	}
	at, err := d.object(section, Server)
	if err != nil || at == nil {
		return setMember(text, []string{section}, Server, e)
	}
	for _, p := range e {
		if text, err = setMember(text, []string{section, Server}, p.key, p.value); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// setMember returns a text in which a member of the object at a way, made if it is not
// there, has a value. The rest is as it was.
func setMember(text []byte, way []string, name string, value any) ([]byte, error) {
	d, err := readDocument(text)
	if err != nil {
		return nil, err
	}
	at, err := d.object(way...)
	switch {
	case err != nil:
		return nil, err
	case at == nil:
		return setMember(text, way[:len(way)-1], way[len(way)-1], map[string]any{name: value})
	}
	o, _ := at.Value.(*hujson.Object)
	i := member(o, name)
	if i < 0 {
		return d.insert(at, name, value)
	}
	old := o.Members[i].Value
	same, err := equal(d.text[old.StartOffset:old.EndOffset], value)
	if err != nil || same {
		return text, err
	}
	written, err := d.written(value, d.indentAt(o.Members[i].Name.StartOffset))
	if !ownLine(d.text, o.Members[i].Name.StartOffset) {
		written, err = encode(value)
	}
	return splice(d.text, old.StartOffset, old.EndOffset, written), err
}

// ownLine reports whether there is only white space before a place on its line.
func ownLine(text []byte, place int) bool {
	line := text[bytes.LastIndexByte(text[:place], '\n')+1 : place]
	return len(bytes.TrimSpace(line)) == 0
}

// equal reports whether a text in JSON says what a value does.
func equal(text []byte, value any) (bool, error) {
	var old any
	if err := decode.JSON(text, &old); err != nil {
		return false, err
	}
	a, err := json.Marshal(old)
	if err != nil {
		return false, err
	}
	// Through any, so that members are in one order.
	var again any
	b, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(b, &again)
	}
	if err == nil {
		b, err = json.Marshal(again)
	}
	return bytes.Equal(a, b), err
}

// insert adds a member at the end of an object, on a line of its own unless the object
// is all on one.
func (d *document) insert(at *hujson.Value, name string, value any) ([]byte, error) {
	o, _ := at.Value.(*hujson.Object)
	end := at.EndOffset - 1 // of the contents: the brace
	place := at.StartOffset + len(bytes.TrimRight(d.text[at.StartOffset:end], " \t\r\n"))
	outer := d.indentAt(at.StartOffset)
	inner, between := outer+d.unit(), "\n"
	n := len(o.Members)
	if n > 0 {
		first := o.Members[0].Name.StartOffset
		if !bytes.Contains(d.text[at.StartOffset:first], []byte("\n")) {
			between = " "
		}
		inner = d.indentAt(first)
	}
	text, err := d.written(value, inner)
	if between == " " {
		text, err = encode(value)
		inner = ""
	}
	if err != nil {
		return nil, err
	}
	line, err := encode(name)
	if err != nil {
		return nil, err
	}
	line = append(append([]byte(between+inner), line...), ": "...)
	line = append(line, text...)
	out := d.text
	switch {
	case n == 0:
		line = append(line, "\n"+outer...)
		return splice(out, place, end, line), nil
	case o.Members[n-1].Value.AfterExtra != nil: // there is a comma at the end
		return splice(out, place, place, append(line, ',')), nil
	}
	out = splice(out, place, place, line)
	last := o.Members[n-1].Value.EndOffset
	return splice(out, last, last, []byte(",")), nil
}

// dropMember returns a text without a member of the object named section, and without
// the object when it holds no other.
func dropMember(text []byte, section, name string) ([]byte, error) {
	d, err := readDocument(text)
	if err != nil {
		return nil, err
	}
	at, err := d.object(section)
	if err != nil || at == nil {
		return text, err
	}
	o, _ := at.Value.(*hujson.Object)
	i := member(o, name)
	switch {
	case i < 0:
		return text, nil
	case len(o.Members) > 1:
		return d.drop(at, i), nil
	}
	top, _ := d.top.Value.(*hujson.Object)
	return d.drop(&d.top, member(top, section)), nil
}

// drop takes the member at i out of an object, with its comma and its line.
func (d *document) drop(at *hujson.Value, i int) []byte {
	o, _ := at.Value.(*hujson.Object)
	m := o.Members[i]
	from, to := m.Name.StartOffset, m.Value.EndOffset
	if i < len(o.Members)-1 { // the next one takes its place
		to += len(m.Value.AfterExtra) + 1
		to += len(d.text[to:]) - len(bytes.TrimLeft(d.text[to:], " \t\r\n"))
		return splice(d.text, from, to, nil)
	}
	from = at.StartOffset + len(bytes.TrimRight(d.text[at.StartOffset:from], " \t\r\n"))
	comma := m.Value.AfterExtra != nil
	if comma {
		to += len(m.Value.AfterExtra) + 1
	}
	if i == 0 { // nothing is left
		return splice(d.text, from, at.EndOffset-1, nil)
	}
	out := splice(d.text, from, to, nil)
	if before := o.Members[i-1].Value; !comma {
		at := before.EndOffset + len(before.AfterExtra)
		out = splice(out, at, at+1, nil)
	}
	return out
}

// written returns a value in JSON on as many lines as it takes, those after the first moved
// in.
func (d *document) written(value any, indent string) ([]byte, error) {
	text, err := encode(value)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = json.Indent(&b, text, indent, d.unit())
	return b.Bytes(), err
}

func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // people read it
	err := enc.Encode(value)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// indentAt returns the white space with which the line of a place begins.
func (d *document) indentAt(place int) string {
	start := bytes.LastIndexByte(d.text[:place], '\n') + 1
	line := string(d.text[start:])
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// unit is by what one level is moved in: as in the first line that is, or two spaces.
func (d *document) unit() string {
	for line := range strings.Lines(string(d.text)) {
		if rest := strings.TrimLeft(line, " \t"); len(rest) < len(line) && strings.HasPrefix(rest, `"`) {
			return line[:len(line)-len(rest)]
		}
	}
	return "  "
}

// splice returns a text with other bytes between two places.
func splice(text []byte, from, to int, by []byte) []byte {
	out := make([]byte, 0, len(text)+len(by))
	out = append(out, text[:from]...)
	out = append(out, by...)
	return append(out, text[to:]...)
}
