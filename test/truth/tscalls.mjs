// tscalls.mjs PROJECT calls [FOLDER ...]: which functions call which, as TypeScript's
// checker sees it, one JSON line for each pair of caller and callee.
//
// A function is "file:line:name", the line being that of the name; functions inside
// count to the outermost one with a name, calls outside functions are left out. What is
// called is the declaration that the checker finds:
//
// - of overloads the one with a body, of a class its own constructor, else the class;
// - what a property is set to by name, not the property;
// - of a union each member's, since any may be meant;
// - of a property that holds a value of a callable interface, and of whatever else does,
//   the first call signature of the interface, "()";
// - nothing for parameters, local variables that hold a value, and results of calls:
//   what they hold is not known to the checker either.
//
// tscalls.mjs PROJECT heritage [FOLDER ...]: which classes and interfaces extend or implement
// which, in any number of steps, and each in a pair with itself. What a clause names counts: a
// class, an interface, an alias, each part of an intersection, what a mixin is given.
//
// No node_modules of the project are needed: calls into missing packages do not
// resolve and are left out. NOTESTS leaves out test files.
import fs from 'node:fs'
import path from 'node:path'
import { createRequire } from 'node:module'

const require = createRequire(path.join(process.env.NODE_PATH ?? path.dirname(new URL(import.meta.url).pathname), 'x.js'))
const ts = require('typescript')

const [project, mode, ...folders] = process.argv.slice(2)
const root = fs.realpathSync(project)
const outside = /(^|\/)(node_modules|dist|build|\.git|coverage)(\/|$)/
const tests = /\.(test|spec|test-d|bench)\.|(^|\/)(__tests__|__mocks__|tests?|runtime-tests|benchmarks)\//

const relative = file => {
  const out = path.relative(root, file)
  return out.startsWith('..') || outside.test(out) ? '' : out
}

function sources(folder, found = []) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    const name = path.relative(root, file)
    if (outside.test(name)) continue
    if (entry.isDirectory()) sources(file, found)
    else if (/\.(ts|tsx|mts|cts|js|jsx|mjs|cjs)$/.test(name) && !/\.d\.[mc]?ts$/.test(name) && !(process.env.NOTESTS && tests.test(name)))
      found.push(file)
  }
  return found
}

function options() {
  const out = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowJs: true,
    jsx: ts.JsxEmit.Preserve,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    allowImportingTsExtensions: true,
    types: [],
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  }
  const config = path.join(root, 'tsconfig.json')
  if (!fs.existsSync(config)) return out
  const own = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, root).options
  for (const key of ['paths', 'baseUrl', 'pathsBasePath', 'jsxImportSource', 'jsx']) if (own[key] !== undefined) out[key] = own[key]
  return out
}

const files = (folders.length ? folders : ['.']).flatMap(folder => sources(path.join(root, folder)))
const program = ts.createProgram(files, options())
const checker = program.getTypeChecker()

const lineOf = node => node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1

const isFunction = n =>
  ts.isFunctionDeclaration(n) ||
  ts.isMethodDeclaration(n) ||
  ts.isConstructorDeclaration(n) ||
  ts.isAccessor(n) ||
  ts.isFunctionExpression(n) ||
  ts.isArrowFunction(n) ||
  ts.isMethodSignature(n)

const isWrapper = n => ts.isParenthesizedExpression(n) || ts.isAsExpression(n) || ts.isSatisfiesExpression(n) || ts.isNonNullExpression(n)

// The declaration with a name that a function stands for: itself, or the variable or
// property that holds it; undefined without one.
function named(n) {
  if (ts.isConstructorDeclaration(n)) return n
  if (ts.isArrowFunction(n) || ts.isFunctionExpression(n)) {
    let holder = n.parent
    while (isWrapper(holder)) holder = holder.parent
    const holds = ts.isVariableDeclaration(holder) || ts.isPropertyDeclaration(holder) || ts.isPropertyAssignment(holder)
    const set = assigned(holder)
    if (set) return set
    if (holds && (ts.isIdentifier(holder.name) || ts.isPrivateIdentifier(holder.name) || ts.isStringLiteral(holder.name))) return holder
  }
  return n.name || isDefault(n) ? n : undefined
}

// The property of a function, of an object or of this that a function is assigned to.
function assigned(holder) {
  if (!ts.isBinaryExpression(holder) || holder.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return undefined
  const left = holder.left
  if (!ts.isPropertyAccessExpression(left)) return undefined
  const of = checker.getSymbolAtLocation(left.expression)?.valueDeclaration
  const own = of && (ts.isFunctionDeclaration(of) || (ts.isVariableDeclaration(of) && holdsFunction(of)))
  return own || left.expression.kind === ts.SyntaxKind.ThisKeyword ? left : undefined
}

// The outermost named function around a node or, where there is none, what is given.
function outermost(node, otherwise) {
  let best = otherwise
  for (let n = node; n; n = n.parent) if (isFunction(n)) best = named(n) ?? best
  return best
}

function nameOf(d) {
  if (ts.isConstructorDeclaration(d)) return 'constructor'
  if (ts.isCallSignatureDeclaration(d)) return '()'
  return d.name?.getText() ?? (isDefault(d) ? 'default' : undefined)
}

function isDefault(d) {
  const flags = ts.getCombinedModifierFlags(d)
  return (flags & ts.ModifierFlags.ExportDefault) === ts.ModifierFlags.ExportDefault || ts.isExportAssignment(d.parent)
}

function id(declaration) {
  const file = relative(declaration.getSourceFile().fileName)
  if (!file) return ''
  const name = nameOf(declaration)
  return name ? `${file}:${lineOf(declaration.name ?? declaration)}:${name}` : ''
}

const withoutAlias = symbol => (symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)

// Of the declarations of one symbol the one that runs.
function running(declarations) {
  return (
    declarations.find(d => isFunction(d) && d.body) ??
    declarations.find(d => ts.isVariableDeclaration(d) || ts.isPropertyDeclaration(d) || ts.isClassLike(d)) ??
    declarations.find(isFunction) ??
    declarations[0]
  )
}

// What the declarations of a symbol are, those of the members of a union apart.
function targets(symbol) {
  const all = withoutAlias(symbol)?.declarations ?? []
  const isMember = d => ts.isClassElement(d) || ts.isTypeElement(d)
  if (!all.every(isMember)) return all.length ? [running(all)] : []
  return [...new Set(all.map(d => d.parent))].map(parent => running(all.filter(d => d.parent === parent)))
}

// What a property is set to by name.
function followed(d) {
  for (let i = 0; i < 3; i++) {
    let symbol
    if (ts.isShorthandPropertyAssignment(d)) symbol = checker.getShorthandAssignmentValueSymbol(d)
    else if (ts.isPropertyAssignment(d) && ts.isIdentifier(d.initializer)) symbol = checker.getSymbolAtLocation(d.initializer)
    const next = symbol && targets(symbol)[0]
    if (!next || next === d) return d
    d = next
  }
  return d
}

// Parameters, parts that are taken out of values, and local variables that hold what is
// no function of their own.
const isHeld = d =>
  (ts.isParameter(d) && !ts.isParameterPropertyDeclaration(d, d.parent)) ||
  ts.isBindingElement(d) ||
  (ts.isVariableDeclaration(d) && isLocal(d) && !holdsFunction(d))

function isLocal(d) {
  const around = d.parent.parent.parent
  return outermost(d, undefined) !== undefined || (!ts.isSourceFile(around) && !ts.isModuleBlock(around))
}

function holdsFunction(d) {
  let value = d.initializer
  while (value && isWrapper(value)) value = value.expression
  return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value))
}

// Properties that hold a value of a type with a name.
const isTyped = d =>
  (ts.isPropertyDeclaration(d) || ts.isPropertySignature(d)) && !d.initializer && d.type && !ts.isFunctionTypeNode(d.type)

// What calling a declaration reaches; undefined for what only holds a value.
function reached(d) {
  d = followed(d)
  if (isHeld(d)) return undefined
  if (ts.isCallSignatureDeclaration(d)) return d.parent.members.find(ts.isCallSignatureDeclaration)
  if (ts.isClassLike(d)) return d.members.find(m => ts.isConstructorDeclaration(m) && m.body) ?? d
  if (ts.isArrowFunction(d) || ts.isFunctionExpression(d)) return named(d)
  if (isFunction(d) && !d.body && d.name) return targets(checker.getSymbolAtLocation(d.name)).find(t => t.parent === d.parent) ?? d
  return d.name && !ts.isTypeNode(d) ? d : undefined
}

// Calls, and components that are used as elements of markup.
const isCall = n =>
  ts.isCallExpression(n) ||
  ts.isNewExpression(n) ||
  ts.isTaggedTemplateExpression(n) ||
  ((ts.isJsxOpeningElement(n) || ts.isJsxSelfClosingElement(n)) && !/^[a-z][^.]*$/.test(n.tagName.getText()))

function callee(call) {
  let e = ts.isTaggedTemplateExpression(call) ? call.tag : (call.tagName ?? call.expression)
  while (isWrapper(e)) e = e.expression
  return ts.isPropertyAccessExpression(e) ? e.name : e
}

const pairs = new Map()

function visit(node, source) {
  const from = isCall(node) && outermost(node.parent, undefined)
  if (from) {
    const at = callee(node)
    let found = targets(checker.getSymbolAtLocation(at))
    const signature = checker.getResolvedSignature(node)?.declaration
    if (found.length === 0 || found.some(isHeld)) found = signature ? [signature] : []
    else if (signature && ts.isCallSignatureDeclaration(signature) && found.every(isTyped)) found = [signature]
    for (const d of found) note(from, d, at, source)
  }
  ts.forEachChild(node, child => visit(child, source))
}

function note(from, declaration, at, source) {
  const d = reached(declaration)
  const caller = id(from)
  const target = d ? id(outermost(d.parent, d)) : ''
  if (!target || !caller) return
  const key = `${caller}\0${target}`
  if (pairs.has(key)) return
  const place = source.getLineAndCharacterOfPosition(at.getStart())
  const kind = ts.isCallSignatureDeclaration(d) || ts.isMethodSignature(d) || ts.isPropertySignature(d) ? 'interface' : 'static'
  pairs.set(key, { caller, callee: target, kind, site: `${relative(source.fileName)}:${place.line + 1}:${place.character + 1}` })
}

// The declarations of the types that a type consists of: those of its name, else of its parts.
function constituents(type) {
  const symbol = type.aliasSymbol ?? type.symbol
  const named = (symbol?.declarations ?? []).filter(d => isType(d) || ts.isTypeAliasDeclaration(d))
  if (named.length === 0 && type.isIntersection()) return type.types.flatMap(constituents)
  return named
}

const isType = n => ts.isClassLike(n) || ts.isInterfaceDeclaration(n)

// The declarations that the clauses of a class or interface name, or an alias stands for.
function bases(d) {
  if (ts.isTypeAliasDeclaration(d)) return ts.isTypeLiteralNode(d.type) ? [] : constituentsOfAlias(d.type)
  const type = d.name && checker.getDeclaredTypeOfSymbol(checker.getSymbolAtLocation(d.name))
  const clauses = (d.heritageClauses ?? []).flatMap(c => (c.token === ts.SyntaxKind.ImplementsKeyword || ts.isInterfaceDeclaration(d) ? [...c.types] : []))
  const extended = type && ts.isClassLike(d) ? (checker.getBaseTypes(type) ?? []) : []
  return [...extended, ...clauses.map(c => checker.getTypeAtLocation(c))].flatMap(constituents)
}

function constituentsOfAlias(node) {
  if (ts.isIntersectionTypeNode(node)) return node.types.flatMap(constituentsOfAlias)
  if (!ts.isTypeReferenceNode(node)) return []
  const symbol = withoutAlias(checker.getSymbolAtLocation(node.typeName)) // of the type itself it may be the alias
  return (symbol?.declarations ?? []).filter(d => isType(d) || ts.isTypeAliasDeclaration(d))
}

function heritage(node) {
  if (isType(node) && id(node)) {
    add(node, node, 'type')
    const seen = new Set([node])
    for (let next = bases(node); next.length; next = next.slice(1)) {
      if (seen.has(next[0])) continue
      seen.add(next[0])
      add(next[0], next[0], 'type')
      add(node, next[0], ts.isClassLike(next[0]) ? 'extends' : 'implements')
      next.push(...bases(next[0]))
    }
  }
  ts.forEachChild(node, heritage)
}

function add(from, to, kind) {
  const caller = id(from)
  const callee = id(to)
  if (callee) pairs.set(`${caller}\0${callee}`, { caller, callee, kind, site: `${relative(from.getSourceFile().fileName)}:${lineOf(from)}` })
}

const wanted = new Set(files)
for (const source of program.getSourceFiles()) {
  if (!wanted.has(source.fileName)) continue
  if (mode === 'heritage') heritage(source)
  else visit(source, source)
}
for (const key of [...pairs.keys()].sort()) console.log(JSON.stringify(pairs.get(key)))
