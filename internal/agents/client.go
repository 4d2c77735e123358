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
	"os"
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
	// home; "" for a client that has none there. Skills may be nil.
	file, skills func(p places) string
	section      string // key of the object or table of servers in the file
	entry        func(command string, args []string) object
	// folder is the client's placeholder for the project's folder in a project's configuration;
	// "" for a client that starts servers in that folder.
	folder string
	// programs are the names of the client's program, which a folder of PATH has where the client is installed.
	programs []string
	// sign is a file that the client makes in the folder of its configuration, where others use that folder, too; "" if none do.
	sign string
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

// The section of most clients, and that of Codex, whose configuration is TOML.
const (
	mcpServers   = "mcpServers"
	codexServers = "mcp_servers"
)

// clients returns all known clients. Files and forms are those that their makers document: for Copilot those of its command line, for
// opencode those of version 1. VS Code keeps skills in the folder of Copilot's command line. That one is not known by its program:
// the command line of AWS Copilot has the same name.
func clients() []client {
	return []client{
		{"claude", inHome(".mcp.json", "CLAUDE_CONFIG_DIR", "", ".claude.json"), inHome(".claude/skills", "CLAUDE_CONFIG_DIR", ".claude", "skills"), mcpServers, typed("stdio"), "", []string{"claude"}, ""},
		{"codex", inHome(".codex/config.toml", "CODEX_HOME", ".codex", "config.toml"), in(".agents/skills", ".agents/skills"), codexServers, plain, "", []string{"codex"}, ""},
		{"copilot", inHome(".github/mcp.json", "COPILOT_HOME", ".copilot", "mcp-config.json"), inHome(".github/skills", "COPILOT_HOME", ".copilot", "skills"), mcpServers, withTools, "", nil, "config.json"},
		{"gemini", in(".gemini/settings.json", ".gemini/settings.json"), in(".gemini/skills", ".gemini/skills"), mcpServers, plain, "", []string{"gemini"}, ""},
		{"cursor", in(".cursor/mcp.json", ".cursor/mcp.json"), in(".cursor/skills", ".cursor/skills"), mcpServers, typed("stdio"), "${workspaceFolder}", []string{"cursor", "cursor-agent"}, ""},
		{"vscode", codeFile, in(".github/skills", ".copilot/skills"), "servers", typed("stdio"), "${workspaceFolder}", []string{"code"}, ""},
		{"windsurf", userOnly(".codeium/windsurf/mcp_config.json"), nil, mcpServers, plain, "", []string{"windsurf"}, ""},
		{"zed", inConfig(".zed/settings.json", "zed/settings.json", "Zed/settings.json"), nil, "context_servers", plain, "", []string{"zed", "zeditor"}, ""},
		{"opencode", inConfig("opencode.json", "opencode/opencode.json", "opencode/opencode.json"), in(".agents/skills", ".agents/skills"), "mcp", oneCommand, "", []string{"opencode"}, ""},
	}
}

// userOnly returns a function for a path in the user's home, of a client without a configuration for one project.
func userOnly(user string) func(places) string {
	return func(p places) string {
		if p.project != "" {
			return ""
		}
		return filepath.Join(p.home, filepath.FromSlash(user))
	}
}

// inConfig returns a function for a path in the project or in the user's folder for configurations. A file of that name that ends
// in .jsonc is taken where it is there.
func inConfig(project, user, windows string) func(places) string {
	return func(p places) string {
		file := filepath.Join(p.project, filepath.FromSlash(project))
		switch {
		case p.project != "":
		case runtime.GOOS == "windows":
			file = filepath.Join(cmp.Or(p.getenv("APPDATA"), filepath.Join(p.home, "AppData", "Roaming")), filepath.FromSlash(windows))
		default:
			file = filepath.Join(cmp.Or(p.getenv("XDG_CONFIG_HOME"), filepath.Join(p.home, ".config")), filepath.FromSlash(user))
		}
		if _, err := os.Stat(file + "c"); err == nil {
			return file + "c"
		}
		return file
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

// NoProjectError reports a client that has no configuration for one project.
type NoProjectError struct{ Name string }

func (e *NoProjectError) text() message.Text {
	return message.New("%s has no configuration for one project; for all of yours: reverse-spec init --global --target %s", e.Name, e.Name)
}

func (e *NoProjectError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *NoProjectError) In(lang message.Lang) string { return e.text().In(lang) }

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

// entryFor returns the server's entry in a project's or a user's configuration.
func (c client) entryFor(command string, project bool) object {
	args := []string{"mcp-server"}
	if c.folder != "" && project {
		args = append(args, "--project", c.folder)
	}
	return c.entry(command, args)
}

// plain is an entry that most clients read.
func plain(command string, args []string) object { return object{{"command", command}, {"args", args}} }

// typed returns entries that name their transport.
func typed(transport string) func(command string, args []string) object {
	return func(command string, args []string) object {
		return append(object{{"type", transport}}, plain(command, args)...)
	}
}

// withTools is an entry that names the tools that may be used, all of them.
func withTools(command string, args []string) object {
	return append(typed("local")(command, args), pair{"tools", []string{"*"}})
}

// oneCommand is an entry with the program and its arguments in one list.
func oneCommand(command string, args []string) object {
	return object{{"type", "local"}, {"command", append([]string{command}, args...)}, {"enabled", true}}
}
