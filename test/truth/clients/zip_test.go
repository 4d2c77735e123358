package clients_test

import (
	"archive/zip"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// bundles are the zips of the plugin: one that is made here of what a release would put
// into it, with the program of this machine alone, and that of a release where ZIP names
// one.
func bundles(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{"made here": zipped(t)}
	if released := os.Getenv("ZIP"); released != "" {
		all["of the release"] = released
	}
	return all
}

// entry is what goreleaser puts into an archive: files by a pattern, or one file.
type entry struct {
	Src   string
	Dst   string
	Strip bool `yaml:"strip_parent"`
	Info  struct {
		Mode fs.FileMode
	}
}

func (e *entry) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		return node.Decode(&e.Src)
	}
	type plain entry
	return node.Decode((*plain)(e))
}

// entries are those of the plugin's archive.
func entries(t *testing.T) []entry {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository(t), "goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var release struct {
		Archives []struct {
			ID    string
			Files []entry
		}
	}
	if err := yaml.Unmarshal(text, &release); err != nil {
		t.Fatal(err)
	}
	for _, archive := range release.Archives {
		if archive.ID == "plugin" {
			return archive.Files
		}
	}
	t.Fatal("goreleaser.yaml makes no archive that is called plugin")
	return nil
}

// zipped makes the zip.
func zipped(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "reverse-spec-plugin.zip")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(file)
	native := "native/" + runtime.GOOS + "-" + runtime.GOARCH
	for _, e := range entries(t) {
		switch {
		case e.Dst == native:
			e.Src = path.Join(native, path.Base(e.Src))
		case strings.HasPrefix(e.Dst, "native/"):
			continue
		}
		if err := e.put(w, os.DirFS(repository(t))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// put writes what an entry names into a zip.
func (e entry) put(w *zip.Writer, files fs.FS) error {
	return fs.WalkDir(files, strings.TrimSuffix(e.Src, "/**"), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		header, err := zip.FileInfoHeader(info)
		if err != nil {
			return err
		}
		header.Name = path.Join(e.Dst, file)
		if e.Strip {
			header.Name = path.Join(e.Dst, path.Base(file))
		}
		mode := fs.FileMode(0o644)
		if e.Info.Mode != 0 {
			mode = e.Info.Mode
		}
		header.SetMode(mode)
		to, err := w.CreateHeader(header)
		if err != nil {
			return err
		}
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		_, err = to.Write(text)
		return err
	})
}
