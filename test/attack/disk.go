package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// fullDisk writes to a disk that runs full: an existing spec must stay intact, and the program
// must report the failure.
func fullDisk(r *run) {
	source := r.modules("source")
	r.command("disk", source, "batch", "--no-llm")
	script := filepath.Join(r.top, "disk.sh")
	const text = `set -e
mkdir -p "$2" && mount -t tmpfs -o size="$3" tmpfs "$2"
cp -r "$1/." "$2/" && cd "$2"
printf '\n// More is more.\nfunc More() int { return 2 }\n' >>m00/a.go
sha256sum specs/m01.spec.md >/dev/null
dd if=/dev/zero of=filler bs=1k 2>/dev/null || true
truncate -s -"$4" filler
set +e
export REVERSE_SPEC_HOME="$2/data"
"$5" generate m00 --no-llm; echo "status $?"
"$5" index; echo "status $?"
set -e
head -c 4 specs/m00.spec.md; tail -c 200 specs/m00.spec.md | tail -n 1
grep -c '^# ' specs/m00.spec.md
`
	if err := writeFile(script, text); err != nil {
		r.fail("set-up: %v", err)
		return
	}
	full := 0
	for free := 0; free <= 128<<10; free += 4 << 10 {
		output, ok := r.fullAt(source, script, free)
		if !ok {
			return
		}
		if strings.Contains(output, "no space left") {
			full++
		}
	}
	if full == 0 {
		r.fail("the disk was never full, or nothing was said of it")
	}
}

// fullAt runs a script with a number of free bytes on the disk. It returns the output, and
// whether such a disk can be created here.
func (r *run) fullAt(source, script string, free int) (output string, ok bool) {
	disk := filepath.Join(r.top, "disk")
	ctx, cancel := context.WithTimeout(r.ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "unshare", "-rm", "bash", script, source, disk, "2m", fmt.Sprint(free), r.program)
	cmd.Env = r.environment()
	out, err := cmd.CombinedOutput()
	output = string(out)
	if err != nil && !strings.Contains(output, "status") {
		r.note = strings.TrimSpace("a small disk cannot be made here (unshare, tmpfs): " + lastLine(output))
		return "", false
	}
	r.tried++
	r.judge(fmt.Sprintf("disk, %d bytes free", free), result{output: output})
	switch {
	case ctx.Err() != nil:
		r.fail("disk, %d bytes free: no end after %v", free, patience)
	case err != nil || !strings.Contains(output, "---\n"):
		r.fail("disk, %d bytes free: the spec that was there is lost: %.500q", free, output)
	}
	_ = os.RemoveAll(disk)
	return output, true
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
