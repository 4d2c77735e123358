package tck_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/tck"
)

const text = `# A comment
Feature: Walks1 - Walks of one step

  Background:
    Given an empty graph
    And having executed:
      """
      CREATE (:A)

        -[:T]->()
      """

  @slow
  Scenario: [1] One step: forward
    When executing query:
      """
      RETURN '\"\"\"'
      """
    Then the result should be, in any order:
      | a      | b\|c |
      # no row
      | '\\\\' | '\n' |
    And no side effects

  Scenario Outline: [2] Back by <n>
    When executing query:
      """
      RETURN <n> + $p
      """
    Then the result should be, in order:
      | sum |
      | <s> |

    Examples:
      | n | s |
      | 1 | 2 |
    Examples:
      | s | n |
      | 4 | 3 |

  Scenario: [3] None
    Then the result should be empty
`

func TestFeatureFilesAreRead(t *testing.T) {
	got, err := tck.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	background := []tck.Step{
		{Text: "an empty graph"},
		{Text: "having executed:", Doc: "CREATE (:A)\n\n  -[:T]->()"},
	}
	scenario := func(name string, example int, steps ...tck.Step) tck.Scenario {
		return tck.Scenario{Feature: "Walks1", Name: name, Example: example, Steps: append(background[:2:2], steps...)}
	}
	want := []tck.Scenario{
		scenario("[1] One step: forward", 0,
			tck.Step{Text: "executing query:", Doc: `RETURN '"""'`},
			tck.Step{Text: "the result should be, in any order:", Table: [][]string{{"a", "b|c"}, {`'\\'`, "'\n'"}}},
			tck.Step{Text: "no side effects"}),
		scenario("[2] Back by 1", 1,
			tck.Step{Text: "executing query:", Doc: "RETURN 1 + $p"},
			tck.Step{Text: "the result should be, in order:", Table: [][]string{{"sum"}, {"2"}}}),
		scenario("[2] Back by 3", 2,
			tck.Step{Text: "executing query:", Doc: "RETURN 3 + $p"},
			tck.Step{Text: "the result should be, in order:", Table: [][]string{{"sum"}, {"4"}}}),
		scenario("[3] None", 0, tck.Step{Text: "the result should be empty"}),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scenarios (-want +got):\n%s", diff)
	}
}

func TestFaultsOfFeatureFilesHaveTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"Feature: A\nGiven an empty graph":                     "line 2: a step without a scenario",
		"Feature: A\n| a |":                                    "line 2: a row without a table",
		"Feature: A\nScenario: B\n\"\"\"":                      "line 3: a text without a step",
		"Feature: A\nScenario: B\nGiven a\n\"\"\"\nMATCH":      `line 5: no """ at the end of a text`,
		"Feature: A\nScenario: B\nHowever: it does\n":          "line 3: unknown: However: it does",
		"Feature: A\nScenario: B\nGiven a\n\nwhen it does so:": "line 5: unknown: when it does so:",
	} {
		if _, err := tck.Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestStepsSayWhatIsAsked(t *testing.T) {
	step := func(text, doc string, rows ...[]string) tck.Step { return tck.Step{Text: text, Doc: doc, Table: rows} }
	for _, test := range []struct {
		name  string
		steps []tck.Step
		want  tck.Case
	}{
		{
			"a table",
			[]tck.Step{
				step("the binary-tree-1 graph", ""),
				step("having executed:", "CREATE ()"),
				step("having executed:", "CREATE (:A)"),
				step("parameters are:", "", []string{"p", "[1]"}, []string{"q", "'x'"}),
				step("executing query:", "RETURN 1"),
				step("the result should be, in order (ignoring element order for lists):", "", []string{"1"}, []string{"(:A)"}),
				step("the side effects should be:", ""),
				step("executing control query:", "RETURN 2"),
			},
			tck.Case{
				Graph: "binary-tree-1", Setup: []string{"CREATE ()", "CREATE (:A)"}, Query: "RETURN 1",
				Parameters: map[string]value.Value{"p": value.List{int64(1)}, "q": "x"},
				Want: tck.Want{
					Columns: []string{"1"}, Rows: [][]any{{tck.Node{Labels: []string{"A"}}}}, Ordered: true, AnyList: true,
				},
			},
		},
		{
			"an error",
			[]tck.Step{
				step("any graph", ""),
				step("there exists a procedure test.my.proc() :: ():", ""),
				step("executing query:", "CALL test.my.proc()"),
				step("a SyntaxError should be raised at compile time: UndefinedVariable", ""),
			},
			tck.Case{
				Procedures: true, Query: "CALL test.my.proc()",
				Want: tck.Want{Fault: &tck.Fault{Class: "SyntaxError", Phase: tck.CompileTime, Code: "UndefinedVariable"}},
			},
		},
	} {
		got, err := (&tck.Scenario{Steps: test.steps}).Case()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
