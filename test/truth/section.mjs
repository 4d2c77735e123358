// section.mjs ROOT FOLDER: reads a JSON list of {spec, files, blocks} from standard
// input, the TypeScript files that a spec is of and the declarations in its section 3,
// and prints a JSON line {file, truth, told} for each: name -> heads, as the checker
// has them of what the files export and as the compiler reads the blocks. Fields and
// variables are told by name alone. Needs `typescript` in NODE_PATH.
import { createRequire } from 'node:module'
import fs from 'node:fs'
import path from 'node:path'

const ts = createRequire(path.join(process.env.NODE_PATH, 'x.js'))('typescript')
const [root, folder] = process.argv.slice(2).map(p => fs.realpathSync(p))

const files = fs.readdirSync(folder, { recursive: true })
  .map(f => path.join(folder, f))
  .filter(f => /\.tsx?$/.test(f) && !f.endsWith('.d.ts'))
const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.Preserve, noEmit: true, skipLibCheck: true, types: [], lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'],
})
const checker = program.getTypeChecker()
const has = (node, flag) => (ts.getCombinedModifierFlags(node) & flag) !== 0

// head is the text of a function or type without its body, one blank between tokens.
function head(sf, node) {
  const end = node.body ? node.body.getStart(sf) : node.end
  const scanner = ts.createScanner(ts.ScriptTarget.ESNext, true, ts.LanguageVariant.Standard, sf.text.slice(node.getStart(sf), end))
  const tokens = []
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) tokens.push(scanner.getTokenText())
  while ([';', ',', 'export', 'default', 'declare'].some(t => tokens[0] === t)) tokens.shift()
  if (tokens.length > 0) tokens.push(tokens.pop().replace(/;$/, '')) // a template's end is not scanned as such
  return tokens.filter((t, i) => !(t === ',' && [')', '>', ']', '}', undefined].includes(tokens[i + 1])) && t !== ';').join(' ').trim()
}

const functions = [ts.isFunctionDeclaration, ts.isMethodDeclaration, ts.isMethodSignature, ts.isConstructorDeclaration,
  ts.isGetAccessor, ts.isSetAccessor]

// tell notes a declaration, and the members of a type that others may use.
function tell(out, sf, node, owner) {
  const name = owner + (ts.isConstructorDeclaration(node) ? 'constructor' : node.name?.getText(sf) ?? '')
  if (name === owner || (owner && (has(node, ts.ModifierFlags.Private) || name.includes('.#')))) return
  const said = (out[name] ??= new Set())
  if (functions.some(is => is(node))) {
    if (!(node.body && said.size > 0 && !ts.isAccessor(node))) said.add(head(sf, node)) // what overloads share is not theirs
  } else if (ts.isTypeAliasDeclaration(node)) {
    said.add(head(sf, node))
  }
  if (ts.isConstructorDeclaration(node)) {
    for (const p of node.parameters) if (ts.isParameterPropertyDeclaration(p, node)) tell(out, sf, p, owner)
  }
  if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isEnumDeclaration(node)) {
    for (const m of node.members) tell(out, sf, m, name + '.')
  }
}

const plain = out => Object.fromEntries(Object.entries(out).map(([name, said]) => [name, [...said].sort()]))

function exported(names) {
  const byFile = {}
  for (const name of names) {
    const out = (byFile[name] ??= {})
    const sf = program.getSourceFile(path.join(root, name))
    if (!sf?.symbol) continue
    for (const symbol of checker.getExportsOfModule(sf.symbol)) {
      const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      for (const d of meant.declarations ?? []) if (d.getSourceFile() === sf) tell(out, sf, d, '')
    }
  }
  return flat(byFile)
}

// A member stands at two blanks; a field's value, and a function's that a field is set
// to, need not be all there.
const field = /^(?:(?:public|protected|static|readonly|override|declare|abstract|accessor|async|get|set) )*([\w$]+|\[.*?\]|'.*?'|".*?")[?!]? ?[=:]/

function member(out, owner, text) {
  const name = field.exec(text)?.[1]
  if (name && !/^(get|set|static|async) [\w$]+\(/.test(text)) {
    out[`${owner}.${name}`] ??= new Set()
    return
  }
  for (const kind of ['class', 'interface']) {
    const sf = ts.createSourceFile('member.ts', `${kind} ${owner} {\n${text}\n}`, ts.ScriptTarget.ESNext, true)
    if (sf.parseDiagnostics.length > 0) continue
    for (const m of sf.statements[0].members) tell(out, sf, m, owner + '.')
    return
  }
}

// read tells the declarations in the blocks of a section. In a block a type's members
// follow the rows that declare it.
function read(blocks) {
  const out = {}
  for (const { file, values, text } of blocks) {
    const told = (out[file] ??= {})
    const rows = text.trimEnd().split('\n')
    if (values || /^(const|let|var) /.test(text)) { // by name: what they are set to need not be all there
      for (const row of rows) {
        const name = /^(?:const|let|var|type|interface|namespace) ([\w$]+)/.exec(row)?.[1]
        if (name) told[name] ??= new Set()
      }
      const sf = ts.createSourceFile('values.ts', text, ts.ScriptTarget.ESNext, true)
      for (const s of sf.statements) if (ts.isTypeAliasDeclaration(s)) tell(told, sf, s, '')
      continue
    }
    for (const [i, row] of rows.entries()) { // a function's body is left out
      if (/^(?:const|let|var) [\w$]+ = (?:async )?[<(]/.test(row) && !row.includes('=>')) rows[i] = row + ' => {}'
    }
    const open = rows.findIndex((row, i) => row.endsWith('{') && /^  [^ ]/.test(rows[i + 1] ?? ''))
    const isType = open >= 0 && /^(abstract )?(class|interface|enum) /.test(rows[0]) && rows.at(-1) === '}'
    const head = isType ? [...rows.slice(0, open + 1), '}'] : rows
    const sf = ts.createSourceFile('block.ts', head.join('\n'), ts.ScriptTarget.ESNext, true)
    for (const statement of sf.statements) {
      const list = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement]
      for (const d of list) if (d.name && ts.isIdentifier(d.name)) tell(told, sf, d, '')
    }
    const chunks = []
    for (const row of isType ? rows.slice(open + 1, -1) : []) {
      if (/^  [^ .(})\]>|&?:]/.test(row)) chunks.push(row.trim())
      else if (chunks.length > 0) chunks.push(chunks.pop() + '\n' + row)
    }
    const owner = sf.statements[0]?.name?.text
    for (const chunk of chunks) if (owner && !/^(\/\/|new |new\(|\[\w+:)/.test(chunk)) member(told, owner, chunk)
  }
  return flat(out)
}

// flat keys by file and name: files may have the same names.
const flat = byFile => Object.fromEntries(Object.entries(byFile).flatMap(([file, out]) =>
  Object.entries(out).map(([name, said]) => [`${file}#${name}`, said])))

let input = ''
for await (const part of process.stdin) input += part
for (const { spec, files, blocks } of JSON.parse(input)) {
  console.log(JSON.stringify({ file: spec, truth: plain(exported(files)), told: plain(read(blocks)) }))
}
