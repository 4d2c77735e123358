package mcpclient

import (
	"fmt"
	"regexp"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// variable is ${NAME} or ${NAME:-default}; any other dollar sign is
// literal.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// expand replaces variables in the texts of an entry. On error it returns the key of the
// text whose variable is not set.
func (s *Server) expand(lookup func(string) (string, bool)) (key string, err error) {
	texts := map[string]*string{"command": &s.Command, "url": &s.URL}
	for i := range s.Args {
		texts[fmt.Sprintf("args[%d]", i)] = &s.Args[i]
	}
	for _, key := range sortedKeys(texts) {
		if *texts[key], err = expand(*texts[key], lookup); err != nil {
			return key, err
		}
	}
	for of, values := range map[string]map[string]string{"env": s.Env, "headers": s.Headers} {
		for _, name := range sortedKeys(values) {
			if values[name], err = expand(values[name], lookup); err != nil {
				return of + "." + name, err
			}
		}
	}
	return "", nil
}

// expand replaces variables in a text. As in a shell, the default is also used for a
// variable that is empty.
func expand(text string, lookup func(string) (string, bool)) (string, error) {
	var missing error
	text = variable.ReplaceAllStringFunc(text, func(found string) string {
		parts := variable.FindStringSubmatch(found)
		value, set := lookup(parts[1])
		switch {
		case parts[2] != "" && value == "":
			return parts[3]
		case !set && missing == nil:
			missing = message.Errorf("the variable %s is not set; %s gives it a default", parts[1], "${"+parts[1]+":-default}")
		}
		return value
	})
	return text, missing
}
