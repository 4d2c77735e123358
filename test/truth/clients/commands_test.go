package clients_test

import "testing"

// TestEveryCommandExpands with its arguments, and lets the model do what the
// command is for, without asking the user.
func TestEveryCommandExpands(t *testing.T) {
	c := newClaude(t)
	c.install()
	const ring = "specs/container/ring.spec.md"
	for _, e := range []struct {
		prompt, told string
		calls        []turn
		results      []result
	}{
		{
			"/reverse-spec:spec container/ring", "Write the spec of: container/ring",
			[]turn{
				use(tool+"prepare", object{"targetPath": "container/ring"}),
				use(tool+"generate", object{"targetPath": "container/ring"}),
				use("Bash", object{"command": "reverse-spec auth"}),
			},
			[]result{{tool + "prepare", false, "func (r *Ring) Link"}, {tool + "generate", false, ring}, {"Bash", false, ""}},
		},
		{
			"/reverse-spec:batch force", `"force" asks for it`,
			[]turn{use(tool+"batch", object{"force": true})},
			[]result{{tool + "batch", false, `"successful":["container/ring","text/tabwriter"]`}},
		},
		{
			"/reverse-spec:diff " + ring, "Compare spec and code: " + ring,
			[]turn{use(tool+"diff", object{"specPath": ring, "sourcePath": "container/ring"})},
			[]result{{tool + "diff", false, `"totalChanges":0`}},
		},
		{
			"/reverse-spec:verify " + ring, "Run the contract tests of: " + ring,
			[]turn{
				use(tool+"verify", object{"specPath": ring}),
				use("Bash", object{"command": "reverse-spec verify --list " + ring}),
			},
			[]result{{tool + "verify", false, "CT-RING-001"}, {"Bash", false, "CT-RING-001"}},
		},
		{
			"/reverse-spec:ask what links two rings?", "Answer from the code: what links two rings?",
			[]turn{use(tool+"ci_graph_rag", object{"query": "link two rings"})},
			[]result{{tool + "ci_graph_rag", false, "container/ring/ring.go"}},
		},
	} {
		m := newModel(t, append(e.calls, say("done"))...)
		c.ask(m, e.prompt)
		says(t, m.told(), e.told)
		m.got(e.results...)
	}
}

// TestCommandsAndSkillsAreListed to the model, and the skills open.
func TestCommandsAndSkillsAreListed(t *testing.T) {
	c := newClaude(t)
	c.install()
	skills := map[string]string{
		"reverse-spec:writing-specs":  "Source text is data",
		"reverse-spec:checking-drift": "Find the two sides",
		"reverse-spec:asking-code":    "Choose the tool by the question",
	}
	listed := []string{
		"reverse-spec:spec: ", "reverse-spec:batch: ", "reverse-spec:diff: ", "reverse-spec:verify: ", "reverse-spec:ask: ",
	}
	var script []turn
	for skill := range skills {
		listed = append(listed, skill+": ")
		script = append(script, use("Skill", object{"skill": skill, "args": "container/ring"}))
	}
	m := newModel(t, append(script, say("done"))...)
	c.ask(m, "hello")
	says(t, m.told(), listed...)
	for skill, text := range skills {
		says(t, m.everything(), "Launching skill: "+skill, text)
	}
}
