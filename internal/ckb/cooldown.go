package ckb

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// failures remembers the last failure of a project's CKB in a file, so that other
// processes do not wait for the same. A file that cannot be read or written is
// ignored.
type failures struct {
	root     string
	file     string // "" for none
	cooldown time.Duration
}

// failure is the content of the file.
type failure struct {
	Root   string    `json:"root"` // for people who find the file
	Since  time.Time `json:"since"`
	Reason Reason    `json:"reason"`
	Error  string    `json:"error"` // in English
	// Local is the error in the other languages: the process that reads the file may use another
	// one than the process that wrote it.
	Local map[message.Lang]string `json:"local,omitempty"`
}

func newFailures(o Options, cooldown time.Duration) failures {
	if o.State == "" {
		return failures{}
	}
	sum := sha256.Sum256([]byte(o.Root))
	return failures{o.Root, filepath.Join(o.State, "ckb-"+hex.EncodeToString(sum[:8])+".json"), cooldown}
}

// left returns the seconds that are left of the cool-down, rounded up, and
// its error in a language; 0 without a cool-down.
func (f failures) left(lang message.Lang) (seconds int, why string) {
	if f.file == "" {
		return 0, ""
	}
	var last failure
	text, err := openfile.Read(f.file, openfile.MaxConfig)
	if err != nil || json.Unmarshal(text, &last) != nil {
		return 0, ""
	}
	left := f.cooldown - time.Since(last.Since)
	if left <= 0 || left > f.cooldown { // over, or the clock was set back
		return 0, ""
	}
	return int((left + time.Second - 1) / time.Second), cmp.Or(last.Local[lang], last.Error)
}

// begin begins a cool-down. The file is replaced atomically.
func (f failures) begin(r Reason, why error) {
	if f.file == "" || f.cooldown == 0 {
		return
	}
	local := map[message.Lang]string{}
	for _, lang := range message.Langs() {
		if lang != message.English {
			local[lang] = message.Render(lang, why)
		}
	}
	text, err := json.Marshal(failure{f.root, time.Now(), r, why.Error(), local})
	if err != nil || os.MkdirAll(filepath.Dir(f.file), 0o700) != nil {
		return
	}
	t, err := os.CreateTemp(filepath.Dir(f.file), filepath.Base(f.file)+".new-*")
	if err != nil {
		return
	}
	_, err = t.Write(text)
	if err = errors.Join(err, t.Close()); err == nil {
		err = os.Rename(t.Name(), f.file)
	}
	if err != nil {
		_ = os.Remove(t.Name())
	}
}

// end ends a cool-down.
func (f failures) end() {
	if f.file != "" {
		_ = os.Remove(f.file)
	}
}
