// Package pgserver starts a PostgreSQL server for tests, from the programs that the system's packages install. The
// server has a temporary folder and a Unix socket in it: it is no service, and needs no port.
package pgserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// The server's administrator, whose name and password are also those of [Server.URL].
const (
	User     = "boss"
	Password = "p@ss/w:rd?#%" // every sign that a URL must escape
)

// Server is a running PostgreSQL server.
type Server struct {
	tb     testing.TB
	bin    string
	dir    string // with data, socket and files for certificates
	owner  owner
	run    *exec.Cmd
	stdin  io.Closer
	log    *bytes.Buffer
	number atomic.Int64 // of databases
	port   int          // on 127.0.0.1; 0 for none
}

// Start starts a server until the test ends. Without PostgreSQL's programs the test is skipped; on Linux with
// CI=true it fails.
func Start(tb testing.TB) *Server {
	tb.Helper()
	bin := programs()
	if bin == "" {
		const missing = "PostgreSQL's programs (initdb, postgres) are missing: apt-get install postgresql"
		if os.Getenv("CI") == "true" && runtime.GOOS == "linux" {
			tb.Fatal(missing)
		}
		tb.Skip(missing)
	}
	who, err := serverOwner()
	if err != nil {
		tb.Skip(err.Error())
	}
	dir, err := os.MkdirTemp("", "pg-") //nolint:usetesting // the path of a socket may have 107 bytes
	if err != nil {
		tb.Fatal(err)
	}
	s := &Server{tb: tb, bin: bin, dir: dir, owner: who}
	tb.Cleanup(func() {
		s.Kill()
		if err := os.RemoveAll(dir); err != nil {
			tb.Error(err)
		}
	})
	s.initialize()
	s.Run()
	return s
}

// Replica starts a server that follows s, until the test ends or it is promoted. What is written to s reaches it a moment later.
func (s *Server) Replica() *Server {
	s.tb.Helper()
	dir, err := os.MkdirTemp("", "pg-")
	check(s.tb, err)
	r := &Server{tb: s.tb, bin: s.bin, dir: dir, owner: s.owner}
	s.tb.Cleanup(func() {
		r.Kill()
		if err := os.RemoveAll(dir); err != nil {
			s.tb.Error(err)
		}
	})
	check(s.tb, s.owner.take(dir))
	c := r.command("pg_basebackup", "-D", r.data(), "-d", s.URL(""), "-R", "-c", "fast", "--no-sync")
	if out, err := c.CombinedOutput(); err != nil {
		s.tb.Fatalf("pg_basebackup: %v\n%s", err, out)
	}
	r.Run()
	return r
}

// Promote makes a replica a server of its own, and waits until it can be written to.
func (s *Server) Promote() {
	s.tb.Helper()
	s.Exec("postgres", "SELECT pg_promote()")
}

// Caught waits until a replica has what was written to a server.
func (s *Server) Caught(up *Server) {
	s.tb.Helper()
	ctx := context.Background()
	from, err := pgx.Connect(ctx, up.URL("postgres"))
	check(s.tb, err)
	to, err := pgx.Connect(ctx, s.URL("postgres"))
	check(s.tb, err)
	var at string
	check(s.tb, from.QueryRow(ctx, "SELECT pg_current_wal_lsn()::text").Scan(&at))
	for there := false; !there; time.Sleep(10 * time.Millisecond) {
		check(s.tb, to.QueryRow(ctx, "SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn", at).Scan(&there))
	}
	check(s.tb, from.Close(ctx), to.Close(ctx))
}

// With returns the address of a database on the first of two servers that can be written to.
func (s *Server) With(other *Server, database string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(User, Password), Path: "/" + database}
	u.RawQuery = url.Values{"host": {s.dir + "," + other.dir}, "port": {strconv.Itoa(s.listens())}, "target_session_attrs": {"read-write"}}.Encode()
	return u.String()
}

// programs returns the folder of PostgreSQL's programs; "" if there is none.
func programs() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), "postgres")); err == nil {
				return filepath.Dir(path)
			}
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // Debian: one folder for each version
	slices.SortFunc(found, func(a, b string) int { return versionOf(b) - versionOf(a) })
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[0])
}

func versionOf(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}

// initialize creates the data folder.
func (s *Server) initialize() {
	s.tb.Helper()
	secret := filepath.Join(s.dir, "secret")
	check(s.tb, os.WriteFile(secret, []byte(Password+"\n"), 0o600))
	check(s.tb, s.owner.take(s.dir), s.owner.take(secret))
	c := s.command("initdb", "-D", s.data(), "-U", User, "-A", "scram-sha-256", "--pwfile="+secret, "-E", "UTF8", "--locale=C", "--no-sync")
	if out, err := c.CombinedOutput(); err != nil {
		s.tb.Fatalf("initdb: %v\n%s", err, out)
	}
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// Dir returns the server's folder, which holds its socket.
func (s *Server) Dir() string { return s.dir }

// command returns a command of the server's user.
func (s *Server) command(program string, args ...string) *exec.Cmd {
	c := exec.CommandContext(context.Background(), filepath.Join(s.bin, program), args...)
	c.Dir = s.dir
	s.owner.apply(c)
	return c
}

// Run starts the server, with further settings ("ssl=on"), and waits until it answers.
func (s *Server) Run(settings ...string) {
	s.tb.Helper()
	listen := "listen_addresses="
	if s.port != 0 {
		listen = "listen_addresses=127.0.0.1"
	}
	args := []string{
		filepath.Join(s.bin, "postgres"), "-D", s.data(), "-k", s.dir, "-p", strconv.Itoa(s.listens()), "-c", listen,
		"-c", "max_connections=60", "-c", "shared_buffers=64MB", "-c", "log_min_messages=warning",
		"-c", "fsync=off", // processes are killed here, not machines
	}
	for _, set := range settings {
		args = append(args, "-c", set)
	}
	// The shell ends the server when its input does: when this process ends, however it does.
	c := exec.CommandContext(context.Background(), "sh", append([]string{"-c", `exec 3<&0; "$@" </dev/null & server=$!; (cat <&3 >/dev/null; kill -QUIT $server) 2>/dev/null & wait $server`, "sh"}, args...)...)
	c.Dir, s.log = s.dir, &bytes.Buffer{}
	c.Stdout, c.Stderr = s.log, s.log
	c.WaitDelay = 5 * time.Second
	s.owner.apply(c)
	in, err := c.StdinPipe()
	check(s.tb, err)
	check(s.tb, c.Start())
	s.run, s.stdin = c, in
	deadline := time.Now().Add(30 * time.Second)
	for {
		err := s.ping()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			s.Kill()
			s.tb.Fatalf("the server does not answer: %v\n%s", err, s.log)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// listens returns the number of the port, which is part of the name of the socket.
func (s *Server) listens() int {
	if s.port != 0 {
		return s.port
	}
	return 5432
}

func (s *Server) ping() error {
	c, err := pgx.Connect(context.Background(), s.URL("postgres"))
	if err != nil {
		return err
	}
	return c.Close(context.Background())
}

// Kill ends all processes of the server at once, in the middle of what they do; it recovers when it runs again. It does
// nothing if the server is not running.
func (s *Server) Kill() {
	if s.run == nil {
		return
	}
	if text, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid")); err == nil {
		line, _, _ := strings.Cut(string(text), "\n")
		if pid, err := strconv.Atoi(line); err == nil {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Signal(syscall.SIGQUIT) // an immediate shutdown, without a checkpoint
			}
		}
	}
	_ = s.stdin.Close()
	_ = s.run.Wait()
	s.run = nil
}

// Listen makes the server listen on a free port of 127.0.0.1, from the next [Server.Run] on.
func (s *Server) Listen(port int) { s.port = port }

// URL returns the address of a database, with the administrator's name and password.
func (s *Server) URL(database string) string { return s.URLOf(database, User, Password) }

// URLOf returns the address of a database for a user.
func (s *Server) URLOf(database, user, password string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(user, password), Path: "/" + database}
	u.RawQuery = url.Values{"host": {s.dir}, "port": {strconv.Itoa(s.listens())}}.Encode()
	return u.String()
}

// Database creates an empty database and returns its address.
func (s *Server) Database() string {
	s.tb.Helper()
	name := fmt.Sprintf("test%d", s.number.Add(1))
	s.Exec("postgres", "CREATE DATABASE "+name+" TEMPLATE template0")
	return s.URL(name)
}

// Exec runs statements in a database as the administrator.
func (s *Server) Exec(database string, statements ...string) {
	s.tb.Helper()
	ctx := context.Background()
	c, err := pgx.Connect(ctx, s.URL(database))
	check(s.tb, err)
	for _, statement := range statements {
		_, failed := c.Exec(ctx, statement)
		err = errors.Join(err, failed)
	}
	check(s.tb, err, c.Close(ctx))
}

func check(tb testing.TB, errs ...error) {
	tb.Helper()
	if err := errors.Join(errs...); err != nil {
		tb.Fatal(err)
	}
}

// Own gives a file to the server's user.
func (s *Server) Own(path string) error { return s.owner.take(path) }
