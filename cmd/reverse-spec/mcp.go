package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func (a *app) mcpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Use the tools and resources of other MCP servers",
		Long: `Mcp connects to the MCP servers that are configured under mcpServers in
~/.kode.json, for all projects, and in .mcp.json and .kode.json of the project, which
replace whole entries of the same name:

  {"mcpServers": {
    "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]},
    "docs":  {"type": "http", "url": "https://docs.example.com/mcp",
              "headers": {"Authorization": "Bearer ${DOCS_TOKEN}"}}}}

The type is stdio, sse or http; without one it is stdio for a command and http for a
url. ${VAR} and ${VAR:-default} stand for variables of the environment.

A project's file comes with the project, so nothing in it is started before
reverse-spec mcp approve; when an entry changes, it is asked for again.`,
		Example: `  reverse-spec mcp add files -- npx -y @modelcontextprotocol/server-filesystem .
  reverse-spec mcp tools
  reverse-spec mcp call files:read_text_file path=README.md`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(a.mcpListCommand(), a.mcpToolsCommand(), a.mcpCallCommand(), a.mcpResourcesCommand(), a.mcpReadCommand(),
		a.mcpAddCommand(), a.mcpRemoveCommand(), a.mcpApproveCommand(), a.mcpDoctorCommand())
	return cmd
}

// filterFlags are the flags that select tools.
type filterFlags struct{ allow, deny []string }

func (f *filterFlags) add(cmd *cobra.Command) {
	const pattern = "tools that fit `pattern`: server:tool, or the tool's own name; * is any text"
	cmd.Flags().StringSliceVar(&f.allow, "allow", nil, "only "+pattern)
	cmd.Flags().StringSliceVar(&f.deny, "deny", nil, "no "+pattern)
}

func (f *filterFlags) filter() mcpclient.Filter {
	return mcpclient.Filter{Allow: f.allow, Deny: f.deny}
}

// upstreamFlags are the flags of commands that connect to servers.
type upstreamFlags struct {
	connect time.Duration
	verbose bool
	json    bool
	filter  filterFlags
}

func (f *upstreamFlags) add(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&f.connect, "connect-timeout", 30*time.Second, "how `long` a server may take to connect")
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "show what the servers write on standard error")
	cmd.Flags().BoolVar(&f.json, "json", false, "as JSON")
}

// servers reads the configuration of the home folder and of project folders.
func (a *app) servers(folders ...string) (*mcpclient.Config, *mcpclient.Approvals, error) {
	return a.serversBy(mcpclient.Load, folders...)
}

// serversBy is like servers with a given loader.
func (a *app) serversBy(load func(home string, project ...string) *mcpclient.Config, folders ...string) (*mcpclient.Config, *mcpclient.Approvals, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, nil, err
	}
	data, err := dataHome()
	if err != nil {
		return nil, nil, err
	}
	config := load(home, folders...)
	for _, fault := range config.Faults {
		a.warn([]string{message.Render(a.lang, fault)})
	}
	for _, s := range config.Servers {
		for _, note := range s.Notes {
			a.warn([]string{fmt.Sprintf("%s: mcpServers.%s: %s", s.File, s.Name, a.localize(note))})
		}
	}
	return config, mcpclient.NewApprovals(data), nil
}

// dataHome returns the folder for persistent data.
func dataHome() (string, error) {
	if home := os.Getenv("REVERSE_SPEC_HOME"); home != "" {
		return filepath.Abs(home)
	}
	return sqlite.DefaultHome()
}

// ourServers reads the configuration for the working folder: that of its project and of the
// folder itself.
func (a *app) ourServers() (*mcpclient.Config, *mcpclient.Approvals, error) {
	folders := []string{a.root()}
	if here, err := filepath.Abs("."); err == nil && a.project == "" && here != folders[0] {
		folders = append(folders, here)
	}
	return a.servers(folders...)
}

// withServers connects to the named servers, or to all if there are no names, waits until each
// was tried, and calls work.
func (a *app) withServers(ctx context.Context, names []string, f upstreamFlags, work func(*mcpclient.Registry) error) error {
	config, approvals, err := a.ourServers()
	if err != nil {
		return err
	}
	chosen := config.Servers
	if len(names) > 0 {
		chosen = nil
		for _, name := range names {
			s, ok := config.Server(name)
			if !ok {
				return unknownServer(name, config)
			}
			chosen = append(chosen, s)
		}
	}
	level := slog.LevelError
	if f.verbose {
		level = slog.LevelInfo
	}
	r := mcpclient.Start(ctx, chosen, approvals, mcpclient.Options{
		Version: reversespec.Version(), Connect: f.connect, Filter: f.filter.filter(),
		Log: slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level})),
	})
	if err := r.Settled(ctx); err != nil {
		return errors.Join(err, r.Close())
	}
	return errors.Join(work(r), r.Close())
}

// unknownServerError reports an unknown server name.
type unknownServerError struct {
	name  string
	known []string
}

func unknownServer(name string, config *mcpclient.Config) error {
	e := unknownServerError{name: name}
	for _, s := range config.Servers {
		e.known = append(e.known, s.Name)
	}
	return e
}

func (e unknownServerError) text() message.Text {
	return message.New("no server %s is configured", e.name)
}

func (e unknownServerError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e unknownServerError) In(lang message.Lang) string { return e.text().In(lang) }

// Hint lists the known servers.
func (e unknownServerError) Hint() message.Text {
	if len(e.known) == 0 {
		return message.New("none is configured: reverse-spec mcp add --help")
	}
	return message.New("configured are %s", strings.Join(e.known, ", "))
}

// down returns why servers are not connected; nil if all are.
func down(r *mcpclient.Registry) error {
	var faults []error
	for _, s := range r.Servers() {
		if s.State != mcpclient.Connected {
			faults = append(faults, &mcpclient.UnavailableError{Status: s})
		}
	}
	return errors.Join(faults...)
}

// reportDown reports the servers that are not connected. It is an error if they were named, and
// a warning otherwise.
func (a *app) reportDown(r *mcpclient.Registry, named bool) error {
	err := down(r)
	if err == nil || named {
		return err
	}
	for line := range strings.Lines(message.Render(a.lang, err)) {
		a.warn([]string{strings.TrimSpace(line)})
	}
	return nil
}

// nothingConfigured says that a list is empty.
func (a *app) nothingConfigured(c *mcpclient.Config) {
	if len(c.Servers) == 0 {
		a.note(message.New("none yet: reverse-spec mcp add --help"))
	}
}

// from names the file of a server for people.
func from(s mcpclient.Server) string {
	if home, err := os.UserHomeDir(); err == nil {
		if rest, ok := strings.CutPrefix(s.File, home+string(filepath.Separator)); ok && !s.Project {
			return "~/" + rest
		}
	}
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, s.File); err == nil && len(rel) < len(s.File) {
			return rel
		}
	}
	return s.File
}

// firstLine returns the first line of text, cut to fit into a table.
func firstLine(text string) string {
	const most = 80
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return line
}

// serverView is a server in JSON output, with the names but not the values of its variables
// and headers.
type serverView struct {
	Name     string          `json:"name"`
	Type     string          `json:"type,omitempty"`
	Target   string          `json:"target,omitempty"`
	Env      []string        `json:"env,omitempty"`
	Headers  []string        `json:"headers,omitempty"`
	File     string          `json:"file"`
	Project  bool            `json:"project"`
	State    mcpclient.State `json:"state"`
	Error    string          `json:"error,omitempty"`
	Info     *mcpclient.Info `json:"info,omitempty"`
	Tools    *int            `json:"tools,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
}

func (a *app) viewOf(s mcpclient.Server, state mcpclient.State, err error) serverView {
	v := serverView{
		Name: s.Name, Type: s.Type, File: s.File, Project: s.Project, State: state,
		Env: sortedNames(s.Env), Headers: sortedNames(s.Headers),
	}
	for _, note := range s.Notes {
		v.Warnings = append(v.Warnings, a.localize(note))
	}
	if s.Err == nil {
		v.Target = s.Target()
	}
	if err != nil {
		v.Error = message.Render(a.lang, err)
	}
	return v
}

func sortedNames(values map[string]string) []string {
	var names []string
	for name := range values {
		names = append(names, name)
	}
	slices.SortFunc(names, cmp.Compare[string])
	return names
}
