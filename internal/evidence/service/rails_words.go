package service

import "strings"

// railsEndings are the endings of plurals and their singulars, the special ones first. They are the rules of Active Support's
// inflections that names of resources meet.
var railsEndings = [][2]string{
	{"people", "person"},
	{"children", "child"},
	{"mice", "mouse"},
	{"quizzes", "quiz"},
	{"matrices", "matrix"},
	{"indices", "index"},
	{"vertices", "vertex"},
	{"statuses", "status"},
	{"aliases", "alias"},
	{"news", "news"},
	{"series", "series"},
	{"analyses", "analysis"},
	{"movies", "movie"},
	{"cookies", "cookie"},
	{"data", "datum"},
	{"media", "medium"},
	{"heroes", "hero"},
	{"tomatoes", "tomato"},
	{"potatoes", "potato"},
	{"buses", "bus"},
	{"knives", "knife"},
	{"wives", "wife"},
	{"lives", "life"},
	{"halves", "half"},
	{"leaves", "leaf"},
	{"shelves", "shelf"},
	{"ysses", "yss"},
	{"asses", "ass"},
	{"esses", "ess"},
	{"isses", "iss"},
	{"osses", "oss"},
	{"usses", "uss"},
	{"xes", "x"},
	{"ches", "ch"},
	{"shes", "sh"},
}

// railsSingular returns the singular of the name of a resource.
func railsSingular(word string) string {
	for _, e := range railsEndings {
		if stem, ok := strings.CutSuffix(word, e[0]); ok {
			return stem + e[1]
		}
	}
	if stem, ok := strings.CutSuffix(word, "ies"); ok && len(stem) > 1 {
		return stem + "y"
	}
	if strings.HasSuffix(word, "ss") {
		return word
	}
	return strings.TrimSuffix(word, "s")
}

// railsPlural returns the plural of the name of a resource.
func railsPlural(word string) string {
	for _, e := range railsEndings {
		if stem, ok := strings.CutSuffix(word, e[1]); ok {
			return stem + e[0]
		}
	}
	if stem, ok := strings.CutSuffix(word, "y"); ok && stem != "" && !strings.ContainsAny(stem[len(stem)-1:], "aeiou") {
		return stem + "ies"
	}
	if strings.HasSuffix(word, "s") {
		return word
	}
	return word + "s"
}

// railsName returns a name in the form in which controllers, classes and files are compared: "api::v1::ToDosController" and
// "api/v1/to_dos_controller" are the same.
func railsName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "::", "/", ".", "/").Replace(name))
}
