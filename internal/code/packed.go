package code

// Pack replaces the facts of the file by their head and an encoding of the whole, which takes a fraction of the
// memory. [File.WholeFacts] returns them again.
func (f *File) Pack() {
	if f.Facts == nil || f.Packed != nil {
		return
	}
	data := Encode(f)
	head, err := DecodeHead(data)
	if err != nil {
		return // the facts stay as they are
	}
	f.Packed, f.Facts = data, head.Facts
}

// WholeFacts returns the complete facts of the file, also after [File.Pack]; nil if it has none.
func (f *File) WholeFacts() *Facts {
	if f.Packed == nil {
		return f.Facts
	}
	whole, err := Decode(f.Packed)
	if err != nil {
		return nil // what Encode writes can be decoded
	}
	return whole.Facts
}
