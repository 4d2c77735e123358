package spec_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/spec"
)

// TestAStatusThatNothingElseAnswersIsShownByTheTestsThatExpectIt: of a table of cases with one status, the tests are those of the
// requirement; a test that expects another status, or that the status is another one, shows nothing.
func TestAStatusThatNothingElseAnswersIsShownByTheTestsThatExpectIt(t *testing.T) {
	p := openProject(t, map[string][]byte{
		"package.json": []byte(`{"name": "limit", "dependencies": {"hono": "4.0.0"}, "devDependencies": {"vitest": "1.0.0"}}`),
		"src/limit/index.ts": []byte(`import { HTTPException } from 'hono/http-exception'
import type { MiddlewareHandler } from 'hono'

export const limit = (most: number): MiddlewareHandler => {
  return async function limit(c, next) {
    if (c.req.path.length > most) {
      throw new HTTPException(413)
    }
    if (c.req.header('length') === 'long') {
      throw new HTTPException(413)
    }
    await next()
  }
}
`),
		"src/limit/index.test.ts": []byte(`import { Hono } from 'hono'
import { limit } from '.'

describe('limit', () => {
  const app = new Hono()
  app.use('*', limit(9))
  app.get('/', (c) => c.text('ok'))

  it('refuses what is long', async () => {
    const res = await app.request('/a/very/long/path')
    expect(res.status).toBe(413)
  })
  it('takes what is short', async () => {
    const res = await app.request('/')
    expect(res.status).toBe(200)
  })
  it('does not refuse the root', async () => {
    const res = await app.request('/')
    expect(res.status).not.toBe(413)
  })
})
`),
	})
	r, err := spec.Generate(t.Context(), p, "src/limit", spec.GenerateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.ReadFile(r.SpecPath)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "SHALL be answered with 413 in 2 cases")
	found := regexp.MustCompile(`\*\*Tests\*\*: ([^\n]*)`).FindStringSubmatch(after)
	if found == nil || found[1] != "`index.test.ts:9`; reached by 2" {
		t.Errorf("the tests are %q:\n%s", found, text)
	}
}
