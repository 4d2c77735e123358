package postgres

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// AddressError says that the address of a store cannot be used. It does not contain the address.
type AddressError struct{ reason message.Text }

func (e *AddressError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *AddressError) In(lang message.Lang) string {
	return message.New("the address of the shared graph: %s", e.reason).In(lang)
}

// ServerError says that the database cannot be reached or refuses to work.
type ServerError struct {
	Place  string // host, port and database
	reason message.Text
	hint   message.Text
	err    error
	passes bool
}

// Temporary reports whether the same may succeed in a moment, so that it can be tried again.
func (e *ServerError) Temporary() bool { return e.passes }

func (e *ServerError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *ServerError) In(lang message.Lang) string {
	return message.New("the shared graph at %s: %s", e.Place, e.reason).In(lang)
}

// Hint says what to do.
func (e *ServerError) Hint() message.Text { return e.hint }

// Unwrap returns nothing of the driver, whose errors contain names of users.
func (e *ServerError) Unwrap() error {
	if errors.Is(e.err, context.Canceled) || errors.Is(e.err, context.DeadlineExceeded) {
		return e.err
	}
	return nil
}

// diagnosis is what an error of the server or the network means, and whether that passes.
type diagnosis struct {
	reason, hint message.Text
	passes       bool
}

// diagnoses returns what the codes of PostgreSQL mean, by code or class.
func diagnoses() map[string]diagnosis {
	user := diagnosis{
		message.New("the server refuses the user or the password"),
		message.New("check both in REVERSE_SPEC_STORE; a password may also be in PGPASSWORD or ~/.pgpass"),
		false,
	}
	lost := diagnosis{
		message.New("the connection was lost"),
		message.New("what was stored before is whole: run the command again when the server is back"),
		true,
	}
	full := diagnosis{
		message.New("the server has no room left"),
		message.New("nothing was changed: make room on its disk, and run the command again"),
		false,
	}
	crossed := diagnosis{message.New("another transaction was in the way"), message.New("run the command again"), true}
	return map[string]diagnosis{
		"28":    user,
		"28P01": user,
		"3D000": {message.New("there is no such database"), message.New("create it: createdb --encoding=UTF8 --template=template0 NAME"), false},
		"42501": {message.New("the user may not do this"), message.New("to read, it needs USAGE on the schema reverse_spec and SELECT on its tables; to push, all rights on them; the first push makes them"), false},
		"25006": {message.New("the server can only be read: it is a replica or recovering"), message.New("name the primary server to push, or all of them: postgres://user@a,b/database?target_session_attrs=read-write"), false},
		"53300": {message.New("the server has no connection left"), message.New("try again later, or raise its max_connections"), true},
		"53100": full,
		"53200": full,
		"57P03": {message.New("the server is starting or stopping"), message.New("try again in a moment"), true},
		"57P01": lost, "57P02": lost, "57P05": lost, "08": lost, "25P03": lost,
		"55P03": {message.New("another transaction holds a lock for too long"), message.New("try again in a moment"), true},
		"40001": crossed, "40P01": crossed,
		"57014": {message.New("the server gave the query up"), message.New("its statement_timeout may be too short"), false},
	}
}

// damaged reports whether a code of PostgreSQL says that tables are damaged.
func damaged(code string) bool {
	switch code {
	case "42P01", "42703", "3F000", "XX001", "XX002": // no such table, column or schema; damaged data or index
		return true
	}
	return false
}

// fault turns an error of the driver into one for callers: that of the context if it ended, a [*ServerError], or a
// [*store.DamagedError]. All others stay.
func (s *server) fault(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.explain(err)
}

func (s *server) explain(err error) error {
	if own := (*ServerError)(nil); errors.As(err, &own) {
		return err
	}
	if isDamage(err) {
		return &store.DamagedError{Path: s.place, Reason: err, Shared: true}
	}
	if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) {
		return s.explainCode(refused, err)
	}
	if d, ok := diagnose(err); ok {
		return &ServerError{Place: s.place, reason: d.reason, hint: d.hint, err: err, passes: d.passes}
	}
	return err
}

// explainCode explains an error that the server sent.
func (s *server) explainCode(sent *pgconn.PgError, err error) error {
	if damaged(sent.Code) {
		return &store.DamagedError{Path: s.place, Reason: errors.New(redacted(sent.Message, s.secret)), Shared: true}
	}
	known := diagnoses()
	d, ok := known[sent.Code]
	if !ok && len(sent.Code) == 5 {
		d, ok = known[sent.Code[:2]]
	}
	if !ok {
		d.reason = message.New("the server says: %s (%s)", redacted(sent.Message, s.secret), sent.Code)
	}
	return &ServerError{Place: s.place, reason: d.reason, hint: d.hint, err: err, passes: d.passes}
}

// diagnose explains an error of the network.
func diagnose(err error) (diagnosis, bool) {
	var (
		name    *net.DNSError
		cert    *tls.CertificateVerificationError
		unknown x509.UnknownAuthorityError
		wrong   x509.HostnameError
		network net.Error
		connect *pgconn.ConnectError
	)
	again := message.New("is the server running, and are host and port in REVERSE_SPEC_STORE right?")
	switch {
	case errors.As(err, &name):
		return diagnosis{message.New("there is no host %s", name.Name), message.New("check the host in REVERSE_SPEC_STORE"), false}, true
	case errors.As(err, &cert), errors.As(err, &unknown), errors.As(err, &wrong):
		return diagnosis{message.New("its certificate is not trusted"), message.New("name the certificate of its authority: sslrootcert=FILE in REVERSE_SPEC_STORE"), false}, true
	case errors.Is(err, pgconn.ErrReadOnlyConnection):
		return diagnosis{message.New("none of the servers can be written to"), message.New("a replica is used as soon as it is promoted"), true}, true
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, os.ErrNotExist):
		return diagnosis{message.New("nothing answers there"), again, true}, true
	case errors.As(err, &network) && network.Timeout():
		return diagnosis{message.New("no answer in time"), again, true}, true
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		errors.Is(err, net.ErrClosed), errors.Is(err, pgconn.ErrConnClosed):
		return diagnoses()["08"], true
	case errors.As(err, &connect):
		return diagnosis{message.New("no connection: %s", innermost(err)), message.New("sslmode and the other parameters in REVERSE_SPEC_STORE mean what they mean to psql"), false}, true
	}
	return diagnosis{}, false
}

// innermost returns the text of the first innermost error, which names no user.
func innermost(err error) string {
	for {
		switch e := err.(type) { //nolint:errorlint // each layer for itself
		case interface{ Unwrap() error }:
			if e.Unwrap() == nil {
				return err.Error()
			}
			err = e.Unwrap()
		case interface{ Unwrap() []error }:
			if len(e.Unwrap()) == 0 {
				return err.Error()
			}
			err = e.Unwrap()[0]
		default:
			return err.Error()
		}
	}
}

// Damage that PostgreSQL does not report.
var (
	errNoState  = message.Errorf("its state is missing")
	errContents = message.Errorf("a value is out of its range")
)

// isDamage reports whether an error is due to the content of a graph.
func isDamage(err error) bool { return errors.Is(err, errNoState) || errors.Is(err, errContents) }
