package crossrepo

import "strings"

// services maps the last part of service names to full names: "Orders" -> "shop.v1.Orders".
type services map[string]map[string]bool

// servicesIn returns the services that a repository knows: those of its own contracts, and those in its generated
// code. Generated clients contain the full names of methods, "/shop.v1.Orders/Create", or of the service.
func (j *linkedWorkspace) servicesIn(r *repository) services {
	out := services{}
	for _, c := range r.contracts {
		for _, s := range c.Symbols {
			if s.Kind == "service" {
				out.add("/" + s.Name + "/")
			}
		}
	}
	for _, file := range r.files {
		if head := j.heads[r.prefix+"/"+file.Path]; head == nil || !head.Generated {
			continue
		}
		for _, l := range r.literalsOf(file.Path, file.Language, true) {
			out.add(l.text)
		}
	}
	return out
}

// serviceIn returns the full name of the service that a text of generated code names.
func serviceIn(text string) (name string, ok bool) {
	name, _, method := strings.Cut(strings.TrimPrefix(text, "/"), "/")
	ok = name != "" && (method || strings.Contains(name, ".")) && !strings.ContainsFunc(name, func(r rune) bool { return !dotted(r) })
	return name, ok
}

func (s services) add(text string) {
	name, ok := serviceIn(text)
	if !ok {
		return
	}
	if s[lastPart(name)] == nil {
		s[lastPart(name)] = map[string]bool{}
	}
	s[lastPart(name)][name] = true
}

// dotted reports whether a character may be part of a full name.
func dotted(r rune) bool {
	return r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// confidence returns the confidence that a service name's last part means the service: sure if the repository knows that
// service, less if it knows only another one, or none.
func (s services) confidence(name string, sure float64) float64 {
	known := s[lastPart(name)]
	switch {
	case known[name]:
		return exactName
	case len(known) > 0:
		return 0
	}
	return sure
}
