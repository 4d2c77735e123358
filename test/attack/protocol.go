package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// protocol sends invalid messages and checks that the server still answers.
func protocol(r *run) {
	dir := r.project("protocol", map[string]string{"a.go": "package a\n\nfunc A() int { return 1 }\n"})
	const sessions, messages = 20, 100
	for range sessions {
		s, err := r.serve(dir)
		if err != nil {
			r.fail("the server does not start: %v", err)
			return
		}
		for range messages {
			r.tried++
			if err := s.send(r.message()); err != nil {
				r.fail("the server does not read any more: %v", err)
				break
			}
		}
		if _, err := s.ask("ping", map[string]any{}); err != nil {
			r.fail("after odd messages ping has no answer: %v %.300q", err, s.stderr.String())
		}
		r.close(s)
	}
}

// message returns a random invalid message without line breaks.
func (r *run) message() string {
	line := one(r, []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"file_path":"a.go"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"ci_call_chain","arguments":{"symbol":"A","depth":3}}}`,
		`[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","id":6,"method":"ping"}]`,
	})
	faults := []func(string) string{
		func(s string) string { return s[:r.rand.IntN(len(s))] },
		func(s string) string { return s + s },
		func(s string) string { return r.flipped(s) },
		func(s string) string { return strings.Replace(s, `"id":`, `"id":`+r.value()+`,"x":`, 1) },
		func(s string) string { return strings.Replace(s, `"params":`, `"params":`+r.value()+`,"y":`, 1) },
		func(s string) string { return strings.Replace(s, `"method":`, `"method":`+r.value()+`,"z":`, 1) },
		func(s string) string { return strings.Replace(s, `"arguments":`, `"arguments":`+r.value()+`,"z":`, 1) },
		func(s string) string { return strings.Replace(s, `"2.0"`, r.value(), 1) },
		func(string) string {
			return strings.Repeat(one(r, []string{"[", "{\"a\":", "[[],"}), 1+r.rand.IntN(50_000))
		},
		func(string) string { return r.value() },
	}
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(one(r, faults)(line))
}

// value returns a random JSON value.
func (r *run) value() string {
	long, _ := json.Marshal(strings.Repeat("\x00\u2028é", 1+r.rand.IntN(20_000)))
	return one(r, []string{
		"null", "true", "-0", "1e999", "1.5", "9223372036854775808", `""`, `"\ud800"`, "{}", "[]", "[1,[2]]",
		`{"name":null}`, string(long), fmt.Sprint(r.rand.Int64()), `{"__proto__":{}}`, "\"\xff\xfe\"",
	})
}

// flipped returns s with some bytes changed.
func (r *run) flipped(s string) string {
	text := []byte(s)
	for range 1 + r.rand.IntN(8) {
		text[r.rand.IntN(len(text))] = byte(r.rand.IntN(256))
	}
	return string(text)
}
