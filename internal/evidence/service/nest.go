package service

var nest = Framework{Name: "NestJS", Languages: ecmaLanguages, Imports: []string{"@nestjs"}}
var next = Framework{Name: "Next.js", Languages: ecmaLanguages}
