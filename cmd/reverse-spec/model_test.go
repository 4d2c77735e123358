package main

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/llm"
	"github.com/reverse-spec/reverse-spec/llm/llmtest"
)

// fakeModel says "ok", and of the till of the scripts what is true, what it invents,
// and what a comment in the code wants it to say. It refuses where the code is about
// weapons.
func fakeModel(r llmtest.Request) llmtest.Reply {
	usage := llm.Usage{Input: 12, Output: 3}
	switch {
	case r.Schema == "":
		return llmtest.Reply{Text: "ok", Usage: usage}
	case strings.Contains(r.Body, "weapon"):
		return llmtest.Reply{Refusal: "I would rather not.", Usage: usage}
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
