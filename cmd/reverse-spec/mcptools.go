package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func (a *app) mcpToolsCommand() *cobra.Command {
	var flags upstreamFlags
	cmd := &cobra.Command{
		Use:   "tools [server...]",
		Short: "List the tools of servers",
		Long:  "Tools connects to the servers named, to all for none, and lists their tools: with --json each with its schemas.",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withServers(cmd.Context(), args, flags, func(r *mcpclient.Registry) error {
				tools := r.Tools()
				if flags.json {
					if err := a.printJSON(map[string]any{"tools": tools, "count": len(tools)}); err != nil {
						return err
					}
					return a.reportDown(r, len(args) > 0)
				}
				w := a.table()
				for _, t := range tools {
					fmt.Fprintf(w, "%s\t%s\n", t.FullName(), firstLine(t.Description))
				}
				return errors.Join(w.Flush(), a.reportDown(r, len(args) > 0))
			})
		},
	}
	flags.add(cmd)
	flags.filter.add(cmd)
	return cmd
}

func (a *app) mcpCallCommand() *cobra.Command {
	var flags upstreamFlags
	var arguments string
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "call server:tool [name=text | name:=json]...",
		Short: "Call a tool",
		Long: `Call calls a tool and prints its result. Arguments are texts, name=text, or any JSON,
name:=json; or one JSON object, --args, "-" for standard input. How far the call is
goes to standard error.`,
		Example: `  reverse-spec mcp call files:read_text_file path=README.md head:=10
  reverse-spec mcp call db:query --args '{"sql": "select 1"}' --json`,
		Args: atLeastArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			given, err := a.callArguments(arguments, args[1:])
			if err != nil {
				return usageError{err}
			}
			call := mcpclient.Call{Tool: args[0], Arguments: given, Timeout: timeout, Progress: a.showProgress}
			return a.callTool(cmd.Context(), call, flags)
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&arguments, "args", "", "the arguments as one `JSON` object, - for standard input")
	cmd.Flags().DurationVar(&timeout, "timeout", 0, "how `long` the call may take (default 10m)")
	return cmd
}

func (a *app) callTool(ctx context.Context, call mcpclient.Call, flags upstreamFlags) error {
	server, _, named := strings.Cut(call.Tool, ":")
	var servers []string
	if named {
		servers = []string{server}
	}
	return a.withServers(ctx, servers, flags, func(r *mcpclient.Registry) error {
		result, err := r.Call(ctx, call)
		failed, ok := errors.AsType[*mcpclient.ToolError](err)
		switch {
		case ok && flags.json:
			return errors.Join(a.printRaw(failed.Result.Raw), err)
		case err != nil:
			return err
		case flags.json:
			return a.printRaw(result.Raw)
		}
		_, err = fmt.Fprintln(a.out, strings.TrimSuffix(result.Text(), "\n"))
		return err
	})
}

// printRaw prints what a server sent as indented JSON.
func (a *app) printRaw(raw json.RawMessage) error {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.out, b.String())
	return err
}

// showProgress prints the progress of a call.
func (a *app) showProgress(p jsonrpc.Progress) {
	line := fmt.Sprintf("%g", p.Progress)
	if p.Total > 0 {
		line += fmt.Sprintf("/%g", p.Total)
	}
	fmt.Fprintln(a.err, strings.TrimSpace(line+" "+p.Message))
}

// callArguments combines the arguments of a call into a JSON object.
func (a *app) callArguments(object string, pairs []string) (json.RawMessage, error) {
	members := map[string]json.RawMessage{}
	if object == "-" {
		text, err := io.ReadAll(a.in)
		if err != nil {
			return nil, err
		}
		object = string(text)
	}
	if object != "" && (json.Unmarshal([]byte(object), &members) != nil || members == nil) {
		return nil, message.Errorf("--args must be a JSON object")
	}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, message.Errorf("%q is not an argument: give name=text or name:=json", pair)
		}
		raw := json.RawMessage(value)
		if literal, isJSON := strings.CutSuffix(name, ":"); isJSON {
			name = literal
			if !json.Valid(raw) {
				return nil, message.Errorf("the value of %s is not JSON: %s", name, value)
			}
		} else {
			raw, _ = json.Marshal(value) // strings always encode
		}
		members[name] = raw
	}
	return json.Marshal(members)
}

func (a *app) mcpResourcesCommand() *cobra.Command {
	var flags upstreamFlags
	cmd := &cobra.Command{
		Use:   "resources [server...]",
		Short: "List the resources of servers",
		Long:  "Resources connects to the servers named, to all for none, and lists their resources.",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withServers(cmd.Context(), args, flags, func(r *mcpclient.Registry) error {
				resources, fault := r.Resources(cmd.Context(), "")
				fault = errors.Join(fault, a.reportDown(r, len(args) > 0))
				if flags.json {
					return errors.Join(a.printJSON(map[string]any{"resources": resources, "count": len(resources)}), fault)
				}
				w := a.table()
				for _, one := range resources {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", one.Server, one.URI, one.MIMEType, firstLine(one.Name))
				}
				return errors.Join(w.Flush(), fault)
			})
		},
	}
	flags.add(cmd)
	return cmd
}

func (a *app) mcpReadCommand() *cobra.Command {
	var flags upstreamFlags
	cmd := &cobra.Command{
		Use:   "read server uri",
		Short: "Print a resource",
		Long:  "Read prints what is in a resource, as it is: text, or the bytes of what is none. With --json it is as the server sent it.",
		Args:  exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withServers(cmd.Context(), args[:1], flags, func(r *mcpclient.Registry) error {
				contents, err := r.Read(cmd.Context(), args[0], args[1])
				if err != nil {
					return err
				}
				if flags.json {
					return a.printJSON(map[string]any{"contents": contents})
				}
				for _, c := range contents {
					if _, err := a.out.Write(append(c.Blob, c.Text...)); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	flags.add(cmd)
	return cmd
}
