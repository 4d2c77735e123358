package view

import (
	"html/template"
	"strings"
)

// leastShared is the number of folders from which those that all names begin with are said once, not in each name.
const leastShared = 2

// sharedFolder returns the folder, with a slash at its end, that paths are in or are themselves, if it is at least two deep; "" for none,
// and for a single path.
func sharedFolder(paths []string) string {
	if len(paths) < 2 {
		return ""
	}
	shared := paths[0] + "/"
	for _, p := range paths[1:] {
		for shared != "" && !strings.HasPrefix(p+"/", shared) {
			shared = shared[:strings.LastIndexByte(strings.TrimSuffix(shared, "/"), '/')+1]
		}
	}
	if strings.Count(shared, "/") < leastShared {
		return ""
	}
	return shared
}

// within returns a path without the folder that it shares with others; of the folder itself its last part.
func within(shared, path string) string {
	if short, ok := strings.CutPrefix(path, shared); ok {
		return short
	}
	if shared != "" && path+"/" == shared {
		return strings.TrimSuffix(shared[strings.LastIndexByte(strings.TrimSuffix(shared, "/"), '/')+1:], "/")
	}
	return path
}

// breakable returns a path as HTML that breaks behind slashes.
func breakable(path string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(path), "/", "/<wbr>")) // escaped before
}
