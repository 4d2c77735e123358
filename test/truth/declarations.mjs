// declarations.mjs ROOT FOLDER: a JSON line for each declaration at module level
// in the TypeScript files below the folder, and for each member of a class, an
// interface, an object type or an enum, and each function in a constant object,
// as the compiler's checker sees them: {file, line, name, exported}. Needs
// `typescript` in NODE_PATH.
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

const has = (node, flag) => (ts.getCombinedModifierFlags(node) & flag) !== 0

function put(sf, node, name, exported) {
  const line = sf.getLineAndCharacterOfPosition(node.getStart(sf)).line + 1
  console.log(JSON.stringify({ file: path.relative(root, sf.fileName), line, name, exported }))
}

function nameOf(member) {
  if (ts.isConstructorDeclaration(member)) return 'constructor'
  if (ts.isConstructSignatureDeclaration(member)) return 'new'
  if (ts.isCallSignatureDeclaration(member)) return '()'
  if (ts.isIndexSignatureDeclaration(member)) return '[' + member.parameters[0].type.getText() + ']'
  const name = member.name
  return name && (ts.isStringLiteral(name) ? name.text : name.getText())
}

// members prints what is written in one declaration. Overloads are one; a
// parameter of the constructor that is a property counts as one.
function members(sf, owner, node, exported) {
  let list = node.members ?? []
  if (ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type)) list = node.type.members
  if (ts.isVariableDeclaration(node) && node.initializer && ts.isObjectLiteralExpression(node.initializer)) {
    list = node.initializer.properties.filter(p => ts.isFunctionLike(p) || (p.initializer && ts.isFunctionLike(p.initializer)))
  }
  const seen = new Set()
  for (const member of list) {
    const name = nameOf(member)
    if (!name) continue
    const key = [name, ts.isGetAccessor(member), ts.isSetAccessor(member), has(member, ts.ModifierFlags.Static)].join()
    const overloaded = ts.isFunctionLike(member) && !ts.isAccessor(member)
    if (!(overloaded && seen.has(key))) {
      put(sf, member, `${owner}.${name}`, exported && !has(member, ts.ModifierFlags.Private) && !name.startsWith('#'))
    }
    seen.add(key)
    if (!ts.isConstructorDeclaration(member) || !member.body) continue
    for (const p of member.parameters.filter(p => ts.isParameterPropertyDeclaration(p, member))) {
      put(sf, p, `${owner}.${p.name.getText()}`, exported && !has(p, ts.ModifierFlags.Private))
    }
  }
}

const skipAlias = s => (s.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(s) : s)

for (const sf of program.getSourceFiles().filter(f => files.includes(f.fileName))) {
  const exports = sf.symbol ? new Set(checker.getExportsOfModule(sf.symbol).map(skipAlias)) : new Set()
  const symbols = new Set([...(sf.locals ?? new Map()).values()].map(s => s.exportSymbol ?? s))
  for (const symbol of symbols) {
    if (symbol.flags & ts.SymbolFlags.Alias || symbol.name === '__global') continue
    const declarations = (symbol.declarations ?? []).filter(d => d.getSourceFile() === sf)
    if (declarations.length === 0) continue
    put(sf, declarations[0], symbol.name, exports.has(symbol)) // a type and a value of one name are one symbol
    for (const d of declarations) {
      if (!ts.isFunctionDeclaration(d)) members(sf, symbol.name, d, exports.has(symbol))
    }
  }
}
