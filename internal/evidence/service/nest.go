package service

var (
	nest = Framework{Name: "NestJS", Languages: ecmaLanguages, Imports: []string{"@nestjs"}}
	next = Framework{Name: "Next.js", Languages: ecmaLanguages}
)
