package value

// The bounds of one value, so that no query takes more than it should.
const (
	MaxList   = 10_000_000 // elements
	MaxString = 64 << 20   // bytes
	// MaxSize is what one value with all it holds may take, as [SizeOf] counts.
	MaxSize = 256 << 20
)

// What parts take, in bytes: an element of a list is an interface, one of a map has a
// key and its share of the table, and numbers are boxed.
const (
	sizeInterface = 16
	sizeBox       = 8
	sizeHeader    = 24
	sizeEntry     = 48
	sizeRelation  = 64
)

// SizeOf returns about how many bytes a value takes. What a value holds several times
// counts as often. It stops counting above [MaxSize].
func SizeOf(v Value) int64 { return sizeOf(0, v) }

// Bounded returns a value that was just made, or [ErrTooLarge].
func Bounded(v Value) (Value, error) {
	if SizeOf(v) > MaxSize {
		return nil, ErrTooLarge
	}
	return v, nil
}

// sizeOf adds the size of a value to that of what was before it.
func sizeOf(size int64, v Value) int64 {
	size += sizeInterface
	switch v := v.(type) {
	case int64, float64, Node:
		return size + sizeBox
	case string:
		return size + sizeInterface + int64(len(v))
	case List:
		return sizeOfList(size+sizeHeader, v)
	case Map:
		return sizeOfMap(size+sizeEntry, v)
	case *Path:
		return size + 2*sizeHeader + int64(len(v.Nodes))*(sizeBox+sizeInterface+sizeRelation)
	case Relationship:
		return size + sizeRelation
	}
	return size
}

func sizeOfList(size int64, l List) int64 {
	for _, v := range l {
		if size > MaxSize {
			break
		}
		size = sizeOf(size, v)
	}
	return size
}

func sizeOfMap(size int64, m Map) int64 {
	for key, v := range m {
		if size > MaxSize {
			break
		}
		size = sizeOf(size+sizeEntry+int64(len(key)), v)
	}
	return size
}
