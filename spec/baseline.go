package spec

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// The baseline is the last line of a spec: the skeleton it was written from, as
// base64 of zstd-compressed JSON in an HTML comment. What diff compares with.
const (
	baselineOpen  = "<!-- baseline-skeleton: "
	baselineClose = " -->"
)

// maxBaseline bounds the decompressed size: a spec is foreign text.
const maxBaseline = 256 << 20

// errBaseline is returned for a baseline that cannot be read.
var errBaseline = message.Errorf("the spec's baseline is damaged; generate it again")

// WithoutBaseline returns a spec's text without its last line, the baseline: what
// there is to read, often half of the file.
func WithoutBaseline(src []byte) []byte {
	text, _ := cutBaseline(string(src))
	return []byte(text)
}

func encodeBaseline(s *code.Skeleton) string {
	plain, err := json.Marshal(s)
	if err != nil {
		return "" // a skeleton holds only what JSON can say
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return ""
	}
	packed := w.EncodeAll(plain, nil)
	return baselineOpen + base64.StdEncoding.EncodeToString(packed) + baselineClose
}

// decodeBaseline reads the baseline line; nil without one. JSON that is not
// packed, as earlier writers left it, is read too.
func decodeBaseline(line string) (*code.Skeleton, error) {
	text, ok := strings.CutPrefix(strings.TrimSpace(line), strings.TrimSpace(baselineOpen))
	if !ok {
		return nil, nil //nolint:nilnil // a spec without a baseline is no fault
	}
	text = strings.TrimSpace(strings.TrimSuffix(text, "-->"))
	plain := []byte(text)
	if !strings.HasPrefix(text, "{") {
		packed, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, message.Errorf("%w (%w)", errBaseline, err)
		}
		r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBaseline))
		if err != nil {
			return nil, message.Errorf("baseline: %w", err)
		}
		defer r.Close()
		if plain, err = r.DecodeAll(packed, nil); err != nil {
			return nil, message.Errorf("%w (%w)", errBaseline, err)
		}
	}
	var s code.Skeleton
	if err := json.Unmarshal(plain, &s); err != nil {
		return nil, message.Errorf("%w (%w)", errBaseline, err)
	}
	return &s, nil
}

// baselineOf is the part of a skeleton that drift needs.
func baselineOf(merged code.Skeleton) *code.Skeleton {
	merged.Calls = nil
	return &merged
}
