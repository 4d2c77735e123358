package question_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/llmtest"
)

// said is a model's answer.
func said(query, why string) llmtest.Reply {
	b, _ := json.Marshal(map[string]string{"query": query, "why_not": why})
	return llmtest.Reply{JSON: string(b), Usage: llm.Usage{Input: 100, Output: 20}}
}

// scripted are options with a model that gives the replies in turn.
func scripted(t *testing.T, replies ...llmtest.Reply) (question.Options, *llmtest.Server) {
	t.Helper()
	s := llmtest.Start(replies...)
	t.Cleanup(s.Close)
	return question.Options{Model: func(ctx context.Context) (llm.Model, error) {
		c, err := llm.Choose(ctx, llm.Settings{Provider: llm.OpenAI, Model: "m", OpenAIURL: s.URL + "/v1", Getenv: llmtest.Key})
		if err != nil {
			return nil, err
		}
		return c.Open(llm.Options{}), nil
	}}, s
}

func answer(t *testing.T, asked string, opts question.Options) *question.Answer {
	t.Helper()
	a, err := question.Ask(t.Context(), shop(t), asked, opts)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const sky = "what colours does create_user have"

func TestModelIsUsedIfNoRuleMatches(t *testing.T) {
	opts, server := scripted(t, said("MATCH (n:Enum) RETURN n.name AS name\n", ""))
	a := answer(t, sky, opts)
	if a.Query != "MATCH (n:Enum) RETURN n.name AS name" || len(a.Results) != 1 || a.Error != "" {
		t.Errorf("%+v", a)
	}
	if a.Translator != "openai/m" || a.Tokens == nil || *a.Tokens != (question.Tokens{Input: 100, Output: 20}) {
		t.Errorf("%s %+v", a.Translator, a.Tokens)
	}
	r := server.Requests()[0]
	for _, want := range []string{"DEFINES_METHOD", "is_exported", "</data id="} {
		if !strings.Contains(r.System, want) {
			t.Errorf("%q is not in the instructions", want)
		}
	}
	for _, want := range []string{sky, "UserService.create_user (src/auth/service.py)", "Class: "} {
		if !strings.Contains(r.Messages[0].Text, want) {
			t.Errorf("%q is not in\n%s", want, r.Messages[0].Text)
		}
	}
}

func TestRulePrecedesModel(t *testing.T) {
	opts, server := scripted(t, said("MATCH (n) RETURN n", ""))
	a := answer(t, "how many enums are there?", opts)
	if a.Query != "MATCH (n:Enum) RETURN count(n) AS total" || a.Translator != "rules" || a.Tokens != nil {
		t.Errorf("%+v", a)
	}
	if a = answer(t, "MATCH (n:Enum) RETURN n.name", opts); a.Translator != "cypher" || a.Tokens != nil {
		t.Errorf("%+v", a)
	}
	if a = answer(t, "", opts); a.Error == "" || len(server.Requests()) != 0 {
		t.Errorf("%+v, %d requests", a, len(server.Requests()))
	}
}

func TestModelCorrectsItsQueryOnce(t *testing.T) {
	for name, c := range map[string]struct{ query, fault string }{
		"syntax":       {"MATCH (n:Enum RETURN n", "expected ')'"},
		"writes":       {"MATCH (n) DELETE n", "DELETE is not allowed"},
		"name":         {"MATCH (n:Enum) RETURN m.name", "m"},
		"empty, label": {"MATCH (n:Enumm) RETURN n.name AS name", "no node has the label Enumm"},
	} {
		t.Run(name, func(t *testing.T) {
			opts, server := scripted(t, said(c.query, ""), said("MATCH (n:Enum) RETURN n.name AS name", ""))
			a := answer(t, sky, opts)
			if a.Error != "" || a.Query != "MATCH (n:Enum) RETURN n.name AS name" || len(a.Results) != 1 || len(a.Notes) != 0 || a.Tokens.Input != 200 {
				t.Errorf("%+v", a)
			}
			r := server.Requests()
			if len(r) != 2 || len(r[1].Messages) != 3 || r[1].Messages[1].Role != llm.Assistant || !strings.Contains(r[1].Messages[2].Text, c.fault) {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestAModelMayNotWrite(t *testing.T) {
	opts, server := scripted(t, said("MATCH (n) DELETE n", ""))
	a := answer(t, sky, opts)
	if len(server.Requests()) != 2 || a.Query != "MATCH (n) DELETE n" || !strings.HasPrefix(a.Summary, "There was an error querying the database: ") || a.Translator != "openai/m" {
		t.Errorf("%+v, %d requests", a, len(server.Requests()))
	}
}

func TestModelWithoutQuery(t *testing.T) {
	for name, c := range map[string]struct {
		reply llmtest.Reply
		want  string
	}{
		"none":    {said("", "the graph has no colours"), "no rule fits this question and openai/m found no query for it: the graph has no colours; questions like these work: "},
		"refused": {llmtest.Reply{Refusal: "no"}, "no rule fits this question and openai/m failed: "},
		"key":     {llmtest.Reply{Status: 401}, "401"},
	} {
		t.Run(name, func(t *testing.T) {
			opts, _ := scripted(t, c.reply)
			a := answer(t, sky, opts)
			if a.Query != "N/A" || len(a.Results) != 0 || !strings.Contains(a.Error, c.want) || len(a.Suggestions) == 0 || a.Translator != "openai/m" {
				t.Errorf("%+v", a)
			}
		})
	}
	a := answer(t, sky, question.Options{Model: func(context.Context) (llm.Model, error) { return nil, errors.New("no key") }})
	if want := "no rule fits this question and the model that is configured cannot be asked: no key; "; !strings.HasPrefix(a.Error, want) {
		t.Errorf("%+v", a)
	}
	a = answer(t, sky, question.Options{Model: func(context.Context) (llm.Model, error) { return nil, nil }})
	if want := "no rule fits this question and no model is configured; "; !strings.HasPrefix(a.Error, want) || a.Translator != "rules" {
		t.Errorf("%+v", a)
	}
}

func TestTheQuestionIsSentWithoutSecrets(t *testing.T) {
	opts, server := scripted(t, said("", "no"))
	answer(t, "which colour has password = \"hunter2-Xq9vBm3Lk7Pz\"", opts)
	if body := server.Requests()[0].Body; strings.Contains(body, "hunter2") {
		t.Error(body)
	}
}

func TestExplainShowsTheModelsQuery(t *testing.T) {
	opts, _ := scripted(t, said("MATCH (n RETURN n", ""), said("MATCH (n:Enum) RETURN n.name AS name", ""))
	query, plan, err := question.Explain(t.Context(), shop(t), sky, opts)
	if err != nil || query != "MATCH (n:Enum) RETURN n.name AS name" || !strings.Contains(plan, "Enum") {
		t.Errorf("%s\n%s\n%v", query, plan, err)
	}
}
