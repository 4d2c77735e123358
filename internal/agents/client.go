// Package agents registers the program with coding agents by hand, where no marketplace
// does it: the MCP server in the client's own configuration file, of which every other
// byte stays, and the skills in the folder where the client looks for them. It also
// unpacks the plugin that the program carries.
//
// Nothing is written while it is found out what to write: a [Change] is one file, as it
// was and as it will be.
package agents

import (
	"cmp"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Server is the name under which the server is registered.
const Server = "reverse-spec"

// client is how a coding agent is configured.
type client struct {
	name string
	// Where the configuration and the skills are: in a project, and of a user.
	file, skills func(p places) string
	section      string // of the file: the object or table of servers
	typed        bool   // an entry says its transport
	// folder is what the client puts in for the project's folder, in a project's own
	// configuration; "" for a client that starts servers there.
	folder string
}

// places are the folders that configurations are found from.
type places struct {
	project string // "" for the user's
	home    string
	getenv  func(string) string
}

// in returns a file in the project, or in the user's home.
func in(project, user string) func(places) string {
	return func(p places) string {
		if p.project != "" {
			return filepath.Join(p.project, filepath.FromSlash(project))
		}
		return filepath.Join(p.home, filepath.FromSlash(user))
	}
}

// inHome is in, where a variable of the environment may name the user's folder.
func inHome(project, variable, folder, user string) func(places) string {
	return func(p places) string {
		if p.project != "" {
			return filepath.Join(p.project, filepath.FromSlash(project))
		}
		return filepath.Join(cmp.Or(p.getenv(variable), filepath.Join(p.home, folder)), filepath.FromSlash(user))
	}
}

const mcpServers = "mcpServers"

// clients returns all that are known.
func clients() []client {
	return []client{
		{"claude", inHome(".mcp.json", "CLAUDE_CONFIG_DIR", "", ".claude.json"), inHome(".claude/skills", "CLAUDE_CONFIG_DIR", ".claude", "skills"), mcpServers, true, ""},
		{"codex", inHome(".codex/config.toml", "CODEX_HOME", ".codex", "config.toml"), in(".agents/skills", ".agents/skills"), "mcp_servers", false, ""},
		{"gemini", in(".gemini/settings.json", ".gemini/settings.json"), in(".gemini/skills", ".gemini/skills"), mcpServers, false, ""},
		{"cursor", in(".cursor/mcp.json", ".cursor/mcp.json"), in(".cursor/skills", ".cursor/skills"), mcpServers, true, "${workspaceFolder}"},
		{"vscode", codeFile, in(".github/skills", ".copilot/skills"), "servers", true, "${workspaceFolder}"},
	}
}

// codeFile returns the configuration of VS Code.
func codeFile(p places) string {
	const user = "Code/User/mcp.json"
	switch {
	case p.project != "":
		return filepath.Join(p.project, ".vscode", "mcp.json")
	case runtime.GOOS == "darwin":
		return filepath.Join(p.home, "Library/Application Support", user)
	case runtime.GOOS == "windows":
		return filepath.Join(cmp.Or(p.getenv("APPDATA"), filepath.Join(p.home, "AppData", "Roaming")), filepath.FromSlash(user))
	}
	return filepath.Join(cmp.Or(p.getenv("XDG_CONFIG_HOME"), filepath.Join(p.home, ".config")), user)
}

// Clients returns the names of the clients that are known.
func Clients() []string {
	var names []string
	for _, c := range clients() {
		names = append(names, c.name)
	}
	return names
}

// UnknownClientError says that there is no client of a name.
type UnknownClientError struct{ Name string }

func (e *UnknownClientError) text() message.Text {
	if near := suggest.Nearest(e.Name, Clients()); near != "" {
		return message.New("unknown client %q (%s); did you mean %s?", e.Name, strings.Join(Clients(), ", "), near)
	}
	return message.New("unknown client %q (%s)", e.Name, strings.Join(Clients(), ", "))
}

func (e *UnknownClientError) Error() string { return e.text().String() }

// In is the message in a language.
func (e *UnknownClientError) In(lang message.Lang) string { return e.text().In(lang) }

func find(name string) (client, error) {
	for _, c := range clients() {
		if c.name == name {
			return c, nil
		}
	}
	return client{}, &UnknownClientError{name}
}

// pair is a key of an entry.
type pair struct {
	key   string
	value any
}

// entry returns the server as a client wants it, in a project's configuration or a user's.
func (c client) entry(command string, project bool) object {
	args := []string{"mcp-server"}
	if c.folder != "" && project {
		args = append(args, "--project", c.folder)
	}
	pairs := object{{"command", command}, {"args", args}}
	if c.typed {
		pairs = append(object{{"type", "stdio"}}, pairs...)
	}
	return pairs
}
