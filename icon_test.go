package reversespec_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"testing"
)

const iconFile = ".claude-plugin/icon.png"

// TestIconMatchesItsDrawing keeps the icon file and its drawing in sync: a prompt, and lines
// of text, the last of them checked. UPDATE=1 writes the file.
func TestIconMatchesItsDrawing(t *testing.T) {
	want := drawIcon(512)
	if os.Getenv("UPDATE") != "" {
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, want); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(iconFile, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(iconFile)
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if got.Bounds() != want.Bounds() || len(text) > 20<<10 {
		t.Fatalf("%v in %d bytes", got.Bounds(), len(text))
	}
	for i := range 512 * 512 {
		x, y := i%512, i/512
		if g := color.NRGBAModel.Convert(got.At(x, y)); g != want.NRGBAAt(x, y) {
			t.Fatalf("at %d, %d: %v, want %v (UPDATE=1 draws it)", x, y, g, want.NRGBAAt(x, y))
		}
	}
}

// stroke is a line with round ends; the picture is one unit wide and high.
type stroke struct {
	x1, y1, x2, y2, width float64
	ink                   [3]float64
}

// drawIcon draws the icon, size pixels wide and high.
func drawIcon(size int) *image.NRGBA {
	white, mint := [3]float64{246, 248, 255}, [3]float64{110, 236, 186}
	strokes := []stroke{
		{0.330, 0.300, 0.180, 0.500, 0.080, mint},
		{0.180, 0.500, 0.330, 0.700, 0.080, mint},
		{0.480, 0.310, 0.820, 0.310, 0.070, white},
		{0.480, 0.500, 0.740, 0.500, 0.070, white},
		{0.480, 0.690, 0.580, 0.690, 0.070, white},
		{0.680, 0.690, 0.730, 0.740, 0.065, mint},
		{0.730, 0.740, 0.830, 0.630, 0.065, mint},
	}
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	unit := float64(size)
	for py := range size {
		y := (float64(py) + 0.5) / unit
		for px := range size {
			x := (float64(px) + 0.5) / unit
			ink := [3]float64{44 - 22*y, 48 - 28*y, 128 - 56*y}
			for _, s := range strokes {
				cover := clamp(0.5 - unit*(s.distance(x, y)-s.width/2))
				for i := range ink {
					ink[i] += cover * (s.ink[i] - ink[i])
				}
			}
			alpha := clamp(0.5 - unit*roundedSquare(x, y, 0.22))
			img.SetNRGBA(px, py, color.NRGBA{level(ink[0]), level(ink[1]), level(ink[2]), level(255 * alpha)})
		}
	}
	return img
}

// distance returns the distance of a point from the stroke's centre line.
func (s stroke) distance(x, y float64) float64 {
	dx, dy := s.x2-s.x1, s.y2-s.y1
	at := clamp(((x-s.x1)*dx + (y-s.y1)*dy) / (dx*dx + dy*dy))
	return math.Hypot(x-s.x1-at*dx, y-s.y1-at*dy)
}

// roundedSquare returns the distance of a point from the picture with rounded corners,
// negative inside it.
func roundedSquare(x, y, radius float64) float64 {
	dx, dy := math.Abs(x-0.5)-0.5+radius, math.Abs(y-0.5)-0.5+radius
	return math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - radius
}

func clamp(v float64) float64 { return min(max(v, 0), 1) }

func level(v float64) uint8 { return uint8(math.Round(v)) }
