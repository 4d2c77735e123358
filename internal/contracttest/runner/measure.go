package runner

import (
	"path"
	"strconv"
	"strings"
)

// Cover changes a script of [Script] so that the tool measures which lines of source files run, into a folder; after is a
// script that must run then, or "". ok is false for a tool whose coverage is not known. The script fails if what measures is
// not installed.
func Cover(tool, dir, script, folder string, sources []string) (measured, after string, ok bool) {
	h := home{dir: dir}
	if dir == "" {
		h.dir = "."
	}
	into := func(name string) string { return word(path.Join(folder, name)) }
	switch tool {
	case "go test":
		flags := "-coverprofile=" + into("profile") + " -coverpkg=" + word("./"+strings.Join(h.folders(sources), ",./"))
		return strings.Replace(script, "go test ", "go test "+flags+" ", 1), "", true
	case "vitest":
		flags := "--coverage.enabled --coverage.reporter=json --coverage.thresholds.100=false --coverage.reportsDirectory=" + word(folder)
		return strings.Replace(script, "vitest run ", "vitest run "+flags+" ", 1), "", true
	case "jest":
		flags := "--coverage --coverageReporters=json --coverageDirectory=" + word(folder)
		return strings.Replace(script, " jest ", " jest "+flags+" ", 1), "", true
	case "pytest", "unittest":
		data := " --data-file=" + into("data")
		measured := strings.Replace(script, "python3 -m "+tool, "python3 -m coverage run"+data+" -m "+tool, 1)
		return measured, h.enter() + "python3 -m coverage json -q" + data + " -o " + into("coverage.json"), true
	case "cargo test":
		return h.coverRust(script, folder)
	case "mvn", "gradle":
		return h.coverJVM(tool, script, folder, sources)
	case "rspec", "minitest":
		return h.coverRuby(script, folder)
	case "phpunit":
		flags := []string{"--coverage-clover", into("clover.xml")}
		for _, dir := range h.folders(sources) {
			flags = append(flags, "--coverage-filter", word(dir))
		}
		return strings.Replace("export XDEBUG_MODE=coverage\n"+script, "phpunit ", "phpunit "+strings.Join(flags, " ")+" ", 1), "", true
	}
	return "", "", false
}

// folders returns the folders of files, relative to the home.
func (h home) folders(files []string) []string {
	var out []string
	for _, f := range files {
		out = add(out, path.Dir(h.rel(f)))
	}
	return out
}

// llvm is a function of bash that finds a tool of LLVM which reads what the compiler writes: of the toolchain, or else of the
// system in the same version.
const llvm = `llvm() {
  local v p
  v=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
  for p in "$(rustc --print target-libdir)/../bin/llvm-$1" "llvm-$1-$v" "llvm-$1"; do
    if "$p" --version 2>/dev/null | grep -q "LLVM version $v\."; then echo "$p"; return; fi
  done
  echo "llvm-$1 of LLVM $v is not installed" >&2
  return 1
}
`

// coverRust builds the crate anew in the folder, since what is built without coverage has none.
func (h home) coverRust(script, folder string) (measured, after string, ok bool) {
	dir := word(folder)
	environment := `RUSTFLAGS="${RUSTFLAGS-} -C instrument-coverage" CARGO_TARGET_DIR=` + dir + "/target LLVM_PROFILE_FILE=" + dir + "/%p-%m.profraw "
	measured = llvm + "(" + h.enter() + "llvm profdata && llvm cov) >/dev/null\n" + strings.Replace(script, "cargo test ", environment+"cargo test ", 1)
	after = llvm + h.enter() + `"$(llvm profdata)" merge -sparse ` + dir + "/*.profraw -o " + dir + "/profdata\n" +
		`"$(llvm cov)" export -format=lcov -instr-profile=` + dir + "/profdata $(find " + dir +
		"/target/debug/deps -maxdepth 1 -type f -perm -u+x ! -name '*.so' -printf '-object %p ') >" + dir + "/lcov"
	return measured, after, true
}

// jacoco is a function of bash that finds a library of JaCoCo: the project's own, which Maven or Gradle keep, or the system's.
const jacoco = `jacoco() {
  local f
  f=$(find ~/.m2/repository ~/.gradle/caches/modules-2 /usr/share/java -name "$1" 2>/dev/null | sort -V | tail -n 1)
  if [ -z "$f" ]; then echo "JaCoCo is not installed: $1" >&2; return 1; fi
  echo "$f"
}
`

// asm are the libraries that JaCoCo needs where it does not contain them.
const asm = "asm asm-commons asm-tree asm-analysis"

// coverJVM has JaCoCo's agent watch the classes of the packages of the sources, in whatever process loads them. The
// agent of the system does not say in its jar that it is one, nor what it needs: a jar that names both is made.
func (h home) coverJVM(tool, script, folder string, sources []string) (measured, after string, ok bool) {
	var packages []string
	for _, dir := range h.folders(sources) {
		for _, root := range []string{"java/", "kotlin/"} {
			if _, name, found := strings.Cut(dir+"/", root); found {
				packages = add(packages, strings.ReplaceAll(name, "/", ".")+"*")
				break
			}
		}
	}
	if len(packages) == 0 {
		return "", "", false
	}
	classes := path.Join(h.dir, "target/classes")
	if tool == "gradle" {
		classes = path.Join(h.dir, "build/classes")
	}
	dir := word(folder)
	measured = jacoco + `agent=$(jacoco 'org.jacoco.agent-*-runtime.jar' 2>/dev/null) || {
  for name in org.jacoco.agent.rt org.jacoco.core ` + asm + `; do ln -s "$(jacoco "$name-[0-9]*.jar")" ` + dir + `/$name.jar; done
  printf 'Premain-Class: org.jacoco.agent.rt.internal.PreMain\nClass-Path: org.jacoco.agent.rt.jar org.jacoco.core.jar\n  ` + strings.ReplaceAll(asm, " ", ".jar ") + `.jar\n' >` + dir + `/manifest
  jar cfm ` + dir + `/agent.jar ` + dir + `/manifest
  agent=` + dir + `/agent.jar
}
export JAVA_TOOL_OPTIONS="${JAVA_TOOL_OPTIONS-} -javaagent:$agent=destfile=` + folder + "/exec,append=true,includes=" + strings.Join(packages, ":") + `"
` + script
	after = jacoco + "cat >" + dir + "/Lines.java <<'END'\n" + jacocoLines + `END
jars=$(jacoco 'org.jacoco.core*.jar')
for name in ` + asm + `; do jars=$jars:$(jacoco "$name-[0-9]*.jar"); done
java -cp "$jars" ` + dir + "/Lines.java " + dir + "/exec " + word(classes) + " >" + dir + "/lcov"
	return measured, after, true
}

// jacocoLines is a program that writes what JaCoCo measured in the form of lcov.
const jacocoLines = `import java.io.File;
import org.jacoco.core.analysis.*;
import org.jacoco.core.tools.ExecFileLoader;

public class Lines {
    public static void main(String[] args) throws Exception {
        ExecFileLoader exec = new ExecFileLoader();
        exec.load(new File(args[0]));
        CoverageBuilder found = new CoverageBuilder();
        new Analyzer(exec.getExecutionDataStore(), found).analyzeAll(new File(args[1]));
        for (ISourceFileCoverage file : found.getSourceFiles()) {
            System.out.println("SF:" + file.getPackageName() + "/" + file.getName());
            for (int i = file.getFirstLine(); i > 0 && i <= file.getLastLine(); i++) {
                ICounter count = file.getLine(i).getInstructionCounter();
                if (count.getTotalCount() > 0) System.out.println("DA:" + i + "," + count.getCoveredCount());
            }
        }
    }
}
`

// coverRuby has Ruby's own library measure, unless the project uses SimpleCov, which does so by itself.
func (h home) coverRuby(script, folder string) (measured, after string, ok bool) {
	program, result := word(folder+"/lines.rb"), folder+"/coverage.json"
	measured = "cat >" + program + ` <<'END'
require "coverage"
require "json"
Coverage.start(lines: true)
at_exit { File.write(` + strconv.Quote(result) + `, JSON.generate("ruby" => {"coverage" => Coverage.peek_result})) }
END
measure=
(` + h.enter() + `grep -qrs simplecov .simplecov Gemfile test spec) || measure=-r` + program + "\n"
	if before, rest, ok := strings.Cut(script, "ruby -"); ok { // what RUBYOPT names is loaded after what the command does
		measured += before + "ruby $measure -" + rest
	} else {
		measured += `export RUBYOPT="${RUBYOPT-} $measure"` + "\n" + script
	}
	after = h.enter() + "[ -s " + word(result) + " ] || cp coverage/.resultset.json " + word(result)
	return measured, after, true
}
