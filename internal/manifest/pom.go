package manifest

import (
	"cmp"
	"encoding/xml"
	"os"
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/decode"
)

// pomXML is the part of a pom.xml that is read.
type pomXML struct {
	GroupID    string `xml:"groupId"`
	ArtifactID string `xml:"artifactId"`
	Version    string `xml:"version"`
	Name       string `xml:"name"`
	About      string `xml:"description"`
	Parent     struct {
		GroupID string `xml:"groupId"`
		Version string `xml:"version"`
	} `xml:"parent"`
	Properties struct {
		Entries []struct {
			XMLName xml.Name
			Value   string `xml:",chardata"`
		} `xml:",any"`
	} `xml:"properties"`
	Dependencies []struct {
		GroupID    string `xml:"groupId"`
		ArtifactID string `xml:"artifactId"`
		Version    string `xml:"version"`
		Scope      string `xml:"scope"`
	} `xml:"dependencies>dependency"`
}

func (r *reader) pom(file string, data []byte) error {
	var x pomXML
	if err := decode.XML(data, &x); err != nil {
		return err
	}
	properties := map[string]string{"project.version": x.Version, "project.groupId": x.GroupID}
	if x.Version == "" {
		properties["project.version"] = x.Parent.Version
	}
	if x.GroupID == "" {
		properties["project.groupId"] = x.Parent.GroupID
	}
	for _, p := range x.Properties.Entries {
		if text := strings.TrimSpace(p.Value); len(text) <= maxProperty {
			properties[p.XMLName.Local] = text
		}
	}
	value := func(s string) string { return expand(s, properties) }
	p := Facts{Path: file, Dir: path.Dir(file), Module: properties["project.groupId"] + ":" + x.ArtifactID}
	p.Language, p.release = "java", value(properties["project.version"])
	p.Title, p.description = cmp.Or(value(x.Name), x.ArtifactID), strings.Join(strings.Fields(x.About), " ")
	for _, key := range []string{"maven.compiler.release", "java.version", "maven.compiler.source", "maven.compiler.target"} {
		if p.Version == "" {
			p.Version = value(properties[key])
		}
	}
	for _, d := range x.Dependencies {
		p.Requires = append(p.Requires, Requirement{
			Name: value(d.GroupID) + ":" + value(d.ArtifactID), Version: value(d.Version), Dev: d.Scope == "test",
		})
	}
	r.m.Maven = append(r.m.Maven, p)
	return nil
}

// maxProperty bounds the value of a property, in bytes, so that expansion ends.
const maxProperty = 200

// expand replaces properties, whose values may contain properties. Unknown ones (of a parent outside the project)
// are removed.
func expand(s string, properties map[string]string) string {
	for range 4 {
		if len(s) > maxProperty {
			return ""
		}
		s = os.Expand(s, func(name string) string { return properties[name] })
	}
	return strings.TrimSpace(s)
}
