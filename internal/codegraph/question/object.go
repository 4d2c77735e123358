package question

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object with ordered fields.
type Object []Field

// Field is a field of an [Object]. Its value is nil, a bool, int64, float64, string, Object, or a []any of these.
type Field struct {
	Name  string
	Value any
}

// MarshalJSON encodes the object. A number that JSON cannot represent becomes a string.
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
