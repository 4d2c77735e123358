//go:build conformance

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
)

// picture is a PNG of one red pixel, in base64.
func picture() string {
	dot := image.NewRGBA(image.Rect(0, 0, 1, 1))
	dot.Set(0, 0, color.RGBA{R: 255, A: 255})
	var b bytes.Buffer
	_ = png.Encode(&b, dot) // a buffer takes everything
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// sound is a WAV of one silent sample: mono, 8,000 of 16 bits a second, in base64.
func sound() string {
	const rate, width = 8000, 2
	b := []byte("RIFF")
	b = binary.LittleEndian.AppendUint32(b, 36+width)
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	b = binary.LittleEndian.AppendUint16(b, 1) // PCM
	b = binary.LittleEndian.AppendUint16(b, 1) // channel
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, rate*width)
	b = binary.LittleEndian.AppendUint16(b, width)
	b = binary.LittleEndian.AppendUint16(b, 8*width)
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, width)
	return base64.StdEncoding.EncodeToString(append(b, 0, 0))
}
