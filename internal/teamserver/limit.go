package teamserver

import (
	"cmp"
	"context"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// DefaultRate is how many requests a minute a token may make.
const DefaultRate = 600

const (
	burst      = 6  // a token may make a minute's requests in 60/burst seconds
	guesses    = 20 // wrong tokens of one address a minute
	maxBuckets = 10_000
	perCore    = 4  // questions at once
	perToken   = 64 // questions of one token that run or wait, so that one that asks much does not fill the queue
	patience   = 10 * time.Second
)

// bucket is a token bucket: what is left, at a time.
type bucket struct {
	left float64
	at   time.Time
}

// buckets are buckets by name, with a rate per minute and a size.
type buckets struct {
	rate, size float64
	now        func() time.Time

	mu  sync.Mutex
	all map[string]*bucket
}

func newBuckets(rate, size float64, now func() time.Time) *buckets {
	return &buckets{rate: rate, size: size, now: now, all: map[string]*bucket{}}
}

// take takes n out of a bucket, and returns how long to wait if that is not there; 0 if it was.
func (b *buckets) take(name string, n float64) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	one := b.all[name]
	if one == nil {
		b.makeRoom(now)
		one = &bucket{b.size, now}
		b.all[name] = one
	}
	one.left = min(b.size, one.left+now.Sub(one.at).Minutes()*b.rate)
	one.at = now
	need := max(n, 1)
	if one.left < need {
		return time.Duration((need - one.left) / b.rate * float64(time.Minute))
	}
	one.left -= n
	return 0
}

// makeRoom forgets buckets that are full again, or all where those are too few.
func (b *buckets) makeRoom(now time.Time) {
	if len(b.all) < maxBuckets {
		return
	}
	for name, one := range b.all {
		if one.left+now.Sub(one.at).Minutes()*b.rate >= b.size {
			delete(b.all, name)
		}
	}
	if len(b.all) >= maxBuckets {
		clear(b.all)
	}
}

// limits bound what tokens and strangers ask.
type limits struct {
	requests *buckets // by token
	wrong    *buckets // by address
	running  chan struct{}

	mu    sync.Mutex
	share map[string]int // questions that run or wait, by token
}

func newLimits(o Options) *limits {
	rate := float64(cmp.Or(o.Rate, DefaultRate))
	return &limits{
		requests: newBuckets(rate, max(1, rate/burst), o.Now), wrong: newBuckets(guesses, guesses, o.Now),
		running: make(chan struct{}, cmp.Or(o.Concurrent, perCore*runtime.GOMAXPROCS(0))), share: map[string]int{},
	}
}

// mayGuess reports whether an address has not sent too many wrong tokens.
func (l *limits) mayGuess(from string) bool { return l.wrong.take(from, 0) == 0 }

// guessed notes a wrong token of an address.
func (l *limits) guessed(from string) { l.wrong.take(from, 1) }

// enter lets a question of a token run when there is room; ok is false if there was none in time.
func (l *limits) enter(ctx context.Context, token string) (leave func(), ok bool) {
	l.mu.Lock()
	if l.share[token] >= perToken {
		l.mu.Unlock()
		return nil, false
	}
	l.share[token]++
	l.mu.Unlock()
	out := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.share[token]--; l.share[token] == 0 {
			delete(l.share, token)
		}
	}
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case l.running <- struct{}{}:
		return func() { <-l.running; out() }, true
	case <-timeout.C:
	case <-ctx.Done():
	}
	out()
	return nil, false
}

// limited bounds the requests of a token, and the time of each.
func (s *Server) limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := tokenOf(r.Context()).Name
		if wait := s.limits.requests.take(name, 1); wait > 0 {
			s.metrics.limited.Add(1)
			w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
			s.refuse(w, r, http.StatusTooManyRequests, message.New("too many requests with this token: wait, and ask again"))
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), answerTimeout)
		defer cancel()
		leave, ok := s.limits.enter(ctx, name)
		if !ok {
			s.metrics.busy.Add(1)
			w.Header().Set("Retry-After", "5")
			s.refuse(w, r, http.StatusServiceUnavailable, message.New("the server is busy: try again in a moment"))
			return
		}
		defer leave()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}
