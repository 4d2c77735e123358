package teamserver

import (
	"crypto/rand"
	"net/http"
	"sync"
	"time"
)

// How long sessions last without a request, and how many there are.
const (
	sessionIdle = time.Hour      // of an agent
	loginIdle   = 12 * time.Hour // of a browser
	maxSessions = 20_000
)

// sessions are sessions of tokens. A session is good for its token alone.
type sessions struct {
	now  func() time.Time
	idle time.Duration

	mu  sync.Mutex
	all map[string]*session
}

type session struct {
	hash string // of the token
	used time.Time
}

func newSessions(now func() time.Time, idle time.Duration) *sessions {
	return &sessions{now: now, idle: idle, all: map[string]*session{}}
}

// start begins a session.
func (s *sessions) start(hash string) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.all) >= maxSessions {
		s.makeRoom()
	}
	id = rand.Text() + rand.Text()
	s.all[id] = &session{hash, s.now()}
	return id
}

// makeRoom removes what was not used for too long, or else the session that was not used for the longest time.
func (s *sessions) makeRoom() {
	oldest, now := "", s.now()
	for id, one := range s.all {
		if now.Sub(one.used) >= s.idle {
			delete(s.all, id)
		} else if oldest == "" || one.used.Before(s.all[oldest].used) {
			oldest = id
		}
	}
	if len(s.all) >= maxSessions {
		delete(s.all, oldest)
	}
}

// find returns the token's hash of a session, "" for none, and notes that it is used.
func (s *sessions) find(id string) (hash string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.all[id]
	if one == nil {
		return ""
	}
	if s.now().Sub(one.used) >= s.idle {
		delete(s.all, id)
		return ""
	}
	one.used = s.now()
	return one.hash
}

func (s *sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, id)
}

func (s *sessions) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all)
}

// mcpSessions are the sessions of agents, [mcp.Sessions].
type mcpSessions struct{ of *sessions }

// Start implements [mcp.Sessions].
func (m mcpSessions) Start(r *http.Request) string { return m.of.start(tokenOf(r.Context()).Hash) }

// Check implements [mcp.Sessions].
func (m mcpSessions) Check(r *http.Request, id string) bool {
	hash := m.of.find(id)
	return hash != "" && hash == tokenOf(r.Context()).Hash
}

// End implements [mcp.Sessions].
func (m mcpSessions) End(r *http.Request, id string) {
	if m.Check(r, id) {
		m.of.end(id)
	}
}
