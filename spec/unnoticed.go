package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/lock"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Unnoticed is what came of mistakes that were put into a file; see [lock.Unnoticed].
type Unnoticed = lock.Unnoticed

// Mistake is one that no test noticed.
type Mistake = lock.Mistake

// HashOfFile returns the hash by which [Unnoticed] knows a file of the project; "" if it cannot be read.
func HashOfFile(p *project.Project, file string) string {
	text, err := p.ReadFile(file)
	if err != nil {
		return ""
	}
	const size = 8
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:size])
}

// RecordUnnoticed writes what came of mistakes into the lock of a page; generate then shows it among the risks, as long as
// the code and the tests are the same. Errors: those of [Spec.ReadLock], and of writing.
func RecordUnnoticed(p *project.Project, page string, list []Unnoticed) error {
	s, err := Load(p, page)
	if err != nil {
		return err
	}
	file := LockPath(page, s.Front.SourceTarget)
	text, err := p.ReadUpTo(file, lock.MaxSize)
	if err != nil {
		return err
	}
	l, err := lock.Parse(text)
	if err == nil && l.Skeleton.Hash != s.Front.SkeletonHash {
		err = ErrStale
	}
	if err != nil {
		return &LockError{Path: file, Err: err}
	}
	l.Unnoticed = slices.SortedFunc(slices.Values(list), func(a, b Unnoticed) int { return strings.Compare(a.File, b.File) })
	if err := p.WriteFile(file, l.Encode()); err != nil {
		return message.Errorf("write %s: %w", file, err)
	}
	return nil
}

// holding returns what still holds of an old spec: the files and the tests are as they were.
func holding(p *project.Project, old *Spec) []Unnoticed {
	if old == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(old.Unnoticed), func(u Unnoticed) bool {
		return len(u.Of) == 0 || slices.ContainsFunc(slices.Collect(maps.Keys(u.Of)), func(file string) bool { return HashOfFile(p, file) != u.Of[file] })
	})
}

// maxMistakes limits the mistakes that a page lists.
const maxMistakes = 8

// unnoticedRows lists the mistakes that no test notices: those that violate what a requirement says come first.
func (m *material) unnoticedRows(s *Spec) []string {
	of := map[string]string{}
	for i := range s.Claims {
		of[s.Claims[i].ID()] = s.Claims[i].Requirement
	}
	tried := 0
	var stated, others []string
	for _, u := range s.Unnoticed {
		tried += u.Tried
		for _, x := range u.List {
			now := markdown.Code(x.Now)
			if strings.Trim(x.Now, "; \n") == "" {
				now = wording.In(m.lang, "removed", "删除")
			}
			row := fmt.Sprintf("%s → %s (%s", markdown.Code(x.Was), now, markdown.Code(m.short(fmt.Sprintf("%s:%d", u.File, x.Line))))
			var ids []string
			for _, c := range x.Claims {
				ids = appendNew(ids, []string{of[c]})
			}
			if ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" }); len(ids) > 0 {
				stated = append(stated, "  - "+row+", "+strings.Join(ids, ", ")+")")
				continue
			}
			others = append(others, "  - "+row+")")
		}
	}
	list := slices.Concat(stated, others)
	if len(list) == 0 {
		return nil
	}
	head := fmt.Sprintf(wording.In(m.lang, "- **Mistakes that no test notices**: %d of %d put in by `verify --mutate`", "- **测试未发现的错误**：`verify --mutate` 植入 %[2]d 处，未发现 %[1]d 处"), len(list), tried)
	rows := append([]string{head}, list[:min(len(list), maxMistakes)]...)
	if left := len(list) - maxMistakes; left > 0 {
		rows = append(rows, "  "+m.more(left))
	}
	return rows
}
