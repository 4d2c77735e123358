package question_test

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

var (
	han      = regexp.MustCompile(`\p{Han}`)
	sentence = regexp.MustCompile(`[A-Za-z]+( [a-z]{2,}){2,}`)
)

// in is a context whose messages are in a language.
func in(t *testing.T, lang message.Lang) context.Context {
	t.Helper()
	return message.With(t.Context(), message.Choice{Lang: lang})
}

// texts are those of an answer that people read.
func texts(a *question.Answer) []string {
	return append(append([]string{a.Summary, a.Error}, a.Notes...), a.Suggestions...)
}

// TestAnAnswerIsInTheLanguageOfTheRun, whatever the question is in. What package cypher
// says of a query is not looked at here.
func TestAnAnswerIsInTheLanguageOfTheRun(t *testing.T) {
	g := shop(t)
	asked, err := os.ReadFile("testdata/asked.txt")
	if err != nil {
		t.Fatal(err)
	}
	foreign := map[message.Lang]*regexp.Regexp{message.English: han, message.Chinese: sentence}
	for asked := range strings.Lines(string(asked) + "who calls run nowadays\nlist all methods\n\n") {
		if question.IsCypher(asked) {
			continue
		}
		results := map[message.Lang]int{}
		for lang, other := range foreign {
			a, err := question.Ask(in(t, lang), g, asked, question.Options{Limit: 3})
			if err != nil {
				t.Fatal(err)
			}
			results[lang] = len(a.Results)
			for _, text := range texts(a) {
				if at := other.FindString(text); at != "" {
					t.Errorf("%s: %q in %q", lang, at, text)
				}
			}
		}
		if results[message.English] != results[message.Chinese] {
			t.Errorf("%s: %v", asked, results)
		}
	}
}

func TestARefusalHasItsExamplesInTheLanguageOfTheRun(t *testing.T) {
	g := shop(t)
	for _, asked := range []string{"What is the weather today?", "今天天气怎么样？"} {
		for lang, other := range map[message.Lang]*regexp.Regexp{message.English: han, message.Chinese: sentence} {
			_, _, err := question.Explain(in(t, lang), g, asked, question.Options{})
			refused, ok := errors.AsType[*question.UntranslatedError](err)
			if !ok || len(refused.Nearest) == 0 {
				t.Fatal(err)
			}
			text := message.Render(lang, err) + message.Hint(lang, err)
			if at := other.FindString(strings.TrimSuffix(text, "MATCH (n:Class) RETURN n.name LIMIT 10")); at != "" || !strings.Contains(text, refused.Nearest[0].In(lang)) {
				t.Errorf("%s: %q in %q", lang, at, text)
			}
		}
	}
}

// TestAModelIsAskedInEnglish for people of any language, and told which one to answer in.
func TestAModelIsAskedInEnglish(t *testing.T) {
	opts, server := scripted(t, said("MATCH (n:Enumm) RETURN n.name AS name", ""), said("", "图中没有颜色"))
	a, err := question.Ask(in(t, message.Chinese), shop(t), sky, opts)
	if err != nil {
		t.Fatal(err)
	}
	if want := "没有规则适用于这个问题，且openai/m 没有找到对应的查询：图中没有颜色；可以这样提问："; !strings.HasPrefix(a.Error, want) {
		t.Errorf("%q", a.Error)
	}
	for _, r := range server.Requests() {
		if han.MatchString(r.System) || !strings.HasSuffix(r.System, "\nWrite why_not in Chinese.") {
			t.Errorf("%q", r.System)
		}
		for _, m := range r.Messages {
			if m.Role == llm.User && han.MatchString(m.Text) {
				t.Errorf("%q", m.Text)
			}
		}
	}
	last := server.Requests()[1].Messages
	if text := last[len(last)-1].Text; !strings.Contains(text, "no node has the label Enumm") {
		t.Errorf("%q", text)
	}
}
