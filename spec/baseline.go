package spec

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// The baseline is the last line of a spec: the skeleton that the spec was written from and the
// claims about it, as base64 of zstd-compressed JSON in an HTML comment. diff compares it with
// the code.
const (
	baselineOpen  = "<!-- baseline-skeleton: "
	baselineClose = " -->"
)

// maxBaseline limits the decompressed size, because a spec is untrusted input.
const maxBaseline = 256 << 20

// errBaseline is returned for a baseline that cannot be read.
var errBaseline = message.Errorf("the spec's baseline is damaged; generate it again")

// WithoutBaseline returns the text of a spec without its last line, the baseline, which is
// often half of the file.
func WithoutBaseline(src []byte) []byte {
	text, _ := cutBaseline(string(src))
	return []byte(text)
}

// baseline is the content of the last line.
type baseline struct {
	*code.Skeleton
	Claims []RecordedClaim `json:"claims"` // nil in specs of earlier versions
}

// compressor returns the encoder of all baselines; it is safe for concurrent use.
var compressor = sync.OnceValue(func() *zstd.Encoder {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // the options are valid
	}
	return w
})

func encodeBaseline(b baseline) string {
	plain, err := json.Marshal(b)
	if err != nil {
		return "" // a skeleton always encodes
	}
	packed := compressor().EncodeAll(plain, nil)
	return baselineOpen + base64.StdEncoding.EncodeToString(packed) + baselineClose
}

// decodeBaseline decodes the baseline line; the skeleton is nil without one. It also reads the
// uncompressed JSON of earlier versions.
func decodeBaseline(line string) (b baseline, err error) {
	text, ok := strings.CutPrefix(strings.TrimSpace(line), strings.TrimSpace(baselineOpen))
	if !ok {
		return b, nil // a spec may have no baseline
	}
	text = strings.TrimSpace(strings.TrimSuffix(text, "-->"))
	plain := []byte(text)
	if !strings.HasPrefix(text, "{") {
		packed, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return b, message.Errorf("%w (%w)", errBaseline, err)
		}
		r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBaseline))
		if err != nil {
			return b, message.Errorf("baseline: %w", err)
		}
		defer r.Close()
		if plain, err = r.DecodeAll(packed, nil); err != nil {
			return b, message.Errorf("%w (%w)", errBaseline, err)
		}
	}
	if err := json.Unmarshal(plain, &b); err != nil {
		return b, message.Errorf("%w (%w)", errBaseline, err)
	}
	b.Claims = slices.DeleteFunc(b.Claims, func(c RecordedClaim) bool { return !sayable(&c.Claim) })
	return b, nil
}

// baselineOf returns the part of a skeleton that drift needs.
func baselineOf(merged code.Skeleton) *code.Skeleton {
	merged.Calls = nil
	return &merged
}
