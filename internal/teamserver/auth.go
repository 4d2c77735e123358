package teamserver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// How long what the store said of a token holds. A revoked token ends after freshFor; while the store is away, one that was
// seen goes on for staleFor.
const (
	freshFor = 5 * time.Second
	staleFor = 5 * time.Minute
	maxSeen  = 10_000 // tokens, and what is none
)

// tokens looks tokens up.
type tokens struct {
	graphs *graphs.Graphs
	now    func() time.Time

	mu   sync.Mutex
	seen map[string]seen // by hash
}

// seen is what the store said of a hash.
type seen struct {
	token store.Token
	none  bool
	when  time.Time
}

func newTokens(g *graphs.Graphs, now func() time.Time) *tokens {
	return &tokens{graphs: g, now: now, seen: map[string]seen{}}
}

// known reports whether a hash needs no look into the store.
func (t *tokens) known(hash string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, ok := t.seen[hash]
	return ok && t.now().Sub(s.when) < freshFor
}

// find returns the token with a hash. The error wraps [store.ErrNoToken] if there is none, or if it has expired.
func (t *tokens) find(ctx context.Context, hash string) (store.Token, error) {
	t.mu.Lock()
	s, ok := t.seen[hash]
	t.mu.Unlock()
	if !ok || t.now().Sub(s.when) >= freshFor {
		found, err := t.graphs.Token(ctx, hash)
		switch {
		case err == nil || errors.Is(err, store.ErrNoToken):
			s = seen{found, err != nil, t.now()}
			t.keep(hash, s)
		case !ok || s.none || t.now().Sub(s.when) >= staleFor:
			return store.Token{}, err
		}
	}
	if s.none || !s.token.Expires.IsZero() && !t.now().Before(s.token.Expires) {
		return store.Token{}, store.ErrNoToken
	}
	return s.token, nil
}

// keep notes what the store said.
func (t *tokens) keep(hash string, s seen) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.seen) >= maxSeen {
		clear(t.seen)
	}
	t.seen[hash] = s
}

// reachable returns nil if the store answers.
func (t *tokens) reachable(ctx context.Context) error {
	_, err := t.graphs.Token(ctx, "")
	if errors.Is(err, store.ErrNoToken) {
		return nil
	}
	return err
}

type tokenKey struct{}

// tokenOf returns the token of a request that was let in.
func tokenOf(ctx context.Context) store.Token {
	t, _ := ctx.Value(tokenKey{}).(store.Token)
	return t
}

// authorized lets requests with a token in its header in.
func (s *Server) authorized(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secret, given := bearer(r)
		if !given {
			s.unauthorized(w, r, message.New("send a token: Authorization: Bearer ..."))
			return
		}
		token, err := s.admit(r, shared.HashToken(secret))
		if err != nil {
			s.denied(w, r, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(s.let(r.Context(), token)))
	})
}

// let returns the context of a request with a token.
func (s *Server) let(ctx context.Context, t store.Token) context.Context {
	if n := noteOf(ctx); n != nil {
		n.token = t.Name
	}
	return store.WithAccess(context.WithValue(ctx, tokenKey{}, t), t.Access)
}

// bearer returns the token of the header Authorization.
func bearer(r *http.Request) (secret string, given bool) {
	scheme, secret, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	secret = strings.TrimSpace(secret)
	return secret, ok && strings.EqualFold(scheme, "Bearer") && secret != ""
}

// errGuesses is the error of an address that sent too many wrong tokens.
var errGuesses = message.Errorf("too many wrong tokens: try again in a minute")

// admit returns the token with a hash, unless too many wrong ones came from the same address.
func (s *Server) admit(r *http.Request, hash string) (store.Token, error) {
	from, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		from = r.RemoteAddr
	}
	if !s.tokens.known(hash) && !s.limits.mayGuess(from) {
		return store.Token{}, errGuesses
	}
	t, err := s.tokens.find(r.Context(), hash)
	if errors.Is(err, store.ErrNoToken) {
		s.metrics.denied.Add(1)
		s.limits.guessed(from)
	}
	return t, err
}

// denied answers a request whose token was not admitted.
func (s *Server) denied(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, store.ErrNoToken):
		s.unauthorized(w, r, message.New("there is no such token, or it has expired"))
	case errors.Is(err, errGuesses):
		w.Header().Set("Retry-After", "60")
		s.refuse(w, r, http.StatusTooManyRequests, message.New("%v", errGuesses))
	default:
		s.o.Log.ErrorContext(r.Context(), "a token cannot be looked up", "error", err)
		w.Header().Set("Retry-After", "5")
		s.refuse(w, r, http.StatusServiceUnavailable, message.New("the store does not answer: try again in a moment"))
	}
}

func (s *Server) unauthorized(w http.ResponseWriter, r *http.Request, why message.Text) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="reverse-spec"`)
	s.refuse(w, r, http.StatusUnauthorized, why)
}
