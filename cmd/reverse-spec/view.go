package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/view"
)

func (a *app) viewCommand() *cobra.Command {
	var port int
	var open bool
	var folder string
	cmd := &cobra.Command{
		Use:   "view",
		Short: "Show the specs in a browser",
		Long: `View shows the specs of the project as a local web site: their coverage, health and
drift, each spec with its links and diagrams, the sources that it names, and the
modules with their dependencies. It reads the files as they are at each request and
writes nothing. Only this machine can reach it, and it needs no network.

The address is printed on standard output; ctrl-c ends it.

With --export it writes the pages into a folder instead, as files that open from disk
and from any web server, such as GitHub Pages. The folder must be missing, empty or of
an earlier export, which it replaces.`,
		Example: `  reverse-spec view
  reverse-spec view --export site
  reverse-spec view --port 8080 --open=false`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			heap.stop()
			if port < 0 || port > 65535 {
				return usageError{message.Errorf("no such port: %d", port)}
			}
			return with(a.open, func(p *project.Project) error {
				if folder != "" {
					return a.exportSite(cmd.Context(), p, folder)
				}
				return a.view(cmd.Context(), p, port, open)
			})
		},
	}
	cmd.Flags().IntVar(&port, "port", 0, "the `port` of this machine to listen on; 0 for any free one")
	cmd.Flags().StringVar(&folder, "export", "", "write the pages into a `folder`, for a web server or to open from disk")
	cmd.Flags().BoolVar(&open, "open", true, "open the site in the browser, when standard output is a terminal")
	return cmd
}

// exportSite writes the site into a folder.
func (a *app) exportSite(ctx context.Context, p *project.Project, folder string) error {
	ctx, bar := a.progress(ctx)
	x, err := view.Export(ctx, p, a.lang, folder)
	bar.done()
	if err != nil {
		return err
	}
	index := filepath.Join(folder, "index.html")
	if a.json {
		return a.printJSON(struct {
			Index string `json:"index"`
			Specs int    `json:"specs"`
			Pages int    `json:"pages"`
		}{index, x.Specs, x.Pages})
	}
	_, err = fmt.Fprintln(a.out, a.localize(message.New("%s: %v, %v", index,
		message.Count(x.Specs, "%d spec", "%d specs"), message.Count(x.Pages, "%d page", "%d pages"))))
	return err
}

// view serves the site until ctx ends.
func (a *app) view(ctx context.Context, p *project.Project, port int, open bool) error {
	l, err := view.Listen(ctx, port)
	if err != nil {
		return err
	}
	address := "http://" + l.Addr().String() + "/"
	if err := a.printAddress(address); err != nil {
		return err
	}
	if open && isTerminal(a.out) {
		a.browse(ctx, address)
	}
	return view.New(p, a.lang).Serve(ctx, l)
}

// printAddress prints where a server is reached.
func (a *app) printAddress(address string) error {
	if a.json {
		return a.printJSON(map[string]string{"url": address})
	}
	_, err := fmt.Fprintln(a.out, address)
	return err
}

// browse opens an address in a browser, if there is one; the address was also printed.
func (a *app) browse(ctx context.Context, address string) {
	opener := map[string][]string{
		"darwin":  {"open"},
		"windows": {"rundll32", "url.dll,FileProtocolHandler"},
	}[runtime.GOOS]
	if opener == nil {
		opener = []string{"xdg-open"}
	}
	// The browser outlives this command.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), opener[0], append(opener[1:], address)...)
	if err := cmd.Start(); err != nil {
		a.warn([]string{a.localize(message.New("no browser was opened: %v", err))})
		return
	}
	go func() { _ = cmd.Wait() }() // errors of the browser are ignored
}
