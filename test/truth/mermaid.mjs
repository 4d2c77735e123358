// mermaid.mjs: reads a JSON list of {name, text} from standard input and prints a JSON
// line {name, error} for each diagram that Mermaid's own parser refuses. Needs
// `mermaid` in NODE_PATH.
//
// Mermaid cleans texts with DOMPurify, which asks for a browser. Whether a text parses
// does not depend on it, so it is replaced by one that changes nothing.
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const load = name => import(pathToFileURL(path.join(process.env.NODE_PATH, name)))
const purify = (await load('dompurify/dist/purify.es.mjs')).default
Object.assign(purify, { addHook() {}, sanitize: text => text })
const mermaid = (await load('mermaid/dist/mermaid.core.mjs')).default

let input = ''
for await (const part of process.stdin) input += part
for (const { name, text } of JSON.parse(input)) {
  try {
    await mermaid.parse(text)
  } catch (e) {
    console.log(JSON.stringify({ name, error: String(e.message) }))
  }
}
