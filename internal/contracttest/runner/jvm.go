package runner

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// mavenTest runs methods by class and name. Surefire fails if nothing matches.
func mavenTest(p *place) (*Tool, error) {
	h, ok := p.above(nil, "pom.xml", "build.gradle", "build.gradle.kts")
	if !ok || h.name != "pom.xml" {
		return nil, nil
	}
	maven := program{"mvn", "mvn", []string{"java", "mvn"}}
	if p.has(path.Join(h.dir, "mvnw")) {
		maven = program{"mvn", "./mvnw", []string{"java"}}
	}
	return &Tool{
		Name: maven.name, Needs: maven.needs, Home: h.dir, Reports: path.Join(h.dir, "target/surefire-reports"), unit: p.withNested(),
		filter: func(t code.Test) string { return p.method(t, "#") },
		script: func(units, filters []string) string {
			return h.enter() + maven.call + " -q -Dtest='" + strings.Join(either(filters, units), ",") + "' test"
		},
		suite: h.enter() + maven.call + " -q test",
	}, nil
}

// program is the command with which a project calls a tool.
type program struct {
	name, call string
	needs      []string
}

// gradleTest is for Java and Kotlin. Gradle fails if nothing matches.
func gradleTest(p *place) (*Tool, error) {
	h, ok := p.above(nil, "build.gradle.kts", "build.gradle")
	if !ok || strings.Contains(h.text, "com.android") {
		return nil, nil
	}
	begin, needs, at := "gradle", []string{"java", "gradle"}, h.dir
	if w, ok := p.above(nil, "gradlew"); ok {
		begin, needs = w.enter()+"./gradlew", []string{"java"}
		h.dir = path.Join(".", w.rel(h.dir))
	}
	if h.dir != "." && h.dir != "" {
		begin += " -p " + word(h.dir)
	}
	return &Tool{
		Name: "gradle", Needs: needs, Home: at, Reports: path.Join(at, "build/test-results/test"), unit: p.class(),
		filter: func(t code.Test) string { return p.method(t, ".") },
		script: func(units, filters []string) string {
			return begin + " test --tests '" + strings.Join(either(filters, units), "'"+lines+"--tests '") + "'"
		},
		suite: begin + " test --continue",
	}, nil
}

// class returns the full name of the outermost class with tests; "" if there are several.
func (p *place) class() string {
	var names []string
	for _, t := range p.file.Tests {
		names = add(names, outermost(t))
	}
	if len(names) != 1 || strings.ContainsAny(names[0], `'",*[]`) {
		return ""
	}
	return strings.TrimPrefix(p.file.Package+"."+names[0], ".")
}

// withNested returns the class and, where tests are in classes inside it, a pattern for these: Surefire takes the name of a
// class for that class alone.
func (p *place) withNested() string {
	class := p.class()
	if class != "" && slices.ContainsFunc(p.file.Tests, func(t code.Test) bool { return strings.Count(t.Name, nesting) > 1 }) {
		class += "," + class + "$*"
	}
	return class
}

// method returns the full name of a test method with the given separator; "" for a name that
// is unsafe in bash.
func (p *place) method(t code.Test, sign string) string {
	parts := strings.Split(t.Name, nesting)
	if len(parts) < 2 || strings.ContainsAny(t.Name, `'",*[]`) {
		return ""
	}
	class := strings.Join(parts[:len(parts)-1], "$")
	if p.file.Package != "" {
		class = p.file.Package + "." + class
	}
	return class + sign + parts[len(parts)-1]
}
