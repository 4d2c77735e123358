//go:build conformance

package main

import (
	"bytes"
	"encoding/json"
)

// message is what the bridge reads of a JSON-RPC message. Invalid messages are left to the
// server, which refuses them.
type message struct {
	line    []byte // as the server takes it, without the line end
	members struct {
		ID, Method, Params, Result, Error json.RawMessage
	}
}

// read reads a message.
func read(text []byte) message {
	var m message
	var line bytes.Buffer
	if json.Compact(&line, text) != nil || json.Unmarshal(text, &m.members) != nil {
		return message{line: bytes.ReplaceAll(text, []byte("\n"), []byte(" "))}
	}
	m.line = line.Bytes()
	return m
}

// id is the id as sent; "null" for none.
func (m message) id() string {
	if m.members.ID == nil {
		return "null"
	}
	return string(m.members.ID)
}

// method is "" for a response, and for an invalid message.
func (m message) method() string {
	var name string
	_ = json.Unmarshal(m.members.Method, &name)
	return name
}

// isAnswer reports whether the message is a response.
func (m message) isAnswer() bool {
	return m.members.Method == nil && (m.members.Result != nil || m.members.Error != nil)
}

// wantsAnswer reports whether the message is a request, or invalid.
func (m message) wantsAnswer() bool {
	isNotification := m.members.Method != nil && m.id() == "null"
	return !m.isAnswer() && !isNotification
}

// params are what the bridge reads of a message's params.
type params struct {
	ProgressToken json.RawMessage
	Meta          struct {
		ProgressToken json.RawMessage
		Version       string `json:"io.modelcontextprotocol/protocolVersion"`
	} `json:"_meta"`
}

func (m message) params() params {
	var p params
	_ = json.Unmarshal(m.members.Params, &p) // invalid params have no members
	return p
}

// token is the token of a progress notification, or of a request that wants such; "" for
// none.
func (m message) token() string {
	p := m.params()
	return string(append(p.ProgressToken, p.Meta.ProgressToken...))
}

// version is the protocol version of a request; "" for none.
func (m message) version() string { return m.params().Meta.Version }

// code is the code of an answer's error; 0 for none.
func (m message) code() int {
	var e struct{ Code int }
	_ = json.Unmarshal(m.members.Error, &e)
	return e.Code
}
