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

// CacheUse tells what the cache did.
type CacheUse struct {
	Enabled bool `json:"enabled"`
	Hit     bool `json:"hit"`
}

// cache keeps answers in a file beside the graph's database: a mark, then records of
// a key, the length and the checksum of an answer, and the answer. What cannot be
// read counts as nothing. A nil cache keeps nothing.
type cache struct{ path string }

// CacheOff reports whether the environment switches the cache off:
// GRAPH_RAG_CACHE_ENABLED is 0 or false.
func CacheOff(getenv func(string) string) bool {
	switch strings.ToLower(strings.TrimSpace(getenv("GRAPH_RAG_CACHE_ENABLED"))) {
	case "0", "false":
		return true
	}
	return false
}

type cacheKey [sha256.Size]byte

// The bounds of the file: the oldest answers go first.
const (
	cacheEntries = 64
	cacheBytes   = 4 << 20
)

// cacheMark begins the file; another form of answers, or another way to find them,
// has another.
const cacheMark = "reverse-spec answers 2\n"

// CacheEnd is what the name of the file ends in, behind that of the graph's derived
// file; it is removed with the graph.
const CacheEnd = ".answers"

const recordHead = sha256.Size + 8

// cache returns the cache and the key of the question in it. What depends on files that
// the index does not know is not kept: that of a stale index, of other repositories,
// and what CKB had a say in. An order by a model is kept under the model's name,
// and warnings are in the language of who asked.
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
	return &cache{q.graph.Stored().Derived() + CacheEnd}, sha256.Sum256(key), err
}

// record is a kept answer.
type record struct {
	key    cacheKey
	answer []byte // JSON
}

// get returns the answer of a key; nil when it is not kept.
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

// put keeps an answer. That it cannot is no reason to fail.
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

// read returns the records, the oldest first, up to the first that is damaged.
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

// write puts a new file in the place of the old one.
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
