package teamserver

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// policy is the content security policy of all answers.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guarded refuses requests for other hosts and from other sites, tokens in addresses, and large bodies, and adds the
// security headers.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin") // without any, browsers send forms with "Origin: null", which is refused
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case r.URL.Path == "/healthz", r.URL.Path == "/readyz": // probes know addresses
			next.ServeHTTP(w, r)
		case !s.ownHost(r.Host):
			s.refuse(w, r, http.StatusMisdirectedRequest, message.New("this server has another name"))
		case !s.ownOrigin(r):
			s.refuse(w, r, http.StatusForbidden, message.New("requests of other sites are not answered"))
		case hasToken(r.URL):
			s.refuse(w, r, http.StatusBadRequest, message.New("a token must not be in an address, where it is logged and kept: revoke it, and send the next one in the header Authorization"))
		default:
			s.withBody(w, r, next)
		}
	})
}

// withBody reads the body of a request, which is short.
func (s *Server) withBody(w http.ResponseWriter, r *http.Request, next http.Handler) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		s.refuse(w, r, http.StatusRequestEntityTooLarge, message.New("a request has at most %d bytes", maxBody))
		return
	}
	if err != nil {
		s.refuse(w, r, http.StatusBadRequest, message.New("the request ended early"))
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	next.ServeHTTP(w, r)
}

// refuse answers with a reason.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, status int, why message.Text) {
	if n := noteOf(r.Context()); n != nil {
		n.refused = why.String()
	}
	http.Error(w, why.In(s.o.Lang), status)
}

// ownHost reports whether a Host header is that of the server's address.
func (s *Server) ownHost(host string) bool {
	if strings.EqualFold(host, s.o.URL.Host) {
		return true
	}
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	return loopback(name) && loopback(s.o.URL.Hostname())
}

// ownOrigin reports whether a request is not one of another web site.
func (s *Server) ownOrigin(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != s.o.URL.Scheme || !s.ownHost(u.Host) {
			return false
		}
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true // links lead here
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin" || site == "none"
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && address.IsLoopback()
}

// hasToken reports whether an address holds a token, or a parameter where others put one.
func hasToken(u *url.URL) bool {
	text := u.RequestURI()
	if plain, err := url.QueryUnescape(text); err == nil {
		text += plain
	}
	if strings.Contains(text, shared.SecretPrefix) {
		return true
	}
	for name := range u.Query() {
		switch strings.ToLower(name) {
		case "access_token", "token", "api_key", "apikey", "authorization":
			return true
		}
	}
	return false
}
