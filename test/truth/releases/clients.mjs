// clients.mjs NAME OLD NEW FILE...: prints as JSON, for each program that uses a package, what TypeScript says of it with the old and
// with the new release: the messages of its errors. Needs `typescript` in NODE_PATH.
import { createRequire } from 'node:module'
import path from 'node:path'
const ts = createRequire(path.join(process.env.NODE_PATH, 'x.js'))('typescript')
const [name, old, now, ...files] = process.argv.slice(2)
function errors(file, release) {
  const prog = ts.createProgram([file], {
    strict: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler, types: ['node'], typeRoots: [path.join(process.env.NODE_PATH, '@types')],
    paths: { [name]: [path.join(release, 'index.d.ts'), release] },
  })
  return ts.getPreEmitDiagnostics(prog).map(d => ts.flattenDiagnosticMessageText(d.messageText, ' '))
}
console.log(JSON.stringify(files.map(f => ({ symbol: path.basename(f, '.ts'), old: errors(f, old), now: errors(f, now) }))))
