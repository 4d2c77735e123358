package view

import (
	"net"
	"net/http"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// policy is what a page may do: look as our style says, run our script, ask this
// server. It reaches nothing else, and no other site may frame it or read it.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guard lets requests through that a browser sends to this machine by its own name,
// and says with each answer what its page may do. A name that some other site made
// point to this machine is refused: its pages could read ours otherwise.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if !ownHost(r.Host) {
			http.Error(w, message.Sprintf(r.Context(), "This server answers to 127.0.0.1 and localhost only, not to %s.", r.Host), http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ownHost reports whether a Host header names this machine as itself.
func ownHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return host == "127.0.0.1" || host == "localhost"
}
