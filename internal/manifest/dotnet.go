package manifest

import (
	"cmp"
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/decode"
)

// msbuildXML is the part of an MSBuild project, or of Directory.Packages.props,
// that is read.
type msbuildXML struct {
	Groups []struct {
		Framework   string `xml:"TargetFramework"`
		Frameworks  string `xml:"TargetFrameworks"`
		LangVersion string `xml:"LangVersion"`
		Name        string `xml:"AssemblyName"`
		PackageID   string `xml:"PackageId"`
		Version     string `xml:"Version"`
		Prefix      string `xml:"VersionPrefix"`
		About       string `xml:"Description"`
		IsTest      string `xml:"IsTestProject"`
	} `xml:"PropertyGroup"`
	Items []struct {
		References []packageReference `xml:"PackageReference"`
		Versions   []packageReference `xml:"PackageVersion"`
	} `xml:"ItemGroup"`
}

type packageReference struct {
	Name    string `xml:"Include,attr"`
	Version string `xml:"Version,attr"`
	Inner   string `xml:"Version"`
	Private string `xml:"PrivateAssets,attr"`
}

func (r *reader) msbuild(file string, data []byte) error {
	var x msbuildXML
	if err := decode.XML(data, &x); err != nil {
		return err
	}
	f := Facts{Path: file, Dir: path.Dir(file)}
	test := false
	for _, g := range x.Groups {
		f.Title = cmp.Or(f.Title, plainProperty(g.PackageID), plainProperty(g.Name))
		f.description = cmp.Or(f.description, strings.Join(strings.Fields(g.About), " "))
		f.release = cmp.Or(f.release, plainProperty(g.Version), plainProperty(g.Prefix))
		f.Version = cmp.Or(f.Version, plainProperty(g.Framework), plainProperty(g.Frameworks))
		test = test || strings.EqualFold(g.IsTest, "true")
	}
	base := path.Base(file)
	if f.Title == "" && strings.HasSuffix(base, "proj") {
		f.Title = strings.TrimSuffix(base, path.Ext(base))
	}
	for _, group := range x.Items {
		for _, p := range group.References {
			f.require(Requirement{Name: p.Name, Version: plainProperty(cmp.Or(p.Version, p.Inner)), Dev: test || strings.EqualFold(p.Private, "all")})
		}
		for _, p := range group.Versions {
			r.m.central = append(r.m.central, Requirement{Name: p.Name, Version: plainProperty(cmp.Or(p.Version, p.Inner))})
		}
	}
	if strings.HasSuffix(base, "proj") {
		r.m.DotNet = append(r.m.DotNet, f)
	}
	return nil
}

// plainProperty returns a literal value; "" for an expression.
func plainProperty(s string) string {
	if strings.Contains(s, "$(") {
		return ""
	}
	return strings.TrimSpace(s)
}

// joinCentral adds the versions of Directory.Packages.props to the projects.
func (m *Manifests) joinCentral() {
	versions := map[string]string{}
	for _, q := range m.central {
		versions[q.Name] = q.Version
	}
	for i := range m.DotNet {
		for k := range m.DotNet[i].Requires {
			q := &m.DotNet[i].Requires[k]
			q.Version = cmp.Or(q.Version, versions[q.Name])
		}
	}
}

// packagesConfig reads packages.config, the older list of a project's packages.
func (r *reader) packagesConfig(file string, data []byte) error {
	var x struct {
		Packages []struct {
			ID      string `xml:"id,attr"`
			Version string `xml:"version,attr"`
			Dev     string `xml:"developmentDependency,attr"`
		} `xml:"package"`
	}
	if err := decode.XML(data, &x); err != nil {
		return err
	}
	f := Facts{Path: file, Dir: path.Dir(file)}
	for _, p := range x.Packages {
		f.require(Requirement{Name: p.ID, Version: p.Version, Dev: p.Dev == "true"})
	}
	r.m.DotNet = append(r.m.DotNet, f)
	return nil
}
