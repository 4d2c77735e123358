package view

import (
	"net"
	"net/http"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// policy is the content security policy: own styles, own script, requests to this server.
// Everything else is forbidden, including framing by other sites.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guard accepts only requests with a Host header of this machine, and adds the security
// headers. Other names are rejected to prevent DNS rebinding.
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

// ownHost reports whether a Host header is a name or address of this machine.
func ownHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return host == "127.0.0.1" || host == "localhost"
}
