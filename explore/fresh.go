package explore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
)

// changed returns a warning when a file's content is not what was indexed.
func (g *Graph) changed(ctx context.Context, path string, src []byte) (string, error) {
	files, err := g.stored.Files(ctx)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")))
	for _, f := range files {
		if f.Path == path && f.Hash != hex.EncodeToString(sum[:]) {
			return path + " 自索引后已更改，行号可能有偏差 (the file has changed since it was indexed; the lines may be off: run reverse-spec index)", nil
		}
	}
	return "", nil
}
