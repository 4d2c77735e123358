package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func (a *app) mcpListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the servers that are configured",
		Long: `List names the servers that are configured, with the file each stands in, and starts
none: "ready" may be started, "unapproved" waits for reverse-spec mcp approve,
"invalid" is told on standard error.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			config, approvals, err := a.ourServers()
			if err != nil {
				return err
			}
			views := a.standings(config.Servers, approvals)
			if asJSON {
				return a.printJSON(map[string]any{"servers": views, "count": len(views)})
			}
			w := a.table()
			for i, v := range views {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", v.Name, dash(v.Type), v.State, from(config.Servers[i]), dash(v.Target))
				if v.State == mcpclient.Invalid {
					a.warn([]string{v.Error})
				}
			}
			a.nothingConfigured(config)
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// ready is the state of a server that may be started, in a list that starts none.
const ready mcpclient.State = "ready"

// standing returns the state of a server, and why it may not be started.
func standing(s mcpclient.Server, approvals *mcpclient.Approvals) (mcpclient.State, error) {
	if s.Err != nil {
		return mcpclient.Invalid, s.Err
	}
	if err := approvals.Check(s); err != nil {
		return mcpclient.Unapproved, err
	}
	return ready, nil
}

// standings returns servers with their states; none is started.
func (a *app) standings(servers []mcpclient.Server, approvals *mcpclient.Approvals) []serverView {
	views := []serverView{}
	for _, s := range servers {
		state, err := standing(s, approvals)
		views = append(views, a.viewOf(s, state, err))
	}
	return views
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

type addFlags struct {
	kind    string
	env     []string
	headers []string
	global  bool
}

func (a *app) mcpAddCommand() *cobra.Command {
	var flags addFlags
	cmd := &cobra.Command{
		Use:   "add name [flags] (url | -- command [argument]...)",
		Short: "Configure a server",
		Long: `Add writes a server into the project's .kode.json, or with --global into
~/.kode.json, in place of one of the same name; the rest of the file stays. What you
add yourself is approved. Texts may hold ${VAR} and ${VAR:-default}, which keeps
secrets out of the file.`,
		Example: `  reverse-spec mcp add files -- npx -y @modelcontextprotocol/server-filesystem .
  reverse-spec mcp add docs --header 'Authorization: Bearer ${DOCS_TOKEN}' https://docs.example.com/mcp
  reverse-spec mcp add old --type sse https://old.example.com/sse --global`,
		Args: atLeastArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.addServer(cmd.Context(), args, flags) },
	}
	cmd.Flags().StringVar(&flags.kind, "type", "", "`stdio`, sse or http (default stdio for a command, http for a url)")
	cmd.Flags().StringArrayVar(&flags.env, "env", nil, "a variable for the command, `NAME=value`; may be repeated")
	cmd.Flags().StringArrayVar(&flags.headers, "header", nil, "a header for the url, `'Name: value'`; may be repeated")
	cmd.Flags().BoolVar(&flags.global, "global", false, "for all projects, in ~/.kode.json")
	return cmd
}

func (a *app) addServer(ctx context.Context, args []string, flags addFlags) error {
	s := mcpclient.Server{Name: args[0], Type: flags.kind}
	if lower := strings.ToLower(args[1]); strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		s.URL = args[1]
		if len(args) > 2 {
			return usageError{message.Errorf("a url takes no arguments")}
		}
	} else {
		s.Command, s.Args = args[1], args[2:]
	}
	var err error
	if s.Env, err = pairs(flags.env, "="); err != nil {
		return usageError{message.Errorf("--env: %w", err)}
	}
	if s.Headers, err = pairs(flags.headers, ":"); err != nil {
		return usageError{message.Errorf("--header: %w", err)}
	}
	file, err := a.serverFile(flags.global)
	if err != nil {
		return err
	}
	added, err := mcpclient.Add(file, !flags.global, s)
	if err != nil {
		return err
	}
	if added.Project {
		data, err := dataHome()
		if err == nil {
			err = mcpclient.NewApprovals(data).Approve(ctx, added)
		}
		if err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(a.viewOf(added, ready, nil))
	}
	fmt.Fprintf(a.out, "%s: %s -> %s\n", added.Name, added.Target(), from(added))
	return nil
}

// pairs splits texts into names and values.
func pairs(texts []string, separator string) (map[string]string, error) {
	values := map[string]string{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, separator)
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, message.Errorf("%q is not a name and a value with %q between them", text, separator)
		}
		values[name] = strings.TrimSpace(value)
	}
	return values, nil
}

// serverFile returns the file to write servers into.
func (a *app) serverFile(global bool) (string, error) {
	if global {
		home, err := os.UserHomeDir()
		return mcpclient.GlobalFile(home), err
	}
	return filepath.Abs(mcpclient.ProjectFile(a.root()))
}

func (a *app) mcpRemoveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "remove name",
		Short: "Take a server out of the configuration",
		Long:  "Remove takes a server out of the file that it stands in; the rest of the file stays. One of the same name in another file then counts.",
		Args:  exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			config, approvals, err := a.ourServers()
			if err != nil {
				return err
			}
			s, ok := config.Server(args[0])
			if !ok {
				return unknownServer(args[0], config)
			}
			if err := mcpclient.Remove(s.File, s.Name); err != nil {
				return err
			}
			if s.Project {
				if err := approvals.Revoke(cmd.Context(), s); err != nil {
					return err
				}
			}
			if a.json {
				return a.printJSON(map[string]string{"removed": s.Name, "file": s.File})
			}
			say(cmd.Context(), a.out, message.New("%s: removed from %s", s.Name, from(s)))
			return nil
		},
	}
	return cmd
}

func (a *app) mcpApproveCommand() *cobra.Command {
	var all, revoke bool
	cmd := &cobra.Command{
		Use:   "approve [name...]",
		Short: "Agree to servers of the project's files",
		Long: `Approve lets servers of the project's .mcp.json and .kode.json be started, as they
stand there now. Without a name it lists those that wait for that and approves none.
Look at the command before you agree to it: it runs with your rights.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			config, approvals, err := a.ourServers()
			if err != nil {
				return err
			}
			chosen, err := chooseServers(config, approvals, args, all)
			if err != nil {
				return err
			}
			if len(args) == 0 && !all {
				return a.showWaiting(chosen, approvals)
			}
			change, word := approvals.Approve, message.New("approved")
			if revoke {
				change, word = approvals.Revoke, message.New("not approved any more")
			}
			if err := change(cmd.Context(), chosen...); err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]any{"servers": a.standings(chosen, approvals)})
			}
			for _, s := range chosen {
				fmt.Fprintf(a.out, "%s: %s (%s)\n", s.Name, a.localize(word), s.Target())
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all servers of the project")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "take it back")
	return cmd
}

// chooseServers returns the project's servers with the given names, all of them, or those that
// await approval.
func chooseServers(config *mcpclient.Config, approvals *mcpclient.Approvals, names []string, all bool) ([]mcpclient.Server, error) {
	var chosen []mcpclient.Server
	for _, name := range names {
		s, ok := config.Server(name)
		switch {
		case !ok:
			return nil, unknownServer(name, config)
		case s.Err != nil:
			return nil, s.Err
		case !s.Project:
			return nil, message.Errorf("%s stands in your own %s and needs no approval", name, from(s))
		}
		chosen = append(chosen, s)
	}
	if len(names) > 0 {
		return chosen, nil
	}
	for _, s := range config.Servers {
		if s.Project && s.Err == nil && (all || approvals.Check(s) != nil) {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

// showWaiting lists the servers that await approval.
func (a *app) showWaiting(servers []mcpclient.Server, approvals *mcpclient.Approvals) error {
	if a.json {
		return a.printJSON(map[string]any{"servers": a.standings(servers, approvals)})
	}
	w := a.table()
	for _, s := range servers {
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.Name, from(s), s.Target())
	}
	if len(servers) == 0 {
		a.note(message.New("nothing waits for approval"))
	} else {
		a.note(message.New("approve them by name, or with --all"))
	}
	return w.Flush()
}

func (a *app) mcpDoctorCommand() *cobra.Command {
	var flags upstreamFlags
	cmd := &cobra.Command{
		Use:   "doctor [server...]",
		Short: "Connect to servers and say what is wrong",
		Long: `Doctor connects to the servers named, to all for none, and says of each whether it
is connected, by which transport and version of the protocol, how many tools it has,
or what is wrong and what to do. The exit status is 3 when one is not connected.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withServers(cmd.Context(), args, flags, func(r *mcpclient.Registry) error { return a.diagnose(r, flags) })
		},
	}
	flags.add(cmd)
	return cmd
}

func (a *app) diagnose(r *mcpclient.Registry, flags upstreamFlags) error {
	verdict := error(nil)
	views := []serverView{}
	w := a.table()
	var hints []message.Text
	for _, s := range r.Servers() {
		v := a.viewOf(s.Server, s.State, s.Err)
		detail := v.Error
		if s.State == mcpclient.Connected {
			v.Info, v.Tools = &s.Info, &s.Tools
			detail = a.localize(message.New("%s, %s %s, %s over %s", message.Count(s.Tools, "%d tool", "%d tools"), s.Info.Name, s.Info.Version, s.Info.Protocol, s.Info.Transport))
		} else {
			verdict = errCheckFailed
			if s.State == mcpclient.Unapproved {
				hints = append(hints, (&mcpclient.UnavailableError{Status: s}).Hint())
			}
		}
		views = append(views, v)
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.Server.Name, s.State, strings.ReplaceAll(detail, "\n", "; "))
	}
	if flags.json {
		return errors.Join(a.printJSON(map[string]any{"servers": views}), verdict)
	}
	err := w.Flush()
	for _, hint := range hints {
		a.note(message.New("hint: %s", hint))
	}
	return errors.Join(err, verdict)
}
