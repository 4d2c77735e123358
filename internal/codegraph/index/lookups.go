package index

import (
	"encoding/binary"
	"errors"
)

// decodeLookups decodes what finish encoded.
func decodeLookups(data []byte) (targets uint64, names []uint32, err error) {
	if len(data) < 8 {
		return 0, nil, errors.New("lookups are damaged")
	}
	targets = binary.LittleEndian.Uint64(data)
	var last uint32
	for data = data[8:]; len(data) > 0; {
		n, k := binary.Uvarint(data)
		if k <= 0 {
			return 0, nil, errors.New("lookups are damaged")
		}
		last += uint32(n)
		names, data = append(names, last), data[k:]
	}
	return targets, names, nil
}
