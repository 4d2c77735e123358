package shared_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// slow is a store that lists the number of its readings, when it is let go.
type slow struct {
	store.Shared
	readings atomic.Int64
	release  chan struct{}
}

func (s *slow) Origins(context.Context) ([]store.SharedProject, error) {
	n := s.readings.Add(1)
	<-s.release
	return []store.SharedProject{{Project: store.Project{Name: strconv.FormatInt(n, 10)}}}, nil
}

// TestListIsReadForAllWhoWait: callers that come while a list is read share one more reading, which begins after their calls.
func TestListIsReadForAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{release: make(chan struct{})}
		guarded := shared.Guard(s)
		everything := store.WithAccess(t.Context(), store.Access{All: true})
		var asking sync.WaitGroup
		ask := func(want string) {
			asking.Go(func() {
				list, err := guarded.Origins(everything)
				if err != nil || len(list) != 1 || list[0].Name != want {
					t.Errorf("got %v, %v; want reading %s", list, err, want)
				}
			})
		}
		ask("1")
		synctest.Wait()
		for range 50 {
			ask("2")
		}
		synctest.Wait()
		leaving, leave := context.WithCancel(everything)
		leave()
		if _, err := guarded.Origins(leaving); !errors.Is(err, context.Canceled) {
			t.Errorf("who leaves gets %v", err)
		}
		close(s.release)
		asking.Wait()
		ask("3")
		asking.Wait()
		if n := s.readings.Load(); n != 3 {
			t.Errorf("the list was read %d times", n)
		}
	})
}
