package value

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// The first byte of a key, by type.
const (
	keyNull byte = iota
	keyFalse
	keyTrue
	keyInteger
	keyFloat
	keyString
	keyList
	keyMap
	keyNode
	keyRelationship
	keyPath
)

// AppendKey appends the key of a value to b. Two values have the same key if and only if they are the same
// ([Same]). Concatenated keys identify a row.
func AppendKey(b []byte, v Value) []byte {
	switch v := v.(type) {
	case bool:
		if v {
			return append(b, keyTrue)
		}
		return append(b, keyFalse)
	case int64:
		return binary.BigEndian.AppendUint64(append(b, keyInteger), uint64(v))
	case float64:
		return appendFloat(b, v)
	case string:
		return appendString(append(b, keyString), v)
	case List:
		return appendList(b, v)
	case Map:
		return appendMap(b, v)
	case Node:
		return binary.BigEndian.AppendUint32(append(b, keyNode), uint32(v))
	case *Path:
		return appendPath(b, v)
	case Relationship:
		return appendRelationship(append(b, keyRelationship), v.Key())
	}
	return append(b, keyNull)
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// appendFloat writes an integral number like the equal integer, and every NaN alike.
func appendFloat(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		f = math.NaN()
	case f == math.Trunc(f) && f >= -1<<63 && f < 1<<63:
		return AppendKey(b, int64(f))
	}
	return binary.BigEndian.AppendUint64(append(b, keyFloat), math.Float64bits(f))
}

func appendList(b []byte, l List) []byte {
	b = binary.AppendUvarint(append(b, keyList), uint64(len(l)))
	for _, v := range l {
		b = AppendKey(b, v)
	}
	return b
}

func appendMap(b []byte, m Map) []byte {
	b = binary.AppendUvarint(append(b, keyMap), uint64(len(m)))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		b = AppendKey(appendString(b, key), m[key])
	}
	return b
}

func appendRelationship(b []byte, k Key) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(k.From))
	b = binary.BigEndian.AppendUint32(b, uint32(k.To))
	b = binary.BigEndian.AppendUint64(b, uint64(k.Number))
	return appendString(b, k.Type)
}

func appendPath(b []byte, p *Path) []byte {
	b = binary.AppendUvarint(append(b, keyPath), uint64(len(p.Nodes)))
	for _, n := range p.Nodes {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	for _, r := range p.Relationships {
		b = appendRelationship(b, r.Key())
	}
	return b
}
