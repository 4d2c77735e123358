package mcp

// maxResultChars is how long a result may be before Claude Code moves it to a file
// and shows the model its first 2 KB. The default of 45,000 characters is less than
// the 20,000 tokens that prepare returns by default; a caller that asks for more, from any
// tool, wants to see them.
const maxResultChars = 400_000

// whole is the _meta of a tool whose results clients should not shorten.
func whole() map[string]any {
	return map[string]any{"anthropic/maxResultSizeChars": maxResultChars}
}

// upfront is the _meta of a tool that is also in front of the model from the start,
// where Claude Code shows the names of the others until one is looked for. What a
// model always sees takes room, so that only the four tools of the contract have it.
func upfront() map[string]any {
	m := whole()
	m["anthropic/alwaysLoad"] = true
	return m
}
