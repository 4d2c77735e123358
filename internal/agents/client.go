// Package agents registers the program with coding agents where no plugin marketplace does. It
// adds the MCP server to the client's configuration file, leaving all other bytes unchanged,
// and copies the skills to the client's folder for skills. It also unpacks the embedded
// plugin.
//
// [Add] and [Remove] only compute the changes: a [Change] has the contents of a file before
// and after, and [Change.Apply] writes it.
//
// JSON is parsed by hujson and edited in place by this package: hujson.Patch writes a new
// member without indentation at the start of a line, drops the comments of one that it
// removes, and of two members of one name changes the first, while readers take the last.
// TOML is edited by lines, and the result is read again and compared: go-toml's parser for
// edits (v2.4.3) is marked as unstable, gives no position for an array, and would be a
// second TOML reader.
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

// client describes the configuration of a coding agent.
type client struct {
	name string
	// Paths of the configuration file and the folder for skills, in a project or in the user's
	// home.
	file, skills func(p places) string
	section      string // key of the object or table of servers in the file
	typed        bool   // an entry names its transport
	// folder is the client's placeholder for the project's folder in a project's configuration;
	// "" for a client that starts servers in that folder.
	folder string
}

// places are the base folders of configurations.
type places struct {
	project string // "" for the user's configuration
	home    string
	getenv  func(string) string
}

// in returns a function for a path in the project or in the user's home.
func in(project, user string) func(places) string {
	return func(p places) string {
		if p.project != "" {
			return filepath.Join(p.project, filepath.FromSlash(project))
		}
		return filepath.Join(p.home, filepath.FromSlash(user))
	}
}

// inHome is like in, but an environment variable may name the user's folder.
func inHome(project, variable, folder, user string) func(places) string {
	return func(p places) string {
		if p.project != "" {
			return filepath.Join(p.project, filepath.FromSlash(project))
		}
		return filepath.Join(cmp.Or(p.getenv(variable), filepath.Join(p.home, folder)), filepath.FromSlash(user))
	}
}

const mcpServers = "mcpServers"

// clients returns all known clients.
func clients() []client {
	return []client{
		{"claude", inHome(".mcp.json", "CLAUDE_CONFIG_DIR", "", ".claude.json"), inHome(".claude/skills", "CLAUDE_CONFIG_DIR", ".claude", "skills"), mcpServers, true, ""},
		{"codex", inHome(".codex/config.toml", "CODEX_HOME", ".codex", "config.toml"), in(".agents/skills", ".agents/skills"), "mcp_servers", false, ""},
		{"gemini", in(".gemini/settings.json", ".gemini/settings.json"), in(".gemini/skills", ".gemini/skills"), mcpServers, false, ""},
		{"cursor", in(".cursor/mcp.json", ".cursor/mcp.json"), in(".cursor/skills", ".cursor/skills"), mcpServers, true, "${workspaceFolder}"},
		{"vscode", codeFile, in(".github/skills", ".copilot/skills"), "servers", true, "${workspaceFolder}"},
	}
}

// codeFile returns the path of VS Code's configuration.
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

// Clients returns the names of all known clients.
func Clients() []string {
	var names []string
	for _, c := range clients() {
		names = append(names, c.name)
	}
	return names
}

// UnknownClientError reports an unknown client name.
type UnknownClientError struct{ Name string }

func (e *UnknownClientError) text() message.Text {
	if near := suggest.Nearest(e.Name, Clients()); near != "" {
		return message.New("unknown client %q (%s); did you mean %s?", e.Name, strings.Join(Clients(), ", "), near)
	}
	return message.New("unknown client %q (%s)", e.Name, strings.Join(Clients(), ", "))
}

func (e *UnknownClientError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *UnknownClientError) In(lang message.Lang) string { return e.text().In(lang) }

func find(name string) (client, error) {
	for _, c := range clients() {
		if c.name == name {
			return c, nil
		}
	}
	return client{}, &UnknownClientError{name}
}

// pair is a key with its value.
type pair struct {
	key   string
	value any
}

// entry returns the server's entry in a project's or a user's configuration.
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
