// A set-up file of vitest that notes the source files of which each test calls functions.
import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

function taken() {
  let result = []
  session.post('Profiler.takePreciseCoverage', (failed, answer) => {
    result = failed ? [] : answer.result
  })
  return result
}

const called = (script) => script.functions.some((f) => f.ranges[0].count > 0)
const place = (url) => (url.startsWith('file:') ? fileURLToPath(url) : url).split('?')[0]

beforeEach(() => {
  taken()
})

afterEach(({ task }) => {
  if (task.mode === 'skip' || task.result?.state === 'skip' || task.result?.pending || task.pending) return
  const names = []
  for (let t = task; t && t.name; t = t.suite) names.unshift(t.name)
  const entered = taken()
    .filter((s) => called(s) && !s.url.includes('node_modules') && !s.url.startsWith('node:'))
    .map((s) => place(s.url))
  appendFileSync(process.env.REACH_RESULT, JSON.stringify({ file: task.file.filepath, names, entered }) + '\n')
})
