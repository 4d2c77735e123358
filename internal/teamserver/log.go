package teamserver

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// note is what is logged of a request. Queries, headers and bodies are not.
type note struct {
	token   string
	tool    string
	refused string
}

type noteKey struct{}

func noteOf(ctx context.Context) *note {
	n, _ := ctx.Value(noteKey{}).(*note)
	return n
}

// recorder notes what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int
}

// WriteHeader implements [http.ResponseWriter].
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *recorder) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += n
	return n, err
}

// Unwrap is for [http.NewResponseController].
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush implements [http.Flusher].
func (w *recorder) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// longestPath bounds what is logged of a path.
const longestPath = 200

// logged logs each request, and answers one that panics.
func (s *Server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, id, n, rec := time.Now(), rand.Text()[:12], &note{}, &recorder{ResponseWriter: w}
		ctx := message.With(context.WithValue(r.Context(), noteKey{}, n), message.Choice{Lang: s.o.Lang})
		w.Header().Set("X-Request-Id", id)
		s.metrics.open.Add(1)
		defer func() {
			if p := recover(); p != nil {
				s.o.Log.ErrorContext(ctx, "request panicked", "id", id, "panic", p, "stack", string(debug.Stack()))
				if rec.status == 0 {
					http.Error(rec, message.New("the server failed: its log has the request %s", id).In(s.o.Lang), http.StatusInternalServerError)
				}
			}
			s.metrics.open.Add(-1)
			took := time.Since(began)
			s.metrics.request(routeOf(r), rec.status, took)
			s.log(ctx, r, rec, n, id, took)
		}()
		next.ServeHTTP(rec, r.WithContext(ctx))
	})
}

// log writes a line.
func (s *Server) log(ctx context.Context, r *http.Request, rec *recorder, n *note, id string, took time.Duration) {
	level, path := slog.LevelInfo, r.URL.Path
	if hasToken(r.URL) {
		path = "" // it may hold the token
	}
	switch path {
	case "/healthz", "/readyz", "/metrics":
		level = slog.LevelDebug
	}
	args := []any{"id", id, "method", r.Method, "path", path[:min(len(path), longestPath)], "status", rec.status, "bytes", rec.bytes, "ms", took.Milliseconds(), "from", r.RemoteAddr}
	for _, more := range [][2]string{{"token", n.token}, {"tool", n.tool}, {"refused", n.refused}} {
		if more[1] != "" {
			args = append(args, more[0], more[1])
		}
	}
	s.o.Log.Log(ctx, level, "request", args...)
}
