package doctor

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/reverse-spec/reverse-spec/internal/agents"
	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// program says which version runs, and whether its name leads to it: contract tests, agents and hooks call it by name.
func (e *examination) program() {
	const name = "reverse-spec"
	self, err := os.Executable()
	if err != nil {
		self = ""
	}
	switch found, err := exec.LookPath(name); {
	case err == nil:
		e.add(aboutProgram, Good, "", message.New("%s at %s", e.Version, found))
	case errors.Is(err, exec.ErrNotFound):
		e.add(aboutProgram, Notable, e.text(message.New("add %s to PATH", filepath.Dir(self))), message.New("version %s, not on PATH: agents that call it by its name do not find it", e.Version))
	default:
		e.add(aboutProgram, Notable, "", message.New("%v", err))
	}
}

// agents looks which of the coding agents on this machine have the server.
func (e *examination) agents() {
	none := true
	for _, client := range agents.Clients() {
		user, err := e.Agent(client, true)
		if err != nil {
			e.agent(client, Broken, "", message.New("%v", err))
			continue
		}
		if !agents.Installed(user) {
			none = !e.wired(client) && none
			continue
		}
		none = false
		repair := "reverse-spec init --target " + client
		here, err := e.Agent(client, false)
		if err != nil {
			e.agent(client, Broken, repair, message.New("%v", err))
			continue
		}
		where, err := registered(here, user)
		switch {
		case err != nil:
			e.agent(client, Broken, "", message.New("%v", err))
		case where == "":
			e.agent(client, Notable, repair, message.New("installed, and does not know reverse-spec"))
		default:
			e.agent(client, Good, "", message.New("knows reverse-spec by %s", where))
		}
	}
	if none {
		e.add(aboutAgent, Absent, "reverse-spec init --target claude", message.New("no coding agent was found that reverse-spec init knows"))
	}
}

// wired says whether the project has the server for a client that is not on this machine.
func (e *examination) wired(client string) bool {
	here, err := e.Agent(client, false)
	if err != nil {
		return false
	}
	file, err := agents.Registered(here)
	if file == "" || err != nil {
		return false
	}
	e.agent(client, Good, "", message.New("not on this machine; it would know reverse-spec by %s", file))
	return true
}

// registered returns the file by which an agent knows the server; "" for none.
func registered(list ...agents.Options) (string, error) {
	for _, o := range list {
		file, err := agents.Registered(o)
		if file != "" || err != nil {
			return file, err
		}
	}
	return "", nil
}

// model says which model would be asked.
func (e *examination) model() {
	const tell = "reverse-spec auth"
	switch {
	case e.ModelErr != nil:
		e.add(aboutModel, Broken, tell, message.New("%v", e.ModelErr))
	case e.Model == nil || e.Model.Provider == llm.None:
		e.add(aboutModel, Absent, tell, message.New("none: specs hold what the code proves"))
	default:
		e.add(aboutModel, Good, "", message.New("%s %s", e.Model.Provider, e.Model.Model))
	}
}

// ckb looks for a CKB on this machine.
func (e *examination) ckb() {
	if _, err := exec.LookPath("ckb"); err != nil {
		e.add(aboutCKB, Absent, "npm install -g @tastehub/ckb && ckb init && ckb index", message.New("none; the code graph is made here"))
		return
	}
	if !ckb.HasIndex(e.project.Root()) {
		e.add(aboutCKB, Notable, "ckb init && ckb index", message.New("installed, without an index of this project"))
		return
	}
	e.add(aboutCKB, Good, "", message.New("installed, with an index of this project"))
}
