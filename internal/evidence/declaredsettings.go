package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/settings"
)

// SettingsFile is the role of a [Setting] that is a file with variables.
const SettingsFile = "settings-file"

// SettingsKey is the role of a [Setting] that is a key of configuration files.
const SettingsKey = "settings-key"

// ServiceSetting is the role of a [Setting] that another module of the service declares.
const ServiceSetting = "service-setting"

// settingsOf returns the settings that package settings finds in the module.
func (m *Module) settingsOf() *settings.Declared {
	if m.declared == nil {
		d := settings.Find(settings.Source{Files: m.Files, Shared: m.sharing, Texts: m.texts, Links: m.links, Bodies: func(f *code.File) *code.Bodies {
			if f.Whole == nil {
				return f.Bodies
			}
			return f.Whole
		}, Stopped: m.stopped})
		m.declared = &d
	}
	return m.declared
}

// readVariables finds the environment variables that no class declares.
func (m *Module) readVariables(found func(Claim)) {
	for i := range m.settingsOf().Settings {
		if s := &m.declared.Settings[i]; !s.Key && s.Class == "" {
			found(settingClaim(s))
		}
	}
}

// declaredSettings finds the variables that the classes of the module declare, the keys that it reads, and the settings of its service.
func (m *Module) declaredSettings(found func(Claim)) {
	d := m.settingsOf()
	for i := range d.Settings {
		if s := &d.Settings[i]; s.Key || s.Class != "" {
			c := settingClaim(s)
			slices.SortStableFunc(c.At, func(a, b Place) int { return m.outside(a) - m.outside(b) })
			found(c)
		}
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

// outside returns 0 for a place in the module, 1 for one in a file that is not code, and 2 for one in code of another module.
func (m *Module) outside(at Place) int {
	switch {
	case m.files[at.File]:
		return 0
	case slices.ContainsFunc(m.sharing, func(f *code.File) bool { return f.Path == at.File }):
		return 2
	}
	return 1
}

func settingClaim(s *settings.Setting) Claim {
	c := Claim{
		Subject: cmp.Or(s.Class, s.In), Name: s.Name, Of: s.Class, At: settingPlaces(slices.Concat(s.At, s.Bound)),
		Option: &Option{Type: s.Type, Default: s.Default, Help: s.Help, Required: s.Required, Also: strings.Join(s.Also, ", ")},
	}
	if s.Key {
		c.Role = SettingsKey
	}
	if s.Class == "" && *c.Option == (Option{}) {
		c.Option = nil
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
