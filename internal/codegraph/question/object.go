package question

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object whose fields keep their order.
type Object []Field

// Field is a field of an [Object]. Its value is nil, a bool, an int64, a float64, a
// string, an Object, or a []any of these.
type Field struct {
	Name  string
	Value any
}

// MarshalJSON writes the object. A number that JSON has not becomes a string.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(f.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(f.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
