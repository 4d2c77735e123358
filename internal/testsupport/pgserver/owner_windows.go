package pgserver

import (
	"errors"
	"os/exec"
)

// owner is the user that the server runs as.
type owner struct{}

func serverOwner() (owner, error) {
	return owner{}, errors.New("the PostgreSQL server of tests runs on Unix")
}

func (owner) apply(*exec.Cmd) {}

func (owner) take(string) error { return nil }
