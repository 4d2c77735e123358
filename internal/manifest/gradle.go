package manifest

import (
	"path"
	"slices"
	"strings"
)

// gradleProject is a build.gradle or build.gradle.kts.
type gradleProject struct {
	Facts
	aliases []Requirement // aliases in the version catalog: "libs.x.y"
}

// configurations are the suffixes of Gradle's names for sets of dependencies.
var configurations = strings.Fields("implementation api compileOnly runtimeOnly kapt ksp annotationProcessor compile provided runtime classpath debugImplementation")

// gradle reads the dependencies that a Gradle build file lists literally.
func (r *reader) gradle(file string, data []byte) error {
	list := wordsOf(string(data), braceDialect)
	p := gradleProject{Facts: Facts{
		Path: file, Dir: path.Dir(file), Title: assigned(list, "rootProject.name"),
		Language: "java", release: assigned(list, "version"), description: assigned(list, "description"),
	}}
	for i, w := range list {
		switch {
		case w.literal:
		case w.text == "name" && i > 1 && list[i-1].text == "." && list[i-2].text == "rootProject":
			if all := literals(lineAfter(list, i)); len(all) > 0 {
				p.Title = all[0]
			}
		case w.text == "jvmToolchain" || w.text == "sourceCompatibility":
			p.javaVersion(lineAfter(list, i))
		case isConfiguration(w.text):
			p.dependency(w.text, arguments(list, i))
		}
	}
	r.m.Gradle = append(r.m.Gradle, p)
	return nil
}

func isConfiguration(name string) bool {
	return slices.ContainsFunc(configurations, func(c string) bool {
		return name == c || strings.HasSuffix(name, strings.ToUpper(c[:1])+c[1:])
	})
}

// javaVersion reads the version number among tokens: 17, JavaVersion.VERSION_17.
func (p *gradleProject) javaVersion(list []word) {
	for _, w := range list {
		if text := strings.TrimPrefix(strings.TrimPrefix(w.text, "VERSION_"), "1_"); text != "" && startsDigit(text) && p.Version == "" {
			p.Version = text
		}
	}
}

// lineAfter returns the tokens after list[i] on its line.
func lineAfter(list []word, i int) []word {
	to := i + 1
	for to < len(list) && list[to].line == list[i].line {
		to++
	}
	return list[i+1 : to]
}

// dependency reads the arguments of a configuration: "group:artifact:version", kotlin("x"), libs.x.y. It ignores
// other projects of the build.
func (p *gradleProject) dependency(configuration string, args []word) {
	dev := strings.Contains(strings.ToLower(configuration), "test") || configuration == "classpath"
	if len(args) == 0 || args[0].text == "project" || args[0].text == "projects" {
		return
	}
	all := literals(args)
	switch {
	case args[0].text == "kotlin" && len(all) > 0:
		p.require(Requirement{Name: "org.jetbrains.kotlin:kotlin-" + all[0], Dev: dev})
	case slices.ContainsFunc(args, func(w word) bool { return w.text == "libs" && !w.literal }):
		p.aliases = append(p.aliases, Requirement{Name: catalogAlias(args), Dev: dev})
	case len(all) > 0 && strings.Count(all[0], ":") > 0:
		parts := strings.Split(all[0], ":")
		q := Requirement{Name: parts[0] + ":" + parts[1], Dev: dev}
		if len(parts) > 2 && !strings.Contains(parts[2], "$") {
			q.Version = parts[2]
		}
		p.require(q)
	case labelled(args, "group") != "" && labelled(args, "name") != "":
		p.require(Requirement{Name: labelled(args, "group") + ":" + labelled(args, "name"), Version: labelled(args, "version"), Dev: dev})
	}
}

// catalogAlias returns the alias after "libs", with dashes for dots: "androidx-core".
func catalogAlias(args []word) string {
	i := slices.IndexFunc(args, func(w word) bool { return w.text == "libs" })
	var parts []string
	for _, w := range args[i+1:] {
		if w.text == ")" || w.literal {
			break
		}
		if w.text != "." {
			parts = append(parts, w.text)
		}
	}
	return strings.Join(parts, "-")
}

// versionCatalog reads gradle/libs.versions.toml.
func (r *reader) versionCatalog(_ string, data []byte) error {
	o, err := decodeTOML(data)
	if err != nil {
		return err
	}
	versions := object(o, "versions")
	for alias, value := range object(o, "libraries") {
		q := Requirement{}
		switch v := value.(type) {
		case string:
			parts := strings.SplitN(v, ":", 3)
			if len(parts) == 3 {
				q = Requirement{Name: parts[0] + ":" + parts[1], Version: parts[2]}
			}
		case map[string]any:
			q.Name = text(v, "module")
			if q.Name == "" {
				q.Name = text(v, "group") + ":" + text(v, "name")
			}
			q.Version = text(v, "version")
			if ref := text(object(v, "version"), "ref"); ref != "" {
				q.Version = text(versions, ref)
			}
		}
		if r.m.catalog == nil {
			r.m.catalog = map[string]Requirement{}
		}
		r.m.catalog[strings.NewReplacer("_", "-", ".", "-").Replace(alias)] = q
	}
	return nil
}

// joinCatalog resolves the projects' catalog aliases.
func (m *Manifests) joinCatalog() {
	for i := range m.Gradle {
		p := &m.Gradle[i]
		for _, a := range p.aliases {
			if q, ok := m.catalog[a.Name]; ok {
				q.Dev = a.Dev
				p.require(q)
			}
		}
	}
}
