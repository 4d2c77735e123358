package teamserver

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// metrics are what Prometheus reads.
type metrics struct {
	open    atomic.Int64 // requests
	denied  atomic.Int64 // wrong tokens
	limited atomic.Int64 // requests beyond the rate of a token
	busy    atomic.Int64 // requests for which there was no room
	began   time.Time

	mu       sync.Mutex
	requests map[[2]string]int64 // by route and status
	took     map[string]*histogram
	calls    map[[2]string]int64 // by tool and outcome
	calling  map[string]*histogram
}

func newMetrics() *metrics {
	return &metrics{
		began: time.Now(), requests: map[[2]string]int64{}, took: map[string]*histogram{},
		calls: map[[2]string]int64{}, calling: map[string]*histogram{},
	}
}

// bounds returns the upper bounds of the histograms' buckets, in seconds.
func bounds() []float64 { return []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60} }

// histogram counts durations.
type histogram struct {
	counts []int64 // of each bound, not cumulative, and of what is above all
	sum    float64
	n      int64
}

func (h *histogram) add(d time.Duration) {
	all := bounds()
	if h.counts == nil {
		h.counts = make([]int64, len(all)+1)
	}
	i, _ := slices.BinarySearch(all, d.Seconds())
	h.counts[i]++
	h.sum += d.Seconds()
	h.n++
}

// routeOf returns the route of a request, one of a few.
func routeOf(r *http.Request) string {
	switch r.URL.Path {
	case "/mcp", "/healthz", "/readyz", "/metrics":
		return r.URL.Path
	}
	return "pages"
}

func (m *metrics) request(route string, status int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[[2]string{route, fmt.Sprint(status)}]++
	observe(m.took, route, took)
}

func (m *metrics) call(c mcp.Called) {
	outcome := "answered"
	if c.Failed {
		outcome = "failed"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls[[2]string{c.Tool, outcome}]++
	observe(m.calling, c.Tool, c.Took)
}

func observe(all map[string]*histogram, name string, took time.Duration) {
	if all[name] == nil {
		all[name] = &histogram{}
	}
	all[name].add(took)
}

// showMetrics answers with all metrics, for tokens that see all projects.
func (s *Server) showMetrics(w http.ResponseWriter, r *http.Request) {
	if !tokenOf(r.Context()).Access.All {
		s.refuse(w, r, http.StatusForbidden, message.New("metrics are for tokens that see all projects"))
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	var b strings.Builder
	s.metrics.write(&b)
	gauge(&b, "reverse_spec_sessions", "Sessions of agents.", float64(s.sessions.count()))
	gauge(&b, "reverse_spec_logins", "Sessions of browsers.", float64(s.logins.count()))
	_, _ = io.WriteString(w, b.String()) // a client that is gone misses nothing
}

// write writes the metrics in Prometheus' text form.
func (m *metrics) write(w io.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	counters(w, "reverse_spec_requests_total", "Requests answered.", [2]string{"route", "status"}, m.requests)
	histograms(w, "reverse_spec_request_seconds", "Time of requests.", "route", m.took)
	counters(w, "reverse_spec_tool_calls_total", "Tool calls answered.", [2]string{"tool", "outcome"}, m.calls)
	histograms(w, "reverse_spec_tool_seconds", "Time of tool calls.", "tool", m.calling)
	counter(w, "reverse_spec_wrong_tokens_total", "Requests with a token that is none.", m.denied.Load())
	counter(w, "reverse_spec_limited_total", "Requests beyond the rate of their token.", m.limited.Load())
	counter(w, "reverse_spec_busy_total", "Requests refused since too many others ran.", m.busy.Load())
	gauge(w, "reverse_spec_requests_open", "Requests that run.", float64(m.open.Load()))
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	gauge(w, "go_goroutines", "Goroutines.", float64(runtime.NumGoroutine()))
	gauge(w, "go_memstats_heap_inuse_bytes", "Heap in use.", float64(memory.HeapInuse))
	gauge(w, "go_memstats_sys_bytes", "Memory obtained from the system.", float64(memory.Sys))
	gauge(w, "process_start_time_seconds", "Start of the process since 1970.", float64(m.began.Unix()))
}

func head(w io.Writer, name, help, kind string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func gauge(w io.Writer, name, help string, value float64) {
	head(w, name, help, "gauge")
	fmt.Fprintf(w, "%s %g\n", name, value)
}

func counter(w io.Writer, name, help string, value int64) {
	head(w, name, help, "counter")
	fmt.Fprintf(w, "%s %d\n", name, value)
}

func counters(w io.Writer, name, help string, labels [2]string, values map[[2]string]int64) {
	head(w, name, help, "counter")
	for _, key := range sorted(values, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		fmt.Fprintf(w, "%s{%s=%q,%s=%q} %d\n", name, labels[0], key[0], labels[1], key[1], values[key])
	}
}

func histograms(w io.Writer, name, help, label string, all map[string]*histogram) {
	head(w, name, help, "histogram")
	for _, key := range sorted(all, strings.Compare) {
		h, sum := all[key], int64(0)
		for i, bound := range bounds() {
			sum += h.counts[i]
			fmt.Fprintf(w, "%s_bucket{%s=%q,le=\"%g\"} %d\n", name, label, key, bound, sum)
		}
		fmt.Fprintf(w, "%s_bucket{%s=%q,le=\"+Inf\"} %d\n%s_sum{%s=%q} %g\n%s_count{%s=%q} %d\n", name, label, key, h.n, name, label, key, h.sum, name, label, key, h.n)
	}
}

func sorted[K comparable, V any](m map[K]V, by func(a, b K) int) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, by)
	return keys
}
