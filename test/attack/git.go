package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// trap is a git configuration that would run a command or leave the repository.
type trap struct {
	name  string
	files map[string]string // $MARK is a command that creates a file; $OUT the folder outside
}

// traps returns the ways in which a repository can make git run commands.
func traps() []trap {
	config := func(text string) map[string]string { return map[string]string{".git/config": text} }
	const core = "[core]\n\trepositoryformatversion = 0\n"
	return []trap{
		{"fsmonitor", config(core + "\tfsmonitor = \"$MARK\"\n")},
		{"hooks", map[string]string{".git/hooks/post-index-change": "#!/bin/sh\n$MARK\n", ".git/hooks/post-checkout": "#!/bin/sh\n$MARK\n", ".git/hooks/fsmonitor-watchman": "#!/bin/sh\n$MARK\n"}},
		{"hooksPath", map[string]string{".git/config": core + "\thooksPath = h\n", "h/post-index-change": "#!/bin/sh\n$MARK\n", "h/pre-auto-gc": "#!/bin/sh\n$MARK\n"}},
		{"filter", map[string]string{".git/config": core + "[filter \"x\"]\n\tclean = $MARK\n\tsmudge = $MARK\n\tprocess = $MARK\n\trequired = true\n", ".gitattributes": "* filter=x\n"}},
		{"diff driver", map[string]string{".git/config": core + "[diff \"x\"]\n\ttextconv = $MARK\n\tcommand = $MARK\n[diff]\n\texternal = $MARK\n", ".gitattributes": "* diff=x\n"}},
		{"pager", config(core + "\tpager = $MARK\n\teditor = $MARK\n\taskPass = $MARK\n\tsshCommand = $MARK\n\tgitProxy = $MARK\n")},
		{"alias", config(core + "[alias]\n\tls-files = !$MARK\n\tcat-file = !$MARK\n\trev-parse = !$MARK\n\tls-tree = !$MARK\n")},
		{"include", config(core + "[include]\n\tpath = $OUT/settings.json\n[includeIf \"gitdir:/\"]\n\tpath = $OUT/token\n")},
		{"work tree", config(core + "\tworktree = $OUT\n")},
		{"excludes file", config(core + "\texcludesFile = $OUT/token\n\tattributesFile = $OUT/token\n")},
		{"partial clone", config(core + "[extensions]\n\tpartialClone = o\n[remote \"o\"]\n\turl = \"ext::sh -c $MARK\"\n\tpromisor = true\n\tuploadpack = $MARK\n[protocol]\n\tallow = always\n")},
		{"alternates", map[string]string{".git/objects/info/alternates": "$OUT\n/dev/zero\n"}},
		{"credential", config(core + "[credential]\n\thelper = !$MARK\n[gpg]\n\tprogram = $MARK\n[log]\n\tshowSignature = true\n")},
		{"submodule", map[string]string{".gitmodules": "[submodule \"x\"]\n\tpath = x\n\turl = ext::sh -c $MARK\n\tupdate = !$MARK\n"}},
		{"HEAD", map[string]string{".git/HEAD": "ref: ../../outside/token\n"}},
		{"HEAD is a secret", map[string]string{".git/HEAD": "ref: refs/heads/--upload-pack=$MARK\n"}},
		{"gitdir", map[string]string{".git/commondir": "$OUT\n"}},
		{"index", map[string]string{".git/index": "DIRC\x00\x00\x00\x02\xff\xff\xff\xff"}},
		{"packed refs", map[string]string{".git/packed-refs": "# pack-refs with: peeled\n" + "x y\n"}},
		{"grafts", map[string]string{".git/info/grafts": "x\n", ".git/shallow": "y\n"}},
	}
}

// hostileGit runs the commands that use git in trapped repositories.
func hostileGit(r *run) {
	if _, err := exec.LookPath("git"); err != nil {
		r.note = "git is not installed"
		return
	}
	mark := filepath.Join(r.top, "mark")
	all := traps()
	r.each(len(all), func(r *run, i int) {
		t := all[i]
		mark, script := mark+strconv.Itoa(i), r.script(mark+strconv.Itoa(i))
		dir := r.repository(t, script)
		for _, args := range [][]string{
			{"generate", ".", "--no-llm"},
			{"index"},
			{"prepare", "."},
			{"diff", "--base", "HEAD", "."},
			{"batch", "--no-llm", "--base", "HEAD"},
			{"review", "--base", "HEAD"},
		} {
			r.command("git, "+t.name, dir, args...)
			if _, err := os.Stat(mark); err == nil {
				r.fail("git, %s: reverse-spec %v ran a command of the repository's", t.name, args)
				_ = os.Remove(mark)
			}
		}
		if file := r.leaked(dir); file != "" {
			r.fail("git, %s: the secret was written to %s", t.name, file)
		}
	})
	r.gitFIFOs()
}

// script creates a command that records that it ran.
func (r *run) script(mark string) string {
	file := mark + ".sh"
	if err := os.WriteFile(file, []byte("#!/bin/sh\necho ran >>"+mark+"\n"), 0o755); err != nil { // it must run
		r.fail("set-up: %v", err)
	}
	return file
}

// repository creates a repository with two commits and a trap.
func (r *run) repository(t trap, script string) string {
	dir := r.project("git", map[string]string{"a.go": "package a\n\nfunc A() int { return 1 }\n"})
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-qm", "one"}} {
		cmd := exec.CommandContext(r.ctx, "git", args...)
		cmd.Dir, cmd.Env = dir, r.environment()
		if out, err := cmd.CombinedOutput(); err != nil {
			r.fail("set-up: git %v: %v %s", args, err, out)
		}
	}
	expand := func(name string) string { return map[string]string{"MARK": script, "OUT": r.outside()}[name] }
	for name, text := range t.files {
		path := filepath.Join(dir, name)
		err := writeFile(path, os.Expand(text, expand))
		if err == nil {
			err = os.Chmod(path, 0o755) // hooks must be able to run
		}
		if err != nil {
			r.fail("set-up: %v", err)
		}
	}
	return dir
}

// gitFIFOs replaces each file that git reads by a FIFO.
func (r *run) gitFIFOs() {
	names := []string{
		".git/config", ".git/HEAD", ".git/index", ".git/packed-refs", ".git/info/exclude", ".git/info/attributes",
		".gitignore", "sub/.gitignore", ".gitattributes", ".gitmodules", ".git/objects/info/alternates", ".git/commondir", ".git/shallow",
	}
	r.each(len(names), func(r *run, i int) {
		name := names[i]
		dir := r.repository(trap{files: map[string]string{"sub/b.go": "package b\n"}}, "")
		path := filepath.Join(dir, name)
		_ = os.Remove(path)
		_ = os.MkdirAll(filepath.Dir(path), 0o755) // a folder of our own
		if err := mkfifo(path); err != nil {
			r.note = "FIFOs: " + err.Error()
			return
		}
		r.command("git, FIFO "+name, dir, "generate", ".", "--no-llm", "--stdout")
		r.command("git, FIFO "+name, dir, "diff", "--base", "HEAD", ".")
	})
}
