package teamserver_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestLoad asks a server that runs, with many clients at once, and prints how long answers take: LOAD_URL, LOAD_TOKEN, and
// LOAD_CLIENTS, LOAD_SECONDS, LOAD_PROJECTS, how many projects they ask about, and LOAD_LISTS, how many of ten questions are for the list
// of projects (1; 0 for none). See docs/organisation.md.
func TestLoad(t *testing.T) {
	url, token := os.Getenv("LOAD_URL"), os.Getenv("LOAD_TOKEN")
	if url == "" {
		t.Skip("LOAD_URL names no server")
	}
	number := func(name string, other int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return other
	}
	clients, seconds, lists := number("LOAD_CLIENTS", 50), number("LOAD_SECONDS", 20), number("LOAD_LISTS", 1)
	var projects []string
	text := ask(t, url, token, "list_projects", map[string]any{})
	var list struct{ Projects []string }
	check(t, json.Unmarshal([]byte(text), &list))
	random := rand.New(rand.NewPCG(29, 29))
	for _, i := range random.Perm(len(list.Projects))[:min(number("LOAD_PROJECTS", 30), len(list.Projects))] {
		projects = append(projects, list.Projects[i])
	}
	symbols := map[string]string{}
	var first []time.Duration
	for _, p := range projects {
		began := time.Now()
		answer := ask(t, url, token, "query_code_graph", map[string]any{"project_name": p, "natural_language_query": "MATCH (f)-[:CALLS]->(g:Function) RETURN g.name AS name, count(*) AS n ORDER BY n DESC LIMIT 1"})
		first = append(first, time.Since(began))
		var rows struct {
			Results []struct{ Name string }
		}
		_ = json.Unmarshal([]byte(answer), &rows)
		if len(rows.Results) > 0 {
			symbols[p] = rows.Results[0].Name
		}
	}
	report(t, "first question about a project", first)
	var mu sync.Mutex
	took := map[string][]time.Duration{}
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			mine := rand.New(rand.NewPCG(uint64(c), 1))
			for time.Now().Before(end) {
				p := projects[mine.IntN(len(projects))]
				name, tool, arguments := "who calls", "query_code_graph", map[string]any{"project_name": p, "natural_language_query": "who calls " + symbols[p]}
				switch i := mine.IntN(10); {
				case i == 0:
					name, tool, arguments = "graph-rag", "ci_graph_rag", map[string]any{"project_name": p, "query": "where is the configuration read " + symbols[p]}
				case i == 1:
					name, tool, arguments = "call chain", "ci_call_chain", map[string]any{"project_name": p, "symbol": symbols[p], "depth": 2}
				case i < 2+lists:
					name, tool, arguments = "list", "list_projects", map[string]any{}
				}
				began := time.Now()
				ask(t, url, token, tool, arguments)
				mu.Lock()
				took[name] = append(took[name], time.Since(began))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	var together []time.Duration
	for _, name := range []string{"who calls", "graph-rag", "call chain", "list"} {
		report(t, name, took[name])
		together = append(together, took[name]...)
	}
	report(t, "all", together)
	t.Logf("%d clients, %d projects, %.0f answers a second", clients, len(projects), float64(len(together))/float64(seconds))
}

// report prints percentiles.
func report(t *testing.T, name string, took []time.Duration) {
	t.Helper()
	if len(took) == 0 {
		return
	}
	slices.Sort(took)
	at := func(share float64) time.Duration {
		return took[int(share*float64(len(took)-1))].Round(100 * time.Microsecond)
	}
	t.Logf("%s: n %d, p50 %s, p95 %s, p99 %s, most %s", name, len(took), at(.5), at(.95), at(.99), at(1))
}

// ask calls a tool in a request of its own, without a session, and returns the text of the result.
func ask(t *testing.T, url, token, tool string, arguments map[string]any) string {
	t.Helper()
	const version = "2026-07-28"
	meta := map[string]any{"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": map[string]any{}, "io.modelcontextprotocol/clientInfo": map[string]any{"name": "load", "version": "1"}}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments, "_meta": meta}})
	if err != nil {
		t.Error(err)
		return ""
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/mcp", bytes.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	for name, value := range map[string]string{"Authorization": "Bearer " + token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": version, "Mcp-Method": "tools/call", "Mcp-Name": tool} {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return ""
	}
	text, err := io.ReadAll(response.Body)
	if err == nil {
		err = response.Body.Close()
	}
	var reply struct {
		Result struct{ Content []struct{ Text string } }
		Error  any
	}
	if err == nil {
		err = json.Unmarshal(text, &reply)
	}
	if err != nil || response.StatusCode != http.StatusOK || len(reply.Result.Content) == 0 {
		t.Errorf("%s: %d %v %s", tool, response.StatusCode, err, strings.TrimSpace(string(text)))
		return ""
	}
	return reply.Result.Content[0].Text
}
