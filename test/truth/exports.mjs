// exports.mjs ROOT FOLDER: a JSON line for each TypeScript module below the
// folder with the names that it exports, re-exports followed, as the compiler's
// checker lists them: {file, names}. Needs `typescript` in NODE_PATH.
import { createRequire } from 'node:module'
import fs from 'node:fs'
import path from 'node:path'

const ts = createRequire(path.join(process.env.NODE_PATH, 'x.js'))('typescript')
const [root, folder] = process.argv.slice(2).map(p => fs.realpathSync(p))

const files = fs.readdirSync(folder, { recursive: true })
  .map(f => path.join(folder, f))
  .filter(f => f.endsWith('.ts') && !f.endsWith('.d.ts'))
const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: true, skipLibCheck: true, types: [], lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'],
})
const checker = program.getTypeChecker()

for (const file of files) {
  const symbol = checker.getSymbolAtLocation(program.getSourceFile(file))
  if (!symbol) continue // no module
  const names = checker.getExportsOfModule(symbol).map(s => s.name).sort()
  if (names.length > 0) console.log(JSON.stringify({ file: path.relative(root, file), names }))
}
