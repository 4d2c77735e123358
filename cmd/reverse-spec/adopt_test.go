package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/adopt"
)

func TestAskLinks(t *testing.T) {
	for name, c := range map[string]struct {
		typed string
		want  adopt.Decision
	}{
		"yes": {"y\n", adopt.Accept}, "no": {" N \n", adopt.Reject}, "later": {"l\n", adopt.Later}, "quit": {"q\n", adopt.Stop},
		"something else first": {"perhaps\n\ny\n", adopt.Accept}, "the end of the input": {"", adopt.Stop}, "without an end of line": {"y", adopt.Accept},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			a := &app{streams: streams{err: &out}}
			got, err := a.askLinks(t.Context(), bufio.NewReader(strings.NewReader(c.typed)))(&adopt.Spec{Path: "s.md"}, &adopt.Requirement{}, &adopt.Link{ID: "3f2a91c0"})
			if got != c.want || err != nil {
				t.Errorf("%v, %v; want %v", got, err, c.want)
			}
			if !strings.Contains(out.String(), "3f2a91c0") {
				t.Errorf("the question is %q", out.String())
			}
		})
	}
}

// A question that nobody answers ends with the command.
func TestAskLinksEnds(t *testing.T) {
	in, typist := io.Pipe()
	defer typist.Close()
	ctx, cancel := context.WithCancel(t.Context())
	a := &app{streams: streams{err: io.Discard}}
	ask := a.askLinks(ctx, bufio.NewReader(in))
	ended := make(chan error, 1)
	go func() {
		_, err := ask(&adopt.Spec{}, &adopt.Requirement{}, &adopt.Link{})
		ended <- err
	}()
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it still waits")
	}
}
