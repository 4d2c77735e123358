package jsonrpc_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
)

func TestReader(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	in := "\xef\xbb\xbf{1}\r\n\n \t{2} \n" + long + "\n{3}\n" + long[:90_000] + "\n{4}"
	broken := errors.New("broken")
	r := jsonrpc.NewReader(io.MultiReader(iotest.OneByteReader(strings.NewReader(in)), iotest.ErrReader(broken)), 95_000)
	var got []string
	for {
		line, err := r.Read()
		switch {
		case errors.Is(err, jsonrpc.ErrTooLong):
			got = append(got, "too long")
		case err != nil:
			if !errors.Is(err, broken) {
				t.Error(err)
			}
			want := []string{"{1}", "", "{2}", "too long", "{3}", long[:90_000], "{4}"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			return
		default:
			got = append(got, string(line))
		}
	}
}

func TestALineKeepsItsSpaces(t *testing.T) {
	r := jsonrpc.NewReader(strings.NewReader(" data: x \r\n\n"), 100)
	first, _ := r.Line()
	second, err := r.Line()
	if string(first) != " data: x " || len(second) > 0 || err != nil {
		t.Errorf("%q %q %v", first, second, err)
	}
	if _, err := r.Line(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// pieces records each Write, and fails from a number of them on.
type pieces struct {
	all  []string
	most int
}

var errFull = errors.New("full")

func (p *pieces) Write(b []byte) (int, error) {
	if len(p.all) == p.most {
		return 0, errFull
	}
	p.all = append(p.all, string(b))
	return len(b), nil
}

func TestWriter(t *testing.T) {
	out := &pieces{most: 2}
	w := jsonrpc.NewWriter(out)
	for _, text := range []string{"a", "b"} {
		if err := w.Write([]byte(text)); err != nil || w.Err() != nil {
			t.Error(err)
		}
	}
	select {
	case <-w.Broken():
		t.Error("broken before a write failed")
	default:
	}
	first := w.Write([]byte("c"))
	out.most = 9 // what comes after a gap is not written
	second := w.Write([]byte("d"))
	<-w.Broken()
	if diff := cmp.Diff([]string{"a\n", "b\n"}, out.all); diff != "" || !errors.Is(first, errFull) || !errors.Is(second, errFull) || !errors.Is(w.Err(), errFull) {
		t.Error(diff, first, second)
	}
}
