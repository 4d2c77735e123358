package crossrepo

import "strings"

// services are the full names of services that a repository knows, by their last part:
// "Orders" -> "shop.v1.Orders".
type services map[string]map[string]bool

// servicesIn returns the services that a repository knows: those of its own contracts,
// and those that its generated code is of. Clients name the methods that they call in
// full, "/shop.v1.Orders/Create", or the service.
func (j *joint) servicesIn(r *repository) services {
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
		data, err := r.project.ReadFile(file.Path)
		if err != nil {
			continue // one that is gone by now tells nothing
		}
		for _, l := range literals(string(data), file.Language) {
			out.add(l.text)
		}
	}
	return out
}

func (s services) add(text string) {
	name, _, method := strings.Cut(strings.TrimPrefix(text, "/"), "/")
	if name == "" || !method && !strings.Contains(name, ".") || strings.ContainsFunc(name, func(r rune) bool { return !dotted(r) }) {
		return
	}
	if s[last(name)] == nil {
		s[last(name)] = map[string]bool{}
	}
	s[last(name)][name] = true
}

// dotted tells the characters of a full name.
func dotted(r rune) bool {
	return r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// means tells how sure it is that a client of a service with the last part of a name
// is one of the service with all of it: the repository knows that, or only another one,
// or none.
func (s services) means(name string, sure float64) float64 {
	known := s[last(name)]
	switch {
	case known[name]:
		return exactName
	case len(known) > 0:
		return 0
	}
	return sure
}
