package value

// Limits of one value.
const (
	MaxList   = 10_000_000 // elements
	MaxString = 64 << 20   // bytes
	// MaxSize is the maximum size of a value with its contents, in bytes, as returned by [SizeOf].
	MaxSize = 256 << 20
)

// Sizes in bytes: a list element is an interface; a map entry has a key and its share of the table; numbers are
// boxed.
const (
	sizeInterface = 16
	sizeBox       = 8
	sizeHeader    = 24
	sizeEntry     = 48
	sizeRelation  = 64
)

// SizeOf returns the approximate size of a value, in bytes. Shared contents count every time. It stops counting
// above [MaxSize].
func SizeOf(v Value) int64 { return sizeOf(0, v) }

// Bounded returns v, or [ErrTooLarge] if it is too large.
func Bounded(v Value) (Value, error) {
	if SizeOf(v) > MaxSize {
		return nil, ErrTooLarge
	}
	return v, nil
}

// sizeOf adds the size of v to size.
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
