package handwritten_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/spec/handwritten"
)

// outline returns the ids and lines of what a spec has.
func outline(t *testing.T, file, text string) []string {
	t.Helper()
	s, err := handwritten.Parse(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out := []string{string(s.Form)}
	for _, r := range s.Requirements {
		out = append(out, fmt.Sprintf("%s:%d-%d %s", r.ID, r.Line, r.EndLine, r.Title))
		for _, c := range r.Scenarios {
			out = append(out, fmt.Sprintf("  %s:%d-%d %s", c.ID, c.Line, c.EndLine, c.Title))
		}
	}
	return out
}

func TestFormsAreRead(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		want       []string
	}{
		"OpenSpec": {
			"openspec/specs/login/spec.md",
			"# login\n\n## Requirements\n### Requirement: Sign in\nThe system SHALL.\n\n#### Scenario: Right\n- **WHEN** a\n- **THEN** b\n\n" +
				"#### Scenario: Wrong\n- **WHEN** `x`\n\n### Requirement: Sign in\nAgain.\n\n## Why\nBecause it MUST.\n",
			[]string{
				"openspec",
				"login/sign-in:4-12 Sign in", "  login/sign-in/right:7-9 Right", "  login/sign-in/wrong:11-12 Wrong",
				"login/sign-in-2:14-15 Sign in",
			},
		},
		"a change of OpenSpec": {
			"openspec/changes/x/specs/login/spec.md",
			"## REMOVED Requirements\n### Requirement: Old\nIt SHALL.\n## ADDED Requirements\n### Requirement: New\nIt SHALL.\n",
			[]string{"openspec", "login/new:5-6 New"},
		},
		"Spec Kit": {
			"specs/001-login/spec.md",
			"# Feature\n\n### User Story 1 - Sign in (Priority: P1)\n\nA user.\n\n1. **Given** a, **When** b, **Then** c\n2. **Given** d\n\n" +
				"### Functional Requirements\n\n- **FR-001**: System MUST sign in.\n- **FR-002**: System MUST sign\n  out.\n",
			[]string{
				"speckit",
				"001-login/US1:3-8 Sign in (Priority: P1)", "  001-login/US1.1:7-7 Given a, When b, Then c", "  001-login/US1.2:8-8 Given d",
				"001-login/FR-001:12-12 FR-001: System MUST sign in.", "001-login/FR-002:13-14 FR-002: System MUST sign out.",
			},
		},
		"Kiro": {
			".kiro/specs/login/requirements.md",
			"# Requirements Document\n\n### Requirement 1: Sign in\n\n**User Story:** As a user\n\n#### Acceptance Criteria\n\n1. WHEN a, THE system SHALL b\n2. IF c, THEN d\n",
			[]string{"ears", "login/1:3-10 Sign in", "  login/1.1:9-9 WHEN a, THE system SHALL b", "  login/1.2:10-10 IF c, THEN d"},
		},
		"numbered lines": {
			".kiro/specs/login/requirements.md",
			"### Requirement 2\n**Objective:** o\n#### Acceptance Criteria\n2.1 When a, it shall b.\n2.2 It shall c.\n",
			[]string{"ears", "login/2:1-5 Objective: o", "  login/2.1:4-4 When a, it shall b.", "  login/2.2:5-5 It shall c."},
		},
		"plain": {
			"docs/rules.md",
			"---\ntitle: x\n---\n# Rules\n\n## R-7: Passwords\n\nAt least eight letters.\n\n## Sessions\n\n- Sessions must end after a day.\n- They are nice.\n",
			[]string{"plain", "rules/R-7:6-8 Passwords", "rules/sessions:12-12 Sessions must end after a day."},
		},
		"Chinese": {
			"docs/规则.md", "# 规则\n\n密码必须至少八位。\n",
			[]string{"plain", "规则/规则:3-3 密码必须至少八位。"},
		},
		"line ends of Windows": {
			"a/spec.md", "# a\r\n\r\n### Requirement: B\r\nIt SHALL.\r\n",
			[]string{"openspec", "a/b:3-4 B"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, outline(t, c.file, c.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNothingDemanded(t *testing.T) {
	for _, text := range []string{"", "# Notes\n\nAll is well.\n", "```\nit MUST\n```\n"} {
		if _, err := handwritten.Parse("a.md", []byte(text)); !errors.Is(err, handwritten.ErrNone) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzParse: whatever a text is, ids are distinct and lines are in it.
func FuzzParse(f *testing.F) {
	f.Add("### Requirement: a\n#### Scenario: b\n#### Scenario: b\n")
	f.Add("### Requirement 1\n1.1 x\n1.1 y\n- z\n")
	f.Add("- FR-001: a\n> - **FR-001**: b\n1. c\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := handwritten.Parse("x/spec.md", []byte(text))
		if err != nil {
			return
		}
		lines := strings.Count(text, "\n") + 1
		seen := map[string]bool{}
		check := func(id string, first, last int) {
			if seen[id] || first < 1 || last < first || last > lines {
				t.Fatalf("%s: %d-%d of %d, seen %t", id, first, last, lines, seen[id])
			}
			seen[id] = true
		}
		for _, r := range s.Requirements {
			check(r.ID, r.Line, r.EndLine)
			for _, c := range r.Scenarios {
				check(c.ID, c.Line, c.EndLine)
			}
		}
	})
}
