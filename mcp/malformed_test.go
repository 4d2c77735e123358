package mcp_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// seeds are the messages that the malformed ones are made from.
var seeds = []string{
	`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`,
	`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
	`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"src/auth"},"_meta":{"progressToken":"p"}}}`,
	`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"panic","arguments":{}}}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"no"}}`,
	`{"jsonrpc":"2.0","id":4,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
	`{"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
	`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},"task":{"ttl":1}}}`,
	`{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}`,
}

// values are put where something else belongs.
var values = []string{
	`null`, `true`, `0`, `-1`, `1.5`, `1e999`, `-1e-999`, `9007199254740993`, `""`, `"\u0000"`, `"\ud800"`, `"\udc00\ud800"`,
	`[]`, `[[]]`, `{}`, `{"":{}}`, `{"a":1,"a":2}`, "\"\xff\xfe\"", "\"\x00\"", `'x'`, `NaN`, `undefined`, `//`, ``,
}

// malformed returns the n-th of the malformed messages; each n gives the same.
func malformed(n uint64) []byte {
	r := rand.New(rand.NewPCG(n, 11))
	seed := seeds[r.IntN(len(seeds))]
	value := values[r.IntN(len(values))]
	switch n % 12 {
	case 0: // noise
		b := make([]byte, r.IntN(400))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	case 1: // cut off
		return []byte(seed[:r.IntN(len(seed))])
	case 2: // one byte changed
		b := []byte(seed)
		b[r.IntN(len(b))] = byte(r.Uint32())
		return b
	case 3: // a member's value replaced
		at := strings.Split(seed, ":")
		i := 1 + r.IntN(len(at)-1)
		_, rest, _ := strings.Cut(at[i], ",")
		at[i] = value + "," + rest
		return []byte(strings.Join(at, ":"))
	case 4: // params of every kind
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, n, value)
	case 5: // arguments of every kind
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":%s}}`, n, value)
	case 6: // ids of every kind
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"echo"}}`, value)
	case 7: // ids of every length
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":"ping"}`, strings.Repeat("9", 1+r.IntN(5000)))
	case 8: // depth
		depth := 1 + r.IntN(30_000)
		open, shut := strings.Repeat("[", depth), strings.Repeat("]", depth-r.IntN(2))
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":%s%s}}}`, n, open, shut)
	case 9: // other versions, other methods
		return fmt.Appendf(nil, `{"jsonrpc":%s,"id":%d,"method":%s}`, value, n, values[r.IntN(len(values))])
	case 10: // batches
		return fmt.Appendf(nil, `[%s,%s]`, seed, value)
	default: // two messages run together, with noise between
		return []byte(seed + value + seeds[r.IntN(len(seeds))])
	}
}

// survives serves input, checks all that comes back, and that a ping at the end
// is answered.
func survives(t *testing.T, input []byte) {
	t.Helper()
	bad := doing("panic", func(context.Context) (any, error) { panic("on purpose") })
	var out bytes.Buffer
	in := strings.NewReader(string(input) + "\n" + `{"jsonrpc":"2.0","id":"still there?","method":"ping"}`)
	if err := fake(echo(), bad).Serve(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	alive := false
	for line := range strings.Lines(out.String()) {
		line, whole := strings.CutSuffix(line, "\n")
		if !whole {
			t.Fatalf("a line without an end: %.300q", line)
		}
		m := decode(t, line)
		alive = alive || string(m.ID) == `"still there?"` && m.Error == nil
	}
	if !alive {
		t.Fatalf("no answer at the end:\n%.2000s", out.String())
	}
}

func TestAThousandMalformedMessagesAreSurvived(t *testing.T) {
	var input bytes.Buffer
	for n := range uint64(1000) {
		input.Write(malformed(n))
		input.WriteByte('\n')
	}
	survives(t, input.Bytes())
}

func FuzzServe(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	for n := range uint64(120) {
		if b := malformed(n); len(b) < 4096 {
			f.Add(b)
		}
	}
	f.Fuzz(survives)
}
