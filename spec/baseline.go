package spec

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// In specs of earlier versions the last line is the baseline: the skeleton that the spec was
// written from and the claims about it, as base64 of zstd-compressed JSON in an HTML comment. It
// is in the lock now; generating such a spec again moves it there.
const (
	baselineOpen  = "<!-- baseline-skeleton:"
	baselineClose = "-->"
)

// maxBaseline limits the decompressed size, because a spec is untrusted input.
const maxBaseline = 256 << 20

// errBaseline is returned for a baseline that cannot be read.
var errBaseline = message.Errorf("the spec's baseline is damaged; generate it again")

// WithoutBaseline returns the text of a spec without the baseline, which is often half of a file
// that an earlier version wrote.
func WithoutBaseline(src []byte) []byte {
	text, _ := cutBaseline(string(src))
	return []byte(text)
}

// baseline is the content of the last line.
type baseline struct {
	*code.Skeleton
	Claims []RecordedClaim `json:"claims"` // nil in specs of earlier versions
}

// decodeBaseline decodes the baseline line; the skeleton is nil without one. The JSON may be
// uncompressed.
func decodeBaseline(line string) (b baseline, err error) {
	text, ok := strings.CutPrefix(strings.TrimSpace(line), baselineOpen)
	if !ok {
		return b, nil // a spec may have no baseline
	}
	text = strings.TrimSpace(strings.TrimSuffix(text, baselineClose))
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
	b.Claims = sayableOf(b.Claims)
	return b, nil
}
