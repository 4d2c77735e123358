package mcpclient

import (
	"bytes"
	"errors"
	"io"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
)

// event is one server-sent event.
type event struct {
	name string // "" is the same as "message"
	data []byte
}

// readEvents passes the events of a stream to each, in order, until it ends; then it
// returns io.EOF, or the error of the read. An event of more than maxMessage bytes
// is skipped, and tooLong called. The format is that of the HTML standard,
// section 9.2.6.
func readEvents(in io.Reader, each func(event), tooLong func(error)) error {
	r := jsonrpc.NewReader(in, maxMessage)
	var e event
	var data []byte
	filled, spoilt := false, false
	for {
		line, err := r.Line()
		if errors.Is(err, jsonrpc.ErrTooLong) {
			spoilt = true
			continue
		}
		if err != nil {
			return err
		}
		if len(line) == 0 {
			if spoilt {
				tooLong(errTooLong)
			} else if filled {
				e.data = bytes.TrimSuffix(data, []byte("\n"))
				each(e)
			}
			e, data, filled, spoilt = event{}, nil, false, false
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			e.name = string(value)
		case "data":
			data = append(append(data, value...), '\n')
			filled = true
			spoilt = spoilt || len(data) > maxMessage
		}
	}
}
