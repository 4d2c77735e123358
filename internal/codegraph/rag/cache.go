package rag

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"

	reversespec "github.com/reverse-spec/reverse-spec"

	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// CacheUse describes the use of the cache.
type CacheUse struct {
	Enabled bool `json:"enabled"`
	Hit     bool `json:"hit"`
}

// cache stores answers in a file next to the graph's database. The file is a mark and records: key, length and
// checksum of an answer, and the answer. Unreadable records are ignored. A nil cache stores nothing.
type cache struct{ path string }

// cacheOff reports whether the environment switches the cache off:
// GRAPH_RAG_CACHE_ENABLED is 0 or false.
func cacheOff(getenv func(string) string) bool {
	switch strings.ToLower(strings.TrimSpace(getenv("GRAPH_RAG_CACHE_ENABLED"))) {
	case "0", "false":
		return true
	}
	return false
}

type cacheKey [sha256.Size]byte

// The limits of the file. The oldest answers are removed first.
const (
	cacheEntries = 64
	cacheBytes   = 4 << 20
)

// cacheMark begins the file. Change it with the form of answers or the way to find them.
const cacheMark = "reverse-spec answers 3\n"

// CacheSuffix is appended to the path of the graph's derived file; the cache is removed with the graph.
const CacheSuffix = ".answers"

const recordHead = sha256.Size + 8

// cache returns the cache and the key of the question. There is no cache for answers that depend on files outside
// the index: of a stale index, with other repositories, or with CKB. The key includes the model used for reranking
// and the language of warnings.
func (q *question) cache(ctx context.Context) (*cache, cacheKey, error) {
	o := &q.opts
	if o.NoCache || q.graph.Index.Stale || o.IncludeVirtual || o.Expander != nil {
		return nil, cacheKey{}, nil
	}
	state, err := q.graph.Stored().State(ctx)
	if err != nil {
		return nil, cacheKey{}, err
	}
	embedder := ""
	if o.Embedder != nil {
		embedder = o.Embedder.Name()
	}
	model := ""
	if o.Rerank && o.Model != nil {
		model = o.Model.Name()
	}
	key, err := json.Marshal([]any{reversespec.Version(), state.Identity, state.Serial, embedder, model, q.lang, q.text, o})
	return &cache{q.graph.Stored().Derived() + CacheSuffix}, sha256.Sum256(key), err
}

// record is a stored answer.
type record struct {
	key    cacheKey
	answer []byte // JSON
}

// get returns the answer for a key; nil if there is none.
func (c *cache) get(key cacheKey) *Answer {
	if c == nil {
		return nil
	}
	for _, r := range c.read() {
		if a := (&Answer{}); r.key == key && json.Unmarshal(r.answer, a) == nil {
			return a
		}
	}
	return nil
}

// put stores an answer. Errors are ignored.
func (c *cache) put(key cacheKey, a *Answer) {
	if c == nil {
		return
	}
	answer, err := json.Marshal(a)
	if err != nil {
		return
	}
	records := append(c.read(), record{key, answer})
	records = records[max(0, len(records)-cacheEntries):]
	size := 0
	for i, r := range slices.Backward(records) {
		if size += recordHead + len(r.answer); size > cacheBytes {
			records = records[i+1:]
			break
		}
	}
	_ = c.write(records)
}

// read returns the records, oldest first, up to the first damaged one.
func (c *cache) read() []record {
	data, err := openfile.Read(c.path, openfile.MaxData)
	if err != nil {
		return nil
	}
	rest, ok := bytes.CutPrefix(data, []byte(cacheMark))
	var records []record
	for ok && len(rest) >= recordHead {
		r := record{key: cacheKey(rest)}
		size, sum := binary.LittleEndian.Uint32(rest[sha256.Size:]), binary.LittleEndian.Uint32(rest[sha256.Size+4:])
		rest = rest[recordHead:]
		if uint64(size) > uint64(len(rest)) || crc32.ChecksumIEEE(rest[:size]) != sum {
			break
		}
		r.answer, rest = rest[:size], rest[size:]
		records = append(records, r)
	}
	return records
}

// write replaces the file.
func (c *cache) write(records []record) error {
	b := []byte(cacheMark)
	for _, r := range records {
		b = append(b, r.key[:]...)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(r.answer)))
		b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(r.answer))
		b = append(b, r.answer...)
	}
	f, err := os.CreateTemp(filepath.Dir(c.path), filepath.Base(c.path)+".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), c.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
