package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// checkpointFile is the name of the checkpoint in the output folder, as in the contract.
const checkpointFile = ".reverse-spec-checkpoint.json"

// Limits on how often the checkpoint is written: the minimum interval, and at most a tenth of
// the time, because a large project's checkpoint is long. Work that a killed run did since is
// detected by the specs themselves, except with Force. With a writer the checkpoint is written
// after each module; that costs little compared with an answer, and no answer is requested
// twice.
// nothing next to an answer, and no answer shall be asked for twice.
const (
	checkpointEvery = 200 * time.Millisecond
	checkpointShare = 10
)

// batchState is the contract's BatchState.
type batchState struct {
	BatchID          string      `json:"batchId"`
	ProjectRoot      string      `json:"projectRoot"` // ".", because the checkpoint is in the project
	StartedAt        string      `json:"startedAt"`
	LastUpdatedAt    string      `json:"lastUpdatedAt"`
	TotalModules     int         `json:"totalModules"`
	ProcessingOrder  []string    `json:"processingOrder"`
	CompletedModules []completed `json:"completedModules"`
	FailedModules    []Failed    `json:"failedModules"`
	CurrentModule    string      `json:"currentModule,omitempty"` // the last one started
	ForceRegenerate  bool        `json:"forceRegenerate"`
	GeneratedBy      string      `json:"generatedBy"`
}

// completed is a finished module.
type completed struct {
	Path         string `json:"path"`
	SpecPath     string `json:"specPath"`
	CompletedAt  string `json:"completedAt"`
	TokenUsage   int    `json:"tokenUsage,omitempty"`
	SkeletonHash string `json:"skeletonHash"`
}

// state maintains the checkpoint. It is safe for concurrent use.
type state struct {
	run  *run
	file string

	earlier map[string]string // module -> hash, finished by the previous run
	tries   map[string]int    // module -> number of failures in earlier runs

	mu        sync.Mutex
	now       batchState
	nextWrite time.Time
}

// readState reads the checkpoint of the previous run and keeps what is still valid.
func (b *run) readState() (*state, error) {
	s := &state{run: b, file: path.Join(b.opts.OutputDir, checkpointFile), earlier: map[string]string{}, tries: map[string]int{}}
	s.now = batchState{
		BatchID: fmt.Sprintf("batch-%d", b.begin.UnixMilli()), ProjectRoot: ".", StartedAt: stamp(b.begin),
		TotalModules: len(b.plan.modules), ProcessingOrder: []string{}, CompletedModules: []completed{}, FailedModules: []Failed{},
		ForceRegenerate: b.opts.Force, GeneratedBy: spec.Generator,
	}
	for _, m := range b.plan.modules {
		s.now.ProcessingOrder = append(s.now.ProcessingOrder, m.Path)
	}
	return s, s.takeOver()
}

// open writes the initial checkpoint.
func (s *state) open() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write()
}

// takeOver resumes the previous run, unless that was started without Force and this one has
// it, or another version of the program wrote the checkpoint.
func (s *state) takeOver() error {
	text, err := s.run.project.ReadFile(s.file)
	missing := (*project.MissingError)(nil)
	if errors.As(err, &missing) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return message.Errorf("read the checkpoint: %w", err)
	}
	var old batchState
	if err := json.Unmarshal(text, &old); err != nil {
		s.run.warn(message.New("the checkpoint %s is damaged: %v; the run starts from the beginning", s.file, err).In(s.run.lang))
		return nil
	}
	if s.run.opts.Force && !old.ForceRegenerate || old.GeneratedBy != spec.Generator {
		return nil
	}
	s.run.result.Resumed = true
	s.now.BatchID, s.now.StartedAt = old.BatchID, old.StartedAt
	planned := map[string]bool{}
	for _, m := range s.now.ProcessingOrder {
		planned[m] = true
	}
	for _, m := range old.CompletedModules {
		if planned[m.Path] {
			s.earlier[m.Path] = m.SkeletonHash
			s.now.CompletedModules = append(s.now.CompletedModules, m)
		}
	}
	for _, f := range old.FailedModules {
		if planned[f.Path] {
			s.tries[f.Path] = f.RetryCount + 1
			s.now.FailedModules = append(s.now.FailedModules, f)
		}
	}
	return nil
}

// done reports whether the previous run finished the module in its current form.
func (s *state) done(m *module) bool {
	hash, ok := s.earlier[m.Path]
	return ok && hash == m.hash
}

// attempts returns how often the module has failed before.
func (s *state) attempts(module string) int { return s.tries[module] }

// started records the current module. It is saved with the next change.
func (s *state) started(m *module) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.CurrentModule = m.Path
}

func (s *state) completed(m *module, at time.Time) error {
	entry := completed{Path: m.Path, SpecPath: m.SpecPath, CompletedAt: stamp(at), TokenUsage: m.tokens, SkeletonHash: m.hash}
	return s.change(m.Path, func(now *batchState) { now.CompletedModules = append(now.CompletedModules, entry) })
}

func (s *state) failed(m *module) error {
	return s.change(m.Path, func(now *batchState) { now.FailedModules = append(now.FailedModules, m.failure) })
}

// change updates the record of a module and saves the state if it is time.
func (s *state) change(module string, f func(now *batchState)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.CompletedModules = slices.DeleteFunc(s.now.CompletedModules, func(c completed) bool { return c.Path == module })
	s.now.FailedModules = slices.DeleteFunc(s.now.FailedModules, func(f Failed) bool { return f.Path == module })
	f(&s.now)
	if s.run.opts.Writer == nil && time.Now().Before(s.nextWrite) {
		return nil
	}
	return s.write()
}

// write saves the checkpoint. The caller must hold the lock.
func (s *state) write() error {
	begin := time.Now()
	s.now.LastUpdatedAt = stamp(s.run.opts.Now())
	text, err := json.MarshalIndent(&s.now, "", "  ")
	if err != nil {
		return message.Errorf("write the checkpoint: %w", err)
	}
	if err := s.run.project.WriteFile(s.file, append(text, '\n')); err != nil {
		return message.Errorf("write the checkpoint: %w", err)
	}
	end := time.Now()
	s.nextWrite = end.Add(max(checkpointEvery, checkpointShare*end.Sub(begin)))
	return nil
}

// close removes the checkpoint after a complete run, and otherwise saves it.
func (s *state) close(complete bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.CurrentModule = ""
	if !complete {
		return s.write()
	}
	err := s.run.root.Remove(filepath.FromSlash(s.file))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return message.Errorf("remove the checkpoint: %w", err)
	}
	return nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
