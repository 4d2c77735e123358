package postgres_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// Environment variables of the process that TestKilledWriter kills.
const (
	victimAddress = "REVERSE_SPEC_TEST_VICTIM"
	victimRoot    = "REVERSE_SPEC_TEST_ROOT"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(victimAddress); address != "" {
		panic(writeForEver(address, os.Getenv(victimRoot))) // it is killed before
	}
	m.Run()
}

// rounds returns how often something is killed: KILLS, or a few times.
func rounds(t *testing.T) int {
	t.Helper()
	text := os.Getenv("KILLS")
	if text == "" {
		return 6
	}
	n, err := strconv.Atoi(text)
	check(t, err)
	return n
}

// manyFiles is the number of files of a graph whose writing takes long enough to be killed in the middle.
const manyFiles = 4000

// write brings a graph to a stage: by a build for an even one, by an update for an odd one.
func write(ctx context.Context, s store.Store, root string, stage int) error {
	release, err := s.Lock(ctx, root)
	if err != nil {
		return err
	}
	if stage%2 == 0 {
		return errors.Join(build(ctx, s, root, small(stage, manyFiles)), release())
	}
	g, err := s.Open(ctx, root)
	if err != nil {
		return errors.Join(err, release())
	}
	u := small(stage, manyFiles)
	for _, f := range u.Files {
		u.DropFiles = append(u.DropFiles, f.ID)
	}
	return errors.Join(g.Update(ctx, u), g.Close(), release())
}

// stored returns the stage that is stored, which must be whole.
func stored(t *testing.T, s store.Store, root string) int {
	t.Helper()
	g, err := s.Open(t.Context(), root)
	check(t, err)
	stage, err := stageOf(t.Context(), g)
	check(t, err, g.Close())
	return stage
}

// Whenever the server dies, the graph is that before the write or that after it, the error says what to do, and the same
// store goes on when the server is back.
func TestKilledServer(t *testing.T) {
	server := pgserver.Start(t)
	s, root := openStore(t, server.Database()), t.TempDir()
	begin := time.Now()
	check(t, write(t.Context(), s, root, 0))
	took := time.Since(begin)
	before, interrupted := 0, 0
	for i := range rounds(t) {
		stage := i + 1
		done := make(chan error, 1)
		go func() { done <- write(t.Context(), s, root, stage) }()
		time.Sleep(time.Duration(rand.Int64N(int64(took) / 2)))
		server.Kill()
		err := <-done
		server.Run()
		now := stored(t, s, root)
		switch {
		case err == nil && now != stage:
			t.Fatalf("stage %d was written, and %d is there", stage, now)
		case err != nil && now != before && now != stage:
			t.Fatalf("stage %d was interrupted in stage %d, and %d is there", stage, before, now)
		case err != nil:
			interrupted++
			lost := (*postgres.ServerError)(nil)
			if !errors.As(err, &lost) || lost.Hint().String() == "" {
				t.Errorf("error %v", err)
			}
		}
		before = now
	}
	check(t, write(t.Context(), s, root, 1000))
	if now := stored(t, s, root); now != 1000 {
		t.Errorf("stage %d at the end", now)
	}
	check(t, s.Close())
	t.Logf("%d of %d writes were interrupted", interrupted, rounds(t))
}

// writeForEver writes stage after stage.
func writeForEver(address, root string) error {
	s, err := postgres.Open(address, postgres.Options{})
	for stage := 1; err == nil; stage++ {
		err = write(context.Background(), s, root, stage)
	}
	return err
}

// Whenever a writer is killed, a whole graph stays, its lock is free, and nothing of what it wrote is left behind.
func TestKilledWriter(t *testing.T) {
	server := pgserver.Start(t)
	address := server.Database()
	s, root := openStore(t, address), t.TempDir()
	check(t, write(t.Context(), s, root, 0))
	for range rounds(t) {
		c := exec.CommandContext(t.Context(), os.Args[0])
		c.Env = append(os.Environ(), victimAddress+"="+address, victimRoot+"="+root)
		check(t, c.Start())
		time.Sleep(300*time.Millisecond + time.Duration(rand.Int64N(int64(time.Second))))
		check(t, c.Process.Kill())
		_ = c.Wait() // it was killed
		stored(t, s, root)
		deadline := time.Now().Add(20 * time.Second)
		for {
			err := write(t.Context(), s, root, 0)
			if err == nil {
				break
			}
			if locked := (*store.LockedError)(nil); !errors.As(err, &locked) || time.Now().After(deadline) {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	server.Exec("test1", `DO $$ BEGIN
		ASSERT (SELECT count(*) FROM reverse_spec.graph) = 1, 'graphs are left behind';
		ASSERT (SELECT count(*) FROM reverse_spec.node) = `+strconv.Itoa(manyFiles)+`, 'nodes are left behind';
	END $$`)
	check(t, s.Close())
}

// A lock whose connection was ended is lost: nothing is written without it.
func TestLostLock(t *testing.T) {
	server := pgserver.Start(t)
	address := server.Database()
	s, root := openStore(t, address), t.TempDir()
	buildSmall(t, s, root, 1)
	release, err := s.Lock(t.Context(), root)
	check(t, err)
	g, err := s.Open(t.Context(), root)
	check(t, err)
	server.Exec("postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'reverse-spec'")
	time.Sleep(100 * time.Millisecond)

	other := openStore(t, address)
	check(t, write(t.Context(), other, root, 2))
	u := small(3, 1)
	u.DropFiles = []store.FileID{1}
	err = g.Update(t.Context(), u)
	if lost := (*postgres.ServerError)(nil); !errors.As(err, &lost) {
		t.Errorf("error %v", err)
	}
	check(t, release())
	if stage := stored(t, s, root); stage != 2 {
		t.Errorf("stage %d", stage)
	}
	check(t, g.Close(), s.Close(), other.Close())
}

// A pooler that gives a connection another session takes its locks away: nothing is written then, either.
func TestLockOfAnotherSession(t *testing.T) {
	s, root := openStore(t, pgserver.Start(t).Database()), t.TempDir()
	buildSmall(t, s, root, 1)
	release, err := s.Lock(t.Context(), root)
	check(t, err)
	g, err := s.Open(t.Context(), root)
	check(t, err)
	b, err := s.Build(t.Context(), root)
	check(t, err, b.Add(t.Context(), small(2, 20)), s.Unlock(t.Context(), root))
	if err := b.Commit(t.Context(), store.State{}); !errors.Is(err, store.ErrNotLocked) {
		t.Errorf("error %v", err)
	}
	if err := g.Update(t.Context(), store.Update{}); !errors.Is(err, store.ErrNotLocked) {
		t.Errorf("error %v", err)
	}
	check(t, release(), g.Close())
	if stage := stored(t, s, root); stage != 1 {
		t.Errorf("stage %d", stage)
	}
	check(t, s.Close())
}

// Two processes wait for each other, and the second is told whom it waits for.
func TestAnotherProcessHoldsTheLock(t *testing.T) {
	address := pgserver.Start(t).Database()
	one, two, root := openStore(t, address), openStore(t, address), t.TempDir()
	release, err := one.Lock(t.Context(), root)
	check(t, err)
	_, err = two.Lock(t.Context(), root)
	locked := (*store.LockedError)(nil)
	if !errors.As(err, &locked) || locked.PID != os.Getpid() || locked.Host != "" || time.Since(locked.Since) > time.Minute {
		t.Errorf("error %v", err)
	}
	check(t, release())
	release, err = two.Lock(t.Context(), root)
	check(t, err, release(), one.Close(), two.Close())
}
