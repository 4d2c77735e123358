package snapshot

import "encoding/binary"

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
