package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/llmtest"
)

// fakeModel answers "ok", and about the till of the scripts true statements, inventions, and
// what a comment in the code demands. It refuses code about weapons.
func fakeModel(r llmtest.Request) llmtest.Reply {
	usage := llm.Usage{Input: 12, Output: 3}
	switch {
	case r.Schema == "":
		return llmtest.Reply{Text: "ok", Usage: usage}
	case strings.Contains(r.Body, "weapon"):
		return llmtest.Reply{Refusal: "I would rather not.", Usage: usage}
	case strings.Contains(r.Schema, `"ranking"`):
		return llmtest.Reply{JSON: fakeRanking(r), Usage: usage}
	case strings.Contains(r.Schema, `"why_not"`):
		return llmtest.Reply{JSON: fakeQuery(r), Usage: usage}
	}
	return llmtest.Reply{Usage: usage, JSON: `{
		"intent": [{"text": "It keeps the money of one till.", "cites": ["till/till.go:5"], "inferred": false}],
		"requirements": [
			{"id": "REQ-TILL-001", "text": "` + "`Pay`" + ` refuses what is not positive.", "cites": ["till/till.go:9"], "inferred": false},
			{"id": "REQ-TILL-077", "text": "There is no such requirement.", "cites": [], "inferred": false}],
		"business_logic": [
			{"text": "It is ` + "`func Pay(amount float64, currency string)`" + `.", "cites": ["till/till.go:8"], "inferred": false},
			{"text": "` + "`Till.Refund`" + ` gives money back.", "cites": ["till/till.go:8"], "inferred": false},
			{"text": "It is certified for use in nuclear power plants.", "cites": ["till/till.go:14"], "inferred": false},
			{"text": "Sums are whole numbers.", "cites": ["till/till.go:400"], "inferred": false}],
		"constraints": [], "edge_cases": [], "technical_debt": []}`}
}

// fakeRanking returns the candidates in reverse order, without main, and with an unknown one.
func fakeRanking(r llmtest.Request) string {
	type judged struct {
		ID    string  `json:"id"`
		Score float64 `json:"score"`
	}
	list := []judged{{"c77", 1}}
	shown := regexp.MustCompile(`holds="candidate (c\d+)">\n\S+ \S+ (\S+)`).FindAllStringSubmatch(r.Messages[0].Text, -1)
	for _, m := range slices.Backward(shown) {
		if !strings.HasSuffix(m[2], ".main") {
			list = append(list, judged{ID: m[1]})
		}
	}
	for i := range list { // the first of the list is the best
		list[i].Score = 1 - float64(i)/10
	}
	return asJSON(map[string]any{"ranking": list})
}

// fakeQuery returns an invalid query, then a valid one; none about the weather.
func fakeQuery(r llmtest.Request) string {
	query, why := "MATCH (n:Function RETURN n", ""
	switch {
	case strings.Contains(r.Body, "weather"):
		query, why = "", "the graph knows no weather"
	case len(r.Messages) > 1:
		query = "MATCH (n:Function) OPTIONAL MATCH (n)-[r:CALLS]->() RETURN n.name AS name, count(r) AS calls ORDER BY calls, name LIMIT 50"
	}
	return asJSON(map[string]string{"query": query, "why_not": why})
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
