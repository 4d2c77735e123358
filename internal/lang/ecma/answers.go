package ecma

import "github.com/reverse-spec/reverse-spec/internal/lang/core"

// answers are the functions of web frameworks that answer a request: Express, Koa, Fastify, Hono, Next.js, node:http
// and the Response of the Fetch standard.
var answers = map[string]core.AnswerRule{
	"status": {Status: 1, Least: 1, Most: 1, Sets: true}, "code": {Status: 1, Least: 1, Most: 1, Sets: true},
	"writeHead": {Status: 1, Least: 1, Sets: true},
	"json":      {Status: 2, Field: "status", Least: 1}, "text": {Status: 2, Field: "status", Least: 1},
	"html": {Status: 2, Field: "status", Least: 1}, "body": {Status: 2, Field: "status", Least: 1},
	"newResponse": {Status: 2, Field: "status", Least: 1}, "jsonp": {Least: 1}, "send": {Status: 0}, "sendFile": {Least: 1},
	"sendStatus": {Status: 1, Least: 1, Most: 1}, "end": {}, "render": {Least: 1}, "view": {Least: 1},
	"redirect": {Status: core.AnyArgument, Field: "status", Least: 1}, "notFound": {Fixed: "404", Most: 1},
	"Response": {Field: "status", Bare: true}, "NextResponse": {Field: "status", Bare: true},
	"next": {Least: 1, Most: 1, Passes: true, Bare: true},
}
