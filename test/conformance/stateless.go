//go:build conformance

package main

import (
	"encoding/json"
	"net/http"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// isStateless reports whether a request has no session, as since revision
// 2026-07-28: it has the version of the protocol in a header and in the message.
func isStateless(r *http.Request, m message) bool {
	return mcpgo.IsModernProtocol(r.Header.Get(versionHeader)) || mcpgo.IsModernProtocol(m.version())
}

// misfit is the problem with the version of a stateless request, as an error of
// JSON-RPC; nil for nothing.
func misfit(r *http.Request, m message) *mcpgo.JSONRPCErrorDetails {
	if !m.wantsAnswer() || m.version() == r.Header.Get(versionHeader) {
		return nil
	}
	e := mcpgo.NewJSONRPCErrorDetails(mcpgo.HEADER_MISMATCH, versionHeader+" is not the version that the message says", nil)
	if m.version() == "" {
		e = mcpgo.NewJSONRPCErrorDetails(mcpgo.INVALID_PARAMS, "the message says no version", nil)
	}
	return &e
}

// refuse answers a request with an error.
func refuse(w http.ResponseWriter, m message, e mcpgo.JSONRPCErrorDetails) {
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(m.id()), "error": e})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status(e.Code))
	_, _ = w.Write(line) // a client that is gone misses nothing
}

// status is the HTTP status of the answer to a stateless request, by the code of its
// error; 0 for none.
func status(code int) int {
	switch code {
	case mcpgo.METHOD_NOT_FOUND:
		return http.StatusNotFound
	case mcpgo.PARSE_ERROR, mcpgo.INVALID_REQUEST, mcpgo.INVALID_PARAMS, mcpgo.HEADER_MISMATCH,
		mcpgo.MISSING_REQUIRED_CLIENT_CAPABILITY, mcpgo.UNSUPPORTED_PROTOCOL_VERSION:
		return http.StatusBadRequest
	default:
		return http.StatusOK
	}
}
