package spec

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// short returns file:line of the module without its folder; the pages say so under the title.
func (m *material) short(at string) string { return shortPlace(at, m.folder(), m.paths()) }

// folder returns the folder of the target, with a slash at its end; "" for the project itself.
func (m *material) folder() string { return folderOf(m.target, string(m.tree.Scope)) }

func folderOf(target, scope string) string {
	if scope == "file" {
		target = path.Dir(target)
	}
	if target == "." || target == "" {
		return ""
	}
	return target + "/"
}

// paths returns the paths of the module's files.
func (m *material) paths() []string {
	if m.files == nil {
		for _, f := range m.tree.Files {
			m.files = append(m.files, f.Path)
		}
	}
	return m.files
}

// shortPlace cuts the folder off a place in one of the files of a spec. Another file that would then be taken for one of them is written
// as seen from the folder: ../a.go:3.
func shortPlace(at, folder string, files []string) string {
	file, line, _ := strings.Cut(at, ":")
	if short, ok := strings.CutPrefix(file, folder); ok && folder != "" && slices.Contains(files, file) {
		return short + ":" + line
	}
	if folder != "" && slices.Contains(files, folder+file) {
		return strings.Repeat("../", strings.Count(folder, "/")) + at
	}
	return at
}

// longPlace is the inverse of shortPlace.
func longPlace(at, folder string, files []string) string {
	up := strings.Repeat("../", strings.Count(folder, "/"))
	if file, ok := strings.CutPrefix(at, up); ok && folder != "" {
		return file
	}
	file, _, _ := strings.Cut(at, ":")
	if folder != "" && slices.Contains(files, folder+file) {
		return folder + at
	}
	return at
}

// placeCodes lists places as code. One in the file of the place before it is written as its line alone: `a.go:3`, `:9`.
func placeCodes(list []string, separator string) string {
	var out []string
	before := ""
	for _, at := range list {
		file, line, _ := strings.Cut(at, ":")
		if file == before && line != "" {
			at = ":" + line
		}
		before = file
		out = append(out, markdown.Code(at))
	}
	return strings.Join(out, separator)
}

// wholePlaces is the inverse of what placeCodes shortens.
func wholePlaces(list []string) []string {
	before := ""
	for i, at := range list {
		if strings.HasPrefix(at, ":") {
			list[i] = before + at
		}
		before, _, _ = strings.Cut(list[i], ":")
	}
	return list
}

func (s *Spec) folder() string { return folderOf(s.Front.SourceTarget, s.Front.Scope) }

func (s *Spec) shortPlaces(list []string) []string {
	out := make([]string, len(list))
	for i, at := range list {
		out[i] = shortPlace(at, s.folder(), s.Front.RelatedFiles)
	}
	return out
}

// LongPlace returns file:line, or a file, with its path in the project; the pages write those of the module without its
// folder.
func (s *Spec) LongPlace(at string) string { return s.Front.LongPlace(at) }

// LongPlace is [Spec.LongPlace].
func (f *Front) LongPlace(at string) string {
	return longPlace(at, folderOf(f.SourceTarget, f.Scope), f.RelatedFiles)
}

// Row is a row of the table of a requirement.
type Row struct {
	Cells  []string // without the last one, which is empty or where the row is; an empty first cell is that of the row above
	Places []string // file:line, in the project
}

// Rows returns the rows of a requirement's table, each with where it is; none for a requirement without one.
func (s *Spec) Rows(r *Requirement) []Row {
	list, _ := table(r.Text)
	var out []Row
	for _, cells := range list {
		last := len(cells) - 1
		if last < 1 {
			continue
		}
		if cells[0] == "" && len(out) > 0 {
			cells[0] = out[len(out)-1].Cells[0]
		}
		row := Row{Cells: cells[:last]}
		for _, at := range wholePlaces(markdown.Uncodes(cells[last])) {
			row.Places = append(row.Places, s.LongPlace(at))
		}
		out = append(out, row)
	}
	return out
}

// lengthen gives the places of all items their paths in the project.
func (s *Spec) lengthen() {
	evidence := func(list []Evidence) {
		for i := range list {
			list[i].Place = s.LongPlace(list[i].Place)
		}
	}
	for i := range s.Requirements {
		evidence(s.Requirements[i].Evidence)
		for j, at := range s.Requirements[i].Tests {
			s.Requirements[i].Tests[j] = s.LongPlace(at)
		}
	}
	for i := range s.Scenarios {
		evidence(s.Scenarios[i].Evidence)
	}
}
