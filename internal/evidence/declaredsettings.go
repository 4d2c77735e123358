package evidence

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/settings"
)

// SettingsFile is the role of a [Setting] that is a file with variables.
const SettingsFile = "settings-file"

// ServiceSetting is the role of a [Setting] that another module of the service declares.
const ServiceSetting = "service-setting"

// declaredSettings finds the settings that the classes of the module and those of its service declare.
func (m *Module) declaredSettings(found func(Claim)) {
	d := settings.Find(settings.Source{Files: m.Files, Links: m.links, Bodies: func(f *code.File) *code.Bodies { return f.Whole }})
	for i := range d.Settings {
		found(settingClaim(&d.Settings[i]))
	}
	for _, f := range d.Files {
		found(Claim{Name: f.Name, Role: SettingsFile, Values: f.Classes, At: settingPlaces(f.At)})
	}
	m.serviceSettings(found)
}

// serviceSettings finds the settings that other modules of the service declare.
func (m *Module) serviceSettings(found func(Claim)) {
	known := map[string]bool{}
	for i := range m.serves {
		list := m.serves[i].Settings
		for j := range list {
			c := settingClaim(&list[j])
			if c.Role = ServiceSetting; !known[c.Name] && !m.files[c.At[0].File] {
				known[c.Name] = true
				found(c)
			}
		}
	}
}

func settingClaim(s *settings.Setting) Claim {
	c := Claim{
		Subject: s.Class, Name: s.Name, Of: s.Class, At: settingPlaces(s.At),
		Option: &Option{Type: s.Type, Default: s.Default, Help: s.Help, Required: s.Required, Also: strings.Join(s.Also, ", ")},
	}
	for _, v := range s.Classes {
		if v.Required {
			c.Values = append(c.Values, v.Class)
		} else {
			c.Values = append(c.Values, v.Class+": "+v.Default)
		}
	}
	return c
}

func settingPlaces(list []settings.Place) []Place {
	var out []Place
	for _, p := range list {
		out = append(out, Place(p))
	}
	return out
}
