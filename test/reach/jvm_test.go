package reach_test

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// java runs the tests of JUnit 4 with JaCoCo, by testdata/Entered.java. It needs a JDK, and the libraries of the tests as
// jars in /usr/share/java, where Debian has them: libjacoco-java, junit4, libtruth-java, libguava-testlib-java.
type java struct{}

const jars = "/usr/share/java"

// jarNames are those in the class path, without ".jar". Asm is for JaCoCo.
var jarNames = []string{
	"asm", "asm-commons", "asm-tree", "asm-analysis", "org.jacoco.core", "junit4", "hamcrest-all", "truth", "guava", "guava-testlib",
	"jsr305", "error_prone_annotations", "error-prone-annotations",
}

func (java) name(file string, t *code.Test) string {
	parts := strings.Split(t.Name, " > ")
	return file + " " + parts[len(parts)-1]
}

// entered runs all tests of the module's part of the repository, as far as they compile.
func (java) entered(ctx context.Context, t *testing.T, m *module, sources, named []string) (map[string]outcome, error) {
	t.Helper()
	main, below, ok := strings.Cut(m.path, "/src/main/java/")
	if !ok {
		return nil, fmt.Errorf("%s is not below src/main/java", m.path)
	}
	r := &javaRun{temp: t.TempDir(), part: filepath.Join(m.root, filepath.FromSlash(main)), path: classPath()}
	if err := r.compile(ctx); err != nil {
		return nil, err
	}
	var own []string
	for _, file := range sources {
		own = append(own, strings.TrimPrefix(file, main+"/src/main/java/"))
	}
	lines, err := r.run(ctx, strings.Join(own, ","))
	if err != nil {
		return nil, err
	}
	out := map[string]outcome{}
	for _, cells := range lines {
		class, _, _ := strings.Cut(cells[1], "$")
		method, _, _ := strings.Cut(cells[2], "[") // the rows of a table are one test
		file := main + "/src/test/java/" + strings.ReplaceAll(class, ".", "/") + ".java"
		name := file + " " + method
		out[name] = outcome{enters: out[name].enters || cells[0] == "1", names: slices.Contains(named, file) || r.imports(file, main, below)}
	}
	return out, nil
}

// javaRun is a part of a repository whose tests are run.
type javaRun struct {
	temp, part string
	path       string   // the class path
	tests      []string // the files that compile
	known      map[string]bool
}

func classPath() string {
	var out []string
	for _, name := range jarNames {
		if jar := filepath.Join(jars, name+".jar"); exists(jar) {
			out = append(out, jar)
		}
	}
	return strings.Join(out, string(os.PathListSeparator))
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// compile compiles the program that runs the tests, the code and the tests. Tests that need what is not there are left out.
func (r *javaRun) compile(ctx context.Context) error {
	program, err := filepath.Abs(filepath.Join("testdata", "Entered.java"))
	if err != nil {
		return err
	}
	if err := r.javac(ctx, "program", "", []string{program}); err != nil {
		return err
	}
	code := slices.Concat(javaFiles(filepath.Join(r.part, "src/main/java")), javaFiles(filepath.Join(r.part, "src/main/java-templates")))
	if err := r.javac(ctx, "code", "", code, "--release", "11"); err != nil { // the newest that Debian's JaCoCo knows
		return err
	}
	r.tests = javaFiles(filepath.Join(r.part, "src/test/java"))
	for range 5 {
		err = r.javac(ctx, "tests", filepath.Join(r.temp, "code"), r.tests)
		if err == nil {
			break
		}
		wrong := err.Error()
		r.tests = slices.DeleteFunc(r.tests, func(file string) bool { return strings.Contains(wrong, file+":") })
	}
	return err
}

// javaFiles returns the sources below a folder, without the descriptions of packages and modules.
func javaFiles(folder string) []string {
	var out []string
	_ = filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(file, ".java") && !strings.HasSuffix(file, "-info.java") {
			out = append(out, file)
		}
		return nil
	})
	return out
}

// javac compiles files into a folder of r.temp. The error has all that javac says.
func (r *javaRun) javac(ctx context.Context, into, with string, files []string, more ...string) error {
	list := filepath.Join(r.temp, into+".txt")
	if err := os.WriteFile(list, []byte(strings.Join(files, "\n")), 0o600); err != nil {
		return err
	}
	args := append(more, "-J-Duser.language=en", "-Xmaxerrs", "9999", "-proc:none", "-nowarn", "-g",
		"-cp", with+string(os.PathListSeparator)+r.path, "-d", filepath.Join(r.temp, into), "@"+list)
	return problems(ctx, "javac", args...)
}

// run runs the tests; a line has "1" or "0", the class and the method.
func (r *javaRun) run(ctx context.Context, sources string) ([][]string, error) {
	var classes []string
	for _, file := range r.tests {
		rel, _ := filepath.Rel(filepath.Join(r.part, "src/test/java"), file)
		if strings.HasSuffix(rel, "Test.java") {
			classes = append(classes, strings.ReplaceAll(strings.TrimSuffix(filepath.ToSlash(rel), ".java"), "/", "."))
		}
	}
	list, result := filepath.Join(r.temp, "classes.txt"), filepath.Join(r.temp, "result")
	if err := os.WriteFile(list, []byte(strings.Join(classes, "\n")), 0o600); err != nil {
		return nil, err
	}
	path := filepath.Join(r.temp, "program") + string(os.PathListSeparator) + r.path
	if _, err := output(ctx, r.part, "java", "-cp", path, "Entered", result, filepath.Join(r.temp, "code"), filepath.Join(r.temp, "tests"), sources, list); err != nil {
		return nil, err
	}
	f, err := os.Open(result)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out [][]string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if cells := strings.SplitN(lines.Text(), " ", 3); len(cells) == 3 {
			out = append(out, cells)
		}
	}
	return out, lines.Err()
}

// imports reports whether a test is in the package below src/main/java, or imports it or something of it.
func (r *javaRun) imports(file, main, below string) bool {
	if known, ok := r.known[file]; ok {
		return known
	}
	if r.known == nil {
		r.known = map[string]bool{}
	}
	text, _ := os.ReadFile(filepath.Join(r.part, filepath.FromSlash(strings.TrimPrefix(file, main+"/"))))
	pkg := strings.ReplaceAll(strings.TrimSuffix(below, ".java"), "/", ".")
	in := path.Dir(strings.TrimPrefix(file, main+"/src/test/java/")) == below
	r.known[file] = in || strings.Contains(string(text), " "+pkg+".") || strings.Contains(string(text), " "+pkg+";")
	return r.known[file]
}
