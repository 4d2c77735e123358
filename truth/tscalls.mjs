// tscalls.mjs ROOT [FOLDER ...]: a JSON line for each pair of a TypeScript or
// JavaScript function and one that it calls, as the compiler's checker finds it:
// {caller, callee, kind, site}, each "file:line:name" with the line of the name.
// Functions nested in a named one count to the outermost of those; calls outside
// functions have the caller "file:1:<module>". Tests and what is built or installed
// are left out. Needs `typescript` in NODE_PATH, and no packages of the project:
// calls into missing ones do not resolve.
import { createRequire } from 'node:module'
import fs from 'node:fs'
import path from 'node:path'

const ts = createRequire(path.join(process.env.NODE_PATH, 'x.js'))('typescript')
const [dir, ...folders] = process.argv.slice(2)
const root = fs.realpathSync(dir)

const leftOut = /(^|\/)(node_modules|dist|build|\.git|coverage|__tests__|tests?|runtime-tests|benchmarks)(\/|$)/
const isSource = name => /\.[cm]?[jt]sx?$/.test(name) && !/\.(test|spec)\./.test(name) && !/\.d\.[cm]?ts$/.test(name)

const files = (folders.length ? folders : ['.'])
  .flatMap(folder => fs.readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true }))
  .filter(e => e.isFile() && isSource(e.name) && !leftOut.test(path.relative(root, e.parentPath)))
  .map(e => path.join(e.parentPath, e.name))

// options are those of the project where they tell what an import means.
function options() {
  const own = {
    target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowJs: true, jsx: ts.JsxEmit.Preserve, strict: true, noEmit: true, skipLibCheck: true, experimentalDecorators: true,
    allowImportingTsExtensions: true, types: [], lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  }
  const config = ts.findConfigFile(root, ts.sys.fileExists)
  if (config) {
    const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, path.dirname(config))
    for (const key of ['paths', 'baseUrl', 'pathsBasePath', 'jsxImportSource', 'jsx']) {
      if (options[key] !== undefined) own[key] = options[key]
    }
  }
  return own
}

const program = ts.createProgram(files, options())
const checker = program.getTypeChecker()

function relative(file) {
  const rel = path.relative(root, file)
  return rel.startsWith('..') || rel.includes('node_modules') ? '' : rel
}

function place(node) {
  const { line, character } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart())
  return { file: relative(node.getSourceFile().fileName), line: line + 1, column: character + 1 }
}

const isFunction = n =>
  ts.isFunctionDeclaration(n) || ts.isMethodDeclaration(n) || ts.isConstructorDeclaration(n) || ts.isAccessor(n) ||
  ts.isFunctionExpression(n) || ts.isArrowFunction(n) || ts.isMethodSignature(n) ||
  ts.isCallSignatureDeclaration(n) || ts.isConstructSignatureDeclaration(n)

const isWrapper = n => ts.isParenthesizedExpression(n) || ts.isAsExpression(n) || ts.isSatisfiesExpression(n) || ts.isNonNullExpression(n)

// named is the declaration that a function stands for: itself, or the variable or
// property that holds it; null for one without a name.
function named(fn) {
  if (ts.isArrowFunction(fn) || ts.isFunctionExpression(fn)) {
    let holder = fn.parent
    while (isWrapper(holder)) holder = holder.parent
    if ((ts.isVariableDeclaration(holder) || ts.isPropertyDeclaration(holder)) && ts.isIdentifier(holder.name)) return holder
  }
  return fn.name || ts.isConstructorDeclaration(fn) ? fn : null
}

// outermost is the outermost named function around a node, else what is given.
function outermost(node, otherwise) {
  for (let n = node.parent; n; n = n.parent) {
    if (isFunction(n)) otherwise = named(n) ?? otherwise
  }
  return otherwise
}

function qualified(declaration) {
  const own = ts.isConstructorDeclaration(declaration) ? 'constructor' : declaration.name.text ?? declaration.name.getText()
  for (let n = declaration.parent; n && !isFunction(n); n = n.parent) {
    if ((ts.isClassLike(n) || ts.isInterfaceDeclaration(n)) && n.name) return `${n.name.text}.${own}`
  }
  return own
}

function id(declaration) {
  const { file, line } = place(declaration.name ?? declaration)
  return file && `${file}:${line}:${qualified(declaration)}`
}

function caller(node) {
  const around = outermost(node, null)
  return around ? id(around) : `${relative(node.getSourceFile().fileName)}:1:<module>`
}

// chosen is the declaration of a symbol that a call reaches: one with a body, else
// what holds a function, else a signature.
function chosen(symbol) {
  if (!symbol) return undefined
  if (symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
  const all = symbol.declarations ?? []
  return all.find(d => isFunction(d) && d.body) ??
    all.find(d => ts.isVariableDeclaration(d) || ts.isPropertyDeclaration(d) || ts.isClassLike(d)) ??
    all.find(isFunction) ?? all[0]
}

// callee is what a call reaches, by name or else by the signature that it resolves to.
function callee(call, name) {
  let found = chosen(checker.getSymbolAtLocation(name))
  if (!found || ts.isParameter(found) || ts.isBindingElement(found)) found = checker.getResolvedSignature(call)?.declaration
  return found
}

const pairs = new Map()

function add(call) {
  let expression = ts.isTaggedTemplateExpression(call) ? call.tag : call.expression
  while (isWrapper(expression)) expression = expression.expression
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression
  const found = callee(call, name)
  if (!found) return
  const fn = isFunction(found) && !ts.isMethodSignature(found) ? named(found) ?? found : found
  const target = outermost(fn, fn)
  if (!target.name && !ts.isConstructorDeclaration(target)) return
  const [from, to] = [caller(call), id(target)]
  const key = `${from}\0${to}`
  if (!to || pairs.has(key) || from === to && ts.isNewExpression(call)) return
  const isPromise = ts.isMethodSignature(found) || ts.isPropertySignature(found) || ts.isParameter(found)
  const { file, line, column } = place(name)
  pairs.set(key, { caller: from, callee: to, kind: isPromise ? 'interface' : 'static', site: `${file}:${line}:${column}` })
}

function visit(node) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isTaggedTemplateExpression(node)) add(node)
  ts.forEachChild(node, visit)
}

const own = new Set(files)
for (const file of program.getSourceFiles()) {
  if (own.has(file.fileName)) visit(file)
}
for (const key of [...pairs.keys()].sort()) console.log(JSON.stringify(pairs.get(key)))
