package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/daemon"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/live"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lockfile"
)

// worthwhile is the number of files from which on a process in the background is started that follows them: to look at fewer
// takes a few milliseconds.
const worthwhile = 1000

// background asks the process that follows files in the background, and starts it.
type background struct {
	setting daemon.Setting
	place   daemon.Place
	store   []string // variables that name the store
	missing bool     // no process listens
	start   string   // the project to start one for; "" for none
}

// openBackground returns the process in the background; nil if there is none to be asked here: on other systems than Linux, and
// where it is turned off.
func openBackground() (*background, error) {
	setting, err := daemon.ParseSetting(os.Getenv(daemon.Variable), os.Getenv("CI"))
	if err != nil {
		return nil, usageError{err}
	}
	if setting.Off {
		return nil, nil
	}
	b := &background{setting: setting}
	if b.place, b.store, err = backgroundPlace(); err != nil {
		return nil, nil //nolint:nilerr // the command looks for changes itself
	}
	return b, nil
}

// backgroundPlace returns where the process listens, and the variables that name its store from any folder. The error says why
// there can be none.
func backgroundPlace() (place daemon.Place, store []string, err error) {
	home, err := dataHome()
	if err != nil {
		return place, nil, err
	}
	file := os.Getenv("GRAPH_DB_PATH")
	if file != "" {
		if file, err = filepath.Abs(file); err != nil {
			return place, nil, err
		}
	}
	place, err = daemon.Find(home, file, reversespec.Version())
	return place, []string{"REVERSE_SPEC_HOME=" + home, "GRAPH_DB_PATH=" + file}, err
}

// Current implements [graphs.Resident].
func (b *background) Current(ctx context.Context, root string) *explore.Current {
	a, err := b.place.Ask(ctx, daemon.Question{Kind: daemon.Graph, Root: root})
	b.missing = errors.Is(err, daemon.ErrNone)
	if err != nil {
		return nil
	}
	return &explore.Current{Identity: a.Identity, Serial: a.Serial, Warnings: a.Warnings}
}

// Compared implements [graphs.Resident].
func (b *background) Compared(root string, files int) {
	if b.missing && (b.setting.Always || files >= worthwhile) {
		b.start = root
	}
}

// close starts the process if that would have been of use. A failure costs the next question its time.
func (b *background) close() {
	if b != nil && b.start != "" {
		_ = b.place.Start(b.store, backgroundCommand, b.start)
	}
}

// serverState returns the process that commands ask, nil for none, and what there is to say about it.
func serverState(ctx context.Context) (*daemon.Process, message.Text) {
	b, err := openBackground()
	switch {
	case err != nil:
		return nil, message.New("%v", err)
	case b == nil && runtime.GOOS != "linux":
		return nil, message.New("none: files are followed on Linux alone")
	case b == nil:
		return nil, message.New("none: it is turned off (%s, or CI)", daemon.Variable)
	}
	if p := daemon.StateOf(ctx, b.place); p != nil {
		return p, message.New("%v", p)
	}
	if b.setting.Always {
		return nil, message.New("none: the next question starts one")
	}
	return nil, message.New("none: a question about a project of %d files or more starts one", worthwhile)
}

// backgroundCommand is the name of the command of the process.
const backgroundCommand = "answer-commands"

func (a *app) backgroundCommand() *cobra.Command {
	return &cobra.Command{
		Use:    backgroundCommand + " [project]",
		Short:  "Follow the files of projects for commands that ask the code graph",
		Hidden: true,
		Long: `Answer-commands follows the files of projects, so that commands which ask the code graph
need not look for changes. They start it themselves; it ends when nothing was asked for a
while. REVERSE_SPEC_SERVER=0 turns it off.`,
		Args: rangeArgs(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			heap.stop()
			return a.answerCommands(cmd.Context(), args)
		},
	}
}

// answerCommands answers commands until there are no more.
func (a *app) answerCommands(ctx context.Context, projects []string) error {
	setting, err := daemon.ParseSetting(os.Getenv(daemon.Variable), "")
	if err != nil {
		return usageError{err}
	}
	place, _, err := backgroundPlace()
	if err != nil {
		return message.Errorf("commands cannot be answered here: %w", err)
	}
	memory, err := liveMemory()
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(a.err, nil))
	listener, err := daemon.Listen(place, logger)
	if err != nil {
		return message.Errorf("listen for commands: %w", err)
	}
	g := graphs.New(graphs.Options{Store: openStore, Shared: true, Log: logger, Live: live.Options{Memory: cmp.Or(memory, backgroundMemory)}})
	for _, root := range projects {
		if _, err := g.Current(ctx, root); err != nil { // it is followed from now on
			logger.Info("begin", "project", root, "state", err)
		}
	}
	return errors.Join(listener.Serve(ctx, setting.Idle, answerer(g)), g.Close())
}

// backgroundMemory bounds what the process keeps between changes, in bytes: half of what a server of an agent does.
const backgroundMemory = 128 << 20

// answerer answers with the graphs of this process.
func answerer(g *graphs.Graphs) daemon.Answerer {
	return func(ctx context.Context, root string) (*daemon.Answer, error) {
		c, err := g.Current(ctx, root)
		if err != nil {
			return nil, err
		}
		return &daemon.Answer{Identity: c.Identity, Serial: c.Serial, Warnings: c.Warnings}, nil
	}
}

// listenForCommands lets a server answer commands, too, unless another process does. The caller calls stop.
func listenForCommands(ctx context.Context, g *graphs.Graphs, logger *slog.Logger) (stop func()) {
	b, err := openBackground()
	if err != nil || b == nil {
		return func() {}
	}
	err = b.place.Make()
	listener := (*daemon.Listener)(nil)
	if err == nil {
		listener, err = daemon.Listen(b.place, logger)
	}
	if err != nil {
		if held := (*lockfile.HeldError)(nil); !errors.As(err, &held) {
			logger.Info("commands are not answered", "why", err)
		}
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := listener.Serve(ctx, 0, answerer(g)); err != nil {
			logger.Info("commands are no longer answered", "why", err)
		}
	}()
	return func() { cancel(); <-done }
}
