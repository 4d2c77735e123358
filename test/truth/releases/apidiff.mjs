// apidiff.mjs OLD NEW: prints as JSON what changed between two unpacked npm packages, decided by TypeScript's own
// assignability. Needs `typescript` in NODE_PATH.
// value export: breaking unless typeof new is assignable to typeof old.
// type export:  same (both ways) | narrowed | widened | incompatible; all but "same" are breaking for somebody.
//
// With PLAIN=1 it judges as simply as that can be done. Without, what is no difference to users is none here either: imports are
// resolved as bundlers do, quotes do not matter, and the former text of a declaration is judged in the file that has the present
// one. So a declaration that gained an optional parameter is not "incompatible" because a type that it names changed, which is told
// of that type, or because the type parameters of two declarations are never the same; members and aliases are compared inside a
// probe that declares them. In a probe `this` is the present type, and a method is a function: TypeScript lets a method that takes
// less stand for one that takes more, and users who pass more are broken. So are those who pass an argument that no parameter takes
// any more, which the checker allows for functions that stand for others, or type arguments that a call had to have and that no longer
// fit, or call a function without an object that it is a method of now, or use what was any and is unknown. The exports of namespaces are
// judged like those of the package. The types of Node are known, if NODE_PATH has them.
import { createRequire } from 'node:module'
import fs from 'node:fs'
import path from 'node:path'
const ts = createRequire(path.join(process.env.NODE_PATH, 'x.js'))('typescript')
const [od, nd] = process.argv.slice(2)
const plain = process.env.PLAIN === '1'
function entry(dir) {
  const p = JSON.parse(fs.readFileSync(path.join(dir, 'package.json')))
  const pick = x => { if (!x) return; if (typeof x === 'string') return /\.d\.[mc]?ts$/.test(x) ? x : undefined; for (const k of ['types', 'import', 'require', 'node', 'default', '.']) { const r = pick(x[k]); if (r) return r } }
  const c = [p.types, p.typings, pick(p.exports && (p.exports['.'] ?? p.exports)), 'index.d.ts', (p.main ?? 'index.js').replace(/\.[mc]?js$/, '.d.ts')]
  for (const f of c) if (f) for (const g of [f, f + '.d.ts', path.join(f, 'index.d.ts')]) { const q = path.join(dir, g); if (fs.existsSync(q) && fs.statSync(q).isFile()) return q }
}
const eo = entry(od), en = entry(nd)
if (!eo || !en) { console.error('no types entry', eo, en); process.exit(1) }
const texts = new Map() // what the checker sees of a file instead of its text
const M = ts.ModuleKind, R = ts.ModuleResolutionKind
const options = { target: ts.ScriptTarget.ESNext, module: plain ? M.NodeNext : M.ESNext, moduleResolution: plain ? R.NodeNext : R.Bundler, strict: true, skipLibCheck: true, noEmit: true, types: [], lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], esModuleInterop: true }
const typeRoots = path.join(process.env.NODE_PATH, '@types')
if (!plain && fs.existsSync(path.join(typeRoots, 'node'))) Object.assign(options, { types: ['node'], typeRoots: [typeRoots] })
const host = ts.createCompilerHost(options)
const { getSourceFile } = host
const parsed = new Map()
host.getSourceFile = (f, v, ...rest) => {
  if (texts.has(f)) return ts.createSourceFile(f, texts.get(f), v)
  if (!parsed.has(f)) parsed.set(f, getSourceFile.call(host, f, v, ...rest))
  return parsed.get(f)
}
const nameOf = s => /^[A-Za-z_$][\w$]*$/.test(s)

// compare compares with the given program. In it, formers has the names under which the former texts of declarations stand in the
// files of the present ones, and probes the types of the wanted comparisons of another run, by key. With dry, it finds what to compare.
function compare(prog, formers, probes, dry) {
  const ck = prog.getTypeChecker()
  const wanted = new Map(), changes = [], changed = new Map()
  function exps(f) {
    const sf = prog.getSourceFile(f), m = new Map()
    if (!sf?.symbol) return m
    for (const s of ck.getExportsOfModule(sf.symbol)) m.set(s.name, s.flags & ts.SymbolFlags.Alias ? ck.getAliasedSymbol(s) : s)
    const eq = sf.symbol.exports.get('export='); if (eq) m.set('export=', eq.flags & ts.SymbolFlags.Alias ? ck.getAliasedSymbol(eq) : eq)
    return m
  }
  const A = exps(eo), B = exps(en)
  if (!plain) for (const side of [A, B]) spread(side)
  // spread adds the exports of namespaces: as Name.export, or as they are called in the file that a namespace is.
  function spread(side, seen = new Set()) {
    const within = ts.SymbolFlags.ValueModule | ts.SymbolFlags.NamespaceModule
    for (const [n, s] of [...side]) {
      if (!(s.flags & within) || seen.has(s)) continue
      seen.add(s)
      const file = ts.isSourceFile(s.declarations?.[0] ?? {})
      for (const e of ck.getExportsOfModule(s)) {
        const key = file ? `${n}\u0000${e.name}` : `${s.name}.${e.name}` // the second part is what the file calls it
        if ((e.declarations ?? []).some(d => ts.isClassLike(d.parent))) continue // static, a member
        if (e.name !== 'prototype' && e.name !== 'default' && !side.has(key)) side.set(key, e.flags & ts.SymbolFlags.Alias ? ck.getAliasedSymbol(e) : e)
      }
    }
  }
  const isFile = s => ts.isSourceFile(s.declarations?.[0] ?? {})
  const at = (s, dir) => { const d = s?.declarations?.[0]; if (!d) return; const sf = d.getSourceFile(); return path.relative(dir, sf.fileName) + ':' + (sf.getLineAndCharacterOfPosition((d.name ?? d).getStart(sf)).line + 1) }
  const called = name => name.replace(/^.*\0/, '')
  const add = (name, kind, breaking, detail, a, b) => { const symbol = called(name); changes.push({ symbol, kind, breaking, message: `${symbol}: ${detail}`, old_pos: at(a, od), new_pos: at(b, nd) }) }
  // A change counts only where the declaration's own text changed (comments and spaces apart); a type that is
  // merely made of changed types is not reported again. Private members are left out.
  const priv = d => (ts.getCombinedModifierFlags(d) & ts.ModifierFlags.Private) || (d.name && ts.isPrivateIdentifier(d.name))
  const typeOf = s => ck.getTypeOfSymbol(s)
  // opaque tells whether what users read from a value was any and is unknown, or of a type parameter that may be anything.
  const values = new Set(['Array', 'ReadonlyArray', 'Promise', 'PromiseLike', 'Iterable', 'AsyncIterable', 'Iterator', 'AsyncIterator', 'IterableIterator', 'AsyncIterableIterator', 'Map', 'ReadonlyMap', 'Set', 'ReadonlySet'])
  const anything = t => !!(t.flags & ts.TypeFlags.Unknown) || !!(t.flags & ts.TypeFlags.TypeParameter) && !(ck.getBaseConstraintOfType(t)?.flags & ~ts.TypeFlags.Unknown)
  function opaque(x, y, depth = 4) {
    if (x.flags & ts.TypeFlags.Any) return anything(y)
    if (depth === 0 || x === y) return false
    x = ck.getNonNullableType(x); y = ck.getNonNullableType(y)
    if (x.isUnion() && y.isUnion()) return x.types.some(a => y.types.some(b => a.symbol && a.symbol === b.symbol && opaque(a, b, depth - 1)))
    if (!(x.flags & y.flags & ts.TypeFlags.Object)) return false
    if (x.objectFlags & y.objectFlags & ts.ObjectFlags.Reference && x.target === y.target) {
      const a = ck.getTypeArguments(x), b = ck.getTypeArguments(y)
      return values.has(x.symbol?.name) && a.some((t, i) => b[i] && opaque(t, b[i], depth - 1))
    }
    const [f, ...more] = calls(x), [g, ...others] = calls(y)
    if (f && g && !more.length && !others.length) return opaque(ck.getReturnTypeOfSignature(f), ck.getReturnTypeOfSignature(g), depth - 1)
    const open = t => !!((t.objectFlags & (ts.ObjectFlags.Anonymous | ts.ObjectFlags.Mapped)) && !(t.symbol?.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Enum | ts.SymbolFlags.ValueModule)))
    if (!open(x) && !open(y) || x.symbol && x.symbol === y.symbol && !open(x)) return false // what a declared type has is told of it
    const i = ck.getIndexTypeOfType(x, ts.IndexKind.String), k = ck.getIndexTypeOfType(y, ts.IndexKind.String)
    return !!i && !!k && opaque(i, k, depth - 1) || x.getProperties().some(p => { const q = y.getProperty(p.name); return q && opaque(ck.getTypeOfSymbol(p), ck.getTypeOfSymbol(q), depth - 1) })
  }
  function rel2(x, y) { if (dry) return 'same'; if (!plain && opaque(x, y)) return 'widened'; const f = ck.isTypeAssignableTo(y, x), r = ck.isTypeAssignableTo(x, y); return f && r ? 'same' : f ? 'narrowed' : r ? 'widened' : 'incompatible' }
  const isMemberful = s => (s.declarations ?? []).some(d => ts.isClassLike(d) || ts.isInterfaceDeclaration(d) || (ts.isTypeAliasDeclaration(d) && ts.isTypeLiteralNode(d.type)) || ts.isEnumDeclaration(d))
  const parametersOf = ds => ds.find(d => d.typeParameters)?.typeParameters ?? []
  // shared compares what select makes of a type, by the probe, where both sides have the same type parameters.
  function shared(name, a, b, select, other) {
    const pa = parametersOf(a.declarations ?? []), pb = parametersOf(b.declarations ?? [])
    const former = formers?.get(name), local = b.declarations?.[0]?.name?.text
    if (!former || (plain ? pa.length !== pb.length : !fitting(a.declarations ?? [], b.declarations ?? [])) || !local) return other()
    const key = name + select('')
    const known = probes?.get(key)
    if (known) {
      const [x, y] = known.map(ck.getTypeFromTypeNode)
      return x.intrinsicName === 'error' || y.intrinsicName === 'error' ? other() : rel2(x, y)
    }
    if (probes) return other()
    const args = pb.length ? '<' + pb.map(p => p.name.text).join(', ') + '>' : '', kept = pa.length ? '<' + pb.slice(0, pa.length).map(p => p.name.text).join(', ') + '>' : ''
    const head = pb.length ? '<' + pb.map(p => p.getText()).join(', ') + '>' : ''
    wanted.set(key, { file: b.declarations[0].getSourceFile().fileName, spaces: around(b.declarations[0]), parameters: head, old: select(former + kept), now: select(local + args) })
    return other()
  }
  // takesLess tells whether a function cannot be called with all the arguments, or the type arguments, that it took.
  const takes = t => Math.max(-1, ...ck.getSignaturesOfType(t, ts.SignatureKind.Call).map(g => g.declaration?.parameters.some(p => p.dotDotDotToken) ? Infinity : g.parameters.length))
  // Calls write type arguments where a type parameter is in no parameter.
  const mentions = (n, name) => ts.isTypeReferenceNode(n) && n.typeName.getText() === name || !!ts.forEachChild(n, c => mentions(c, name))
  const writes = g => (g.declaration?.typeParameters ?? []).some(p => !p.default && !g.declaration.parameters.some(q => q.type && mentions(q.type, p.name.text)))
  const fits = (g, n) => { const l = g.declaration?.typeParameters ?? []; return l.length >= n && l.filter(p => !p.default).length <= n }
  const calls = t => ck.getSignaturesOfType(t, ts.SignatureKind.Call)
  const unfit = (was, is) => calls(is).length > 0 && calls(was).some(g => writes(g) && !calls(is).some(h => fits(h, g.declaration.typeParameters.length)))
  const takesLess = (was, is) => !plain && !dry && (takes(is) >= 0 && takes(is) < takes(was) || unfit(was, is) || calls(is).some(g => g.thisParameter) && !calls(was).some(g => g.thisParameter))
  // probed compares a member by its texts, both in the file of the present one.
  function probed(n, k, a, b, x, y) {
    const pa = parametersOf(a.declarations ?? []), pb = parametersOf(b.declarations ?? []), d = b.declarations[0]
    if (plain || !formers || !fitting(a.declarations ?? [], b.declarations ?? []) || !d.name) return
    const names = new Map([...along.get(n) ?? [], ...elsewhere(x, d), ...pa.map((p, i) => [p.name.text, pb[i].name.text])])
    const self = d.name.text + (pb.length ? '<' + pb.map(p => p.name.text).join(', ') + '>' : '')
    const head = pb.length ? '<' + pb.map(p => p.getText()).join(', ') + '>' : ''
    const old = asType(x, names, self, head), now = asType(y, new Map(), self, head)
    if (!old || !now) return
    const key = `${n}\u0000${k}`, known = probes?.get(key)
    if (!probes) wanted.set(key, { file: d.getSourceFile().fileName, spaces: around(d), parameters: head, old, now })
    if (!known) return
    const lost = unknown([known[0]]), before = unknown(x)
    if ([...lost].some(l => !before.has(l))) return
    const [was, is] = known.map(ck.getTypeFromTypeNode)
    if (was.intrinsicName === 'error' || is.intrinsicName === 'error') return
    const r = rel2(was, is)
    return takesLess(was, is) ? 'incompatible' : r
  }
  function members(s) {
    const m = new Map()
    for (const d of s.declarations ?? []) {
      const list = ts.isTypeAliasDeclaration(d) ? (ts.isTypeLiteralNode(d.type) ? d.type.members : []) : d.members ?? []
      for (const x of list) {
        if (priv(x)) continue
        const k = ts.isConstructorDeclaration(x) || ts.isConstructSignatureDeclaration(x) ? 'constructor' : ts.isCallSignatureDeclaration(x) ? '()' : ts.isIndexSignatureDeclaration(x) ? '[]' : x.name ? (ts.getCombinedModifierFlags(x) & ts.ModifierFlags.Static ? 'static ' : '') + x.name.getText() : '?'
        if (!m.has(k)) m.set(k, [])
        m.get(k).push(x)
      }
    }
    return m
  }
  const quoted = t => plain ? t : t.replace(/'((?:[^'"\\\n]|\\.)*)'/g, '"$1"')
  const norm = ds => ds.map(d => quoted(d.getText().replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:])\/\/.*$/gm, '$1')).replace(/\b(export|declare|default)\b/g, '').replace(/\s+/g, '').replace(/[;,]/g, '')).join('|')
  const parameterTexts = ds => {
    const list = parametersOf(ds), names = new Map(plain ? [] : list.map((p, i) => [p.name.text, `T${i}`]))
    const text = p => plain ? p.getText() : (p.modifiers ?? []).map(m => m.getText() + ' ').join('') + names.get(p.name.text) + (p.constraint ? ' extends ' + rewritten(p.constraint, names) : '') + (p.default ? ' = ' + rewritten(p.default, names) : '')
    return list.map(p => text(p).replace(/'/g, '"').replace(/\s+/g, ''))
  }
  const np = ds => parameterTexts(ds).join(',')
  // fitting tells whether type arguments for a type are those of another one: it has the same parameters, and others with defaults.
  const fitting = (da, db) => np(da) === np(db) || !plain && parameterTexts(da).every((t, i) => t === parameterTexts(db)[i]) && parametersOf(db).slice(parametersOf(da).length).every(p => p.default)
  // spaceOf adds what the name of a namespace is that the file of a former declaration exports, and that means nothing where it stands now.
  function spaceOf(id, place, out) {
    const s = ck.getSymbolAtLocation(id), sf = id.getSourceFile()
    if (!s || !place || ck.resolveName(id.text, place, ts.SymbolFlags.Namespace, false) || !sf.symbol) return
    const e = ck.getExportsOfModule(sf.symbol).find(e => (e.flags & ts.SymbolFlags.Alias ? ck.getAliasedSymbol(e) : e) === (s.exportSymbol ?? s))
    if (e) out.set(id.text, `import(${JSON.stringify(sf.fileName.replace(/\.d\.([cm]?)ts$/, '.$1js'))}).${e.name}`)
  }
  // elsewhere returns what the names of types that declarations import, and that mean nothing where another one stands, are there.
  function elsewhere(ds, place) {
    const out = new Map()
    const visit = n => {
      let id = ts.isTypeReferenceNode(n) ? n.typeName : undefined
      const qualified = id && ts.isQualifiedName(id)
      while (id?.left) id = id.left
      if (qualified) { spaceOf(id, place, out); id = undefined }
      const spec = ts.isImportTypeNode(n) && ts.isLiteralTypeNode(n.argument) ? n.argument : undefined
      if (spec?.literal.text.startsWith('.') && ck.getSymbolAtLocation(spec.literal)) {
        const f = ck.getSymbolAtLocation(spec.literal).declarations?.[0]?.getSourceFile().fileName
        const now = f && path.join(nd, path.relative(od, f)), there = now && prog.getSourceFile(now)?.symbol
        const has = there && (!n.qualifier || ck.getExportsOfModule(there).some(e => e.name === n.qualifier.getText().split('.')[0]))
        if (f) out.set(spec.getText(), JSON.stringify((has ? now : f).replace(/\.d\.([cm]?)ts$/, '.$1js')))
      }
      const s = id && place && ck.getSymbolAtLocation(id)
      if (s && s.flags & ts.SymbolFlags.Alias && !ck.resolveName(id.text, place, ts.SymbolFlags.Type, false)) {
        const t = ck.getAliasedSymbol(s), f = t.declarations?.[0]?.getSourceFile().fileName
        if (f) {
          const now = path.join(nd, path.relative(od, f)), there = prog.getSourceFile(now)?.symbol
          const at = (there ? ck.getExportsOfModule(there).some(e => e.name === t.name) : fs.existsSync(now)) ? now : f // what is gone is what it was
          out.set(id.text, `import(${JSON.stringify(at.replace(/\.d\.([cm]?)ts$/, '.$1js'))}).${t.name}`)
        }
      }
      ts.forEachChild(n, visit)
    }
    if (!plain) ds.forEach(visit)
    return out
  }
  // failing tells whether a type is an error; one that is too deep for the checker is none.
  const failing = n => { try { return ck.getTypeFromTypeNode(n).intrinsicName === 'error' } catch (e) { if (e instanceof RangeError) return false; throw e } }
  // unknown returns the names in declarations that mean nothing where they stand.
  function unknown(ds) {
    const out = new Set()
    const known = id => ['globalThis', 'undefined'].includes(id.text) || ck.getSymbolAtLocation(id)?.declarations?.length // what is not found has a symbol, too
    const visit = n => {
      if (ts.isTypeReferenceNode(n)) {
        let id = n.typeName
        while (id.left) id = id.left
        if (!known(id) || !plain && failing(n)) out.add(id.text) // or it has other type parameters
      }
      if (ts.isTypeQueryNode(n)) { let id = n.exprName; while (id.left) id = id.left; if (ts.isIdentifier(id) && !known(id)) out.add(id.text) }
      if (ts.isImportTypeNode(n) && failing(n)) out.add(n.getText())
      if (ts.isExpressionWithTypeArguments(n) && ts.isIdentifier(n.expression) && !known(n.expression)) out.add(n.expression.text)
      ts.forEachChild(n, visit)
    }
    ds.forEach(visit)
    return out
  }
  function member(n, k, a, b, x, y, cls, written) {
    const r = probed(n, k, a, b, written, y)
    if (r) return k === 'constructor' && cls && r === 'narrowed' ? 'same' : r // what it took, it takes
    const seen = !plain && formers && [...unknown(x)].some(l => !unknown(written).has(l)) ? written : x // in its own file, where it names what this one lacks
    const sx = seen[0].symbol, sy = y[0].symbol
    if (k === 'constructor' && cls) {
      const r = shared(n, { declarations: [] }, { declarations: [b.declarations.find(ts.isClassLike)] }, t => `ConstructorParameters<typeof ${t.split('<')[0]}>`, () => 'incompatible')
      return r === 'widened' ? 'same' : r // what it took, it takes
    }
    if (k === '()') return shared(n, a, b, t => t, () => 'incompatible') // with the other members
    if (!sx || !sy || k === 'constructor' || k === '[]') return 'incompatible'
    const own = () => rel2(typeOf(sx), typeOf(sy))
    if (!nameOf(k) || parametersOf(a.declarations).length === 0) return own()
    return shared(n, a, b, t => `${t}['${k}']`, own)
  }
  // standing returns the symbol of a former declaration in the file of the present one; itself if it does not mean anything there.
  function standing(n, a, b) {
    const name = formers?.get(n), f = b.declarations?.[0]?.getSourceFile()
    const local = name && localOf(f, around(b.declarations[0]), name)
    return local?.exportSymbol ?? local ?? a // in a file of declarations all are exported, and what is local has no type
  }
  for (const [n, a] of A) {
    const b = B.get(n)
    if (!b) { if (plain || a.declarations) add(n, 'removed', true, 'removed', a); continue }
    const da = a.declarations ?? [], db = b.declarations ?? []
    if (norm(da) === norm(db)) continue
    if (!plain && isFile(a) && isFile(b)) continue // their exports are judged
    if (!plain && a.flags & (ts.SymbolFlags.NamespaceModule | ts.SymbolFlags.ValueModule) && !(a.flags & (ts.SymbolFlags.Type | ts.SymbolFlags.Function | ts.SymbolFlags.Variable)) && !isMemberful(a)) {
      if (!(b.flags & (ts.SymbolFlags.NamespaceModule | ts.SymbolFlags.ValueModule))) add(n, 'changed', true, 'no longer a namespace', a, b)
      continue
    }
    changed.set(n, { a, b, missing: unknown(da), moved: elsewhere(da, db[0]) })
    const s = standing(n, a, b), ds = s.declarations ?? []
    if ((a.flags & ts.SymbolFlags.Value) && !(b.flags & ts.SymbolFlags.Value)) { add(n, 'changed', true, 'no longer a value', a, b); continue }
    if ((a.flags & ts.SymbolFlags.Type) && !(b.flags & ts.SymbolFlags.Type)) { add(n, 'changed', true, 'no longer a type', a, b); continue }
    if (isMemberful(a) && isMemberful(b)) {
      const ma = members(a), mb = members(b), ms = members(s)
      const cls = da.some(ts.isClassLike)
      for (const [k, x] of ma) {
        const y = mb.get(k)
        if (!y) {
          const inherited = (cls || !plain) && ck.getDeclaredTypeOfSymbol(b).getProperty?.(k)
          if (!inherited) add(`${n}.${k}`, 'removed', true, 'removed', { declarations: x }, b)
          continue
        }
        if (norm(x) === norm(y)) continue
        const oa = !!x[0].questionToken, ob = !!y[0].questionToken
        const r = member(n, k, s, b, ms.get(k) ?? x, y, cls, x)
        if (r === 'same' && oa === ob) continue
        const fnLike = ts.isMethodDeclaration(x[0]) || ts.isMethodSignature(x[0])
        const ok = (fnLike && r === 'narrowed') // the new method can stand where the old one was used
        add(`${n}.${k}`, 'changed', !ok, `changed (${r}${oa !== ob ? ob ? ', now optional' : ', now required' : ''})`, { declarations: x }, { declarations: y })
      }
      for (const [k, y] of mb) if (!ma.has(k)) {
        const req = !cls && !y[0].questionToken && !ts.isCallSignatureDeclaration(y[0])
        add(`${n}.${k}`, 'added', false, req ? 'added, required (breaks implementers)' : 'added', undefined, { declarations: y })
      }
      const heirs = ds => ds.flatMap(d => d.heritageClauses ?? []).map(h => h.getText().replace(/\s+/g, '')).join()
      if (!plain && heirs(da) !== heirs(db)) {
        const has = new Set(ck.getDeclaredTypeOfSymbol(b).getProperties().map(p => p.name)), own = new Set([...ma.keys()].map(k => k.replace(/^static /, '')))
        const lost = ck.getDeclaredTypeOfSymbol(a).getProperties().filter(p => !own.has(p.name) && !has.has(p.name) && !(p.declarations ?? []).some(priv))
        if (lost.length) add(n, 'changed', true, `no longer inherits ${lost.map(p => p.name).join(', ')}`, a, b)
      }
      if (!fitting(da, db)) add(n, 'changed', true, `type parameters <${np(da)}> -> <${np(db)}>`, a, b)
      continue
    }
    let r
    if (a.flags & ts.SymbolFlags.Value) r = takesLess(typeOf(s), typeOf(b)) ? 'takes fewer arguments' : rel2(typeOf(s), typeOf(b))
    else if (plain ? parametersOf(da).length !== parametersOf(db).length : !fitting(da, db)) r = 'type parameters differ'
    else r = shared(n, s, b, t => t, () => rel2(ck.getDeclaredTypeOfSymbol(s), ck.getDeclaredTypeOfSymbol(b)))
    if (r === 'same') continue
    add(n, 'changed', !((a.flags & ts.SymbolFlags.Value) && r === 'narrowed'), `changed (${r})`, a, b)
  }
  for (const [n, b] of B) if (!A.has(n)) add(n, 'added', false, 'added', undefined, b)
  const files = (s, dir) => (plain || s && !isFile(s) ? s?.declarations ?? [] : []).map(d => path.relative(dir, d.getSourceFile().fileName))
  const names = [...new Set([...A.keys(), ...B.keys()])].map(n => ({ name: called(n), files: [...new Set([...files(A.get(n), od), ...files(B.get(n), nd)])] }))
  // What is exported as default has a name of its own where it is declared.
  for (const side of plain ? [] : [A, B]) for (const d of side.get('default')?.declarations ?? []) if (d.name && ts.isIdentifier(d.name)) names.push({ name: d.name.text, files: names.find(n => n.name === 'default').files })
  if (!plain) for (const n of [...names]) if (n.name.includes('.')) names.push({ name: n.name.split('.')[0], files: n.files })
  // hidden returns the names in former declarations of what they have around them and do not export, if it is something else in a file now: nothing
  // else tells of that.
  function hidden(list, f) {
    const out = new Set(), exported = new Set(A.values()), now = prog.getSourceFile(f)?.locals
    const visit = n => {
      const id = ts.isTypeReferenceNode(n) ? n.typeName : ts.isExpressionWithTypeArguments(n) ? n.expression : undefined
      const s = id && ts.isIdentifier(id) ? ck.getSymbolAtLocation(id) : undefined, ds = s?.declarations ?? [], is = id && now?.get(id.text)?.declarations
      const here = ds.length > 0 && ds.every(d => d.getSourceFile() === n.getSourceFile() && !ts.isTypeParameterDeclaration(d))
      if (here && is && !exported.has(s) && norm(ds) !== norm(is)) out.add(id.text)
      ts.forEachChild(n, visit)
    }
    list.forEach(visit)
    return out
  }
  // taken returns what declarations of the former release mean by names, in another file.
  const taken = (list, f) => ({ missing: unknown(list), moved: elsewhere(list, prog.getSourceFile(f)) })
  return { changes, names, wanted, changed, unknown, hidden, taken }
}

// rewritten returns the text of a node with other names of types, and self for this, if that is given. guard is called for a guard of this.
function rewritten(n, names, self, guard) {
  const sf = n.getSourceFile(), cuts = []
  const named = id => { if (ts.isIdentifier(id) && names.has(id.text)) cuts.push([id.getStart(sf), id.getEnd(), names.get(id.text)]) }
  const visit = c => {
    if (self && c.kind === ts.SyntaxKind.ThisType) {
      if (ts.isTypePredicateNode(c.parent)) guard()
      cuts.push([c.getStart(sf), c.getEnd(), self])
    } else if (ts.isTypeReferenceNode(c)) {
      let id = c.typeName
      while (id.left) id = id.left
      named(id)
    } else if (ts.isImportTypeNode(c) && names.has(c.argument.getText(sf))) cuts.push([c.argument.getStart(sf), c.argument.getEnd(), names.get(c.argument.getText(sf))])
    else if (ts.isExpressionWithTypeArguments(c) && nameOf(names.get(c.expression.text) ?? '.')) named(c.expression)
    ts.forEachChild(c, visit)
  }
  visit(n)
  let out = '', at = n.getStart(sf)
  for (const [from, to, t] of cuts) { out += sf.text.slice(at, from) + t; at = to }
  return out + sf.text.slice(at, n.getEnd())
}

// asType returns the type of a member as a text, in which type parameters have other names and self stands for this; undefined for a
// member whose type is not written.
function asType(list, names, self, head) {
  let whole = true
  const text = n => rewritten(n, names, self, () => { whole = false })
  const call = m => {
    if (!m.type) whole = false
    return (m.typeParameters ? '<' + m.typeParameters.map(text).join(', ') + '>' : '') + '(' + m.parameters.map(text).join(', ') + '): ' + (m.type ? text(m.type) : 'any')
  }
  const part = m => {
    if (ts.isMethodDeclaration(m) || ts.isMethodSignature(m) || ts.isCallSignatureDeclaration(m)) return call(m)
    if (ts.isConstructSignatureDeclaration(m)) return 'new ' + call(m)
    if (ts.isConstructorDeclaration(m)) return `new ${head}(${m.parameters.map(text).join(', ')}): ${self}`
    return text(m)
  }
  const first = list.find(m => !ts.isSetAccessorDeclaration(m)) ?? list[0]
  const optional = first.questionToken ? ' | undefined' : ''
  let out
  if (ts.isPropertyDeclaration(first) || ts.isPropertySignature(first) || ts.isGetAccessorDeclaration(first)) {
    if (!first.type) return
    out = `(${text(first.type)})${optional}`
  } else if (ts.isSetAccessorDeclaration(first)) return
  else out = `{ ${list.map(part).join('; ')} }${optional}`
  return whole ? out : undefined
}

// former returns the text of a declaration under another name; undefined for one that cannot stand elsewhere.
function former(d, name, names) {
  if (!d.name || !ts.isIdentifier(d.name)) return
  const from = d.getStart(), text = rewritten(d, names)
  const renamed = text.slice(0, d.name.getStart() - from) + name + text.slice(d.name.getEnd() - from)
  if (ts.isVariableDeclaration(d)) return d.type && `declare let ${renamed};`
  return 'declare ' + renamed.replace(/^\s*(?:(?:export|default|declare)\s+)*/, '')
}
// around returns the namespaces that a declaration stands in, the outermost first; undefined for one whose place cannot be opened again.
function around(d) {
  const out = []
  for (let n = d?.parent; n && !ts.isSourceFile(n); n = n.parent) {
    if (ts.isModuleDeclaration(n)) {
      if (!ts.isIdentifier(n.name) || n.flags & ts.NodeFlags.GlobalAugmentation) return
      out.unshift(n)
    } else if (!ts.isModuleBlock(n) && !ts.isVariableDeclarationList(n) && !ts.isVariableStatement(n)) return
  }
  return out
}
// placed writes declarations so that they stand in namespaces of a file, and localOf finds one there.
const exported = d => !!(ts.getCombinedModifierFlags(d) & ts.ModifierFlags.Export)
const placed = (spaces, list) => (spaces ?? []).reduceRight((text, n, i) => `${exported(n) ? 'export ' : ''}${i ? '' : 'declare '}namespace ${n.name.text} {\n${i === spaces.length - 1 ? text.replace(/^declare /gm, 'export ') : text}\n}`, list.join('\n'))
function localOf(f, spaces, name) {
  let table = f?.locals
  for (const n of spaces ?? []) { const s = table?.get(n.name.text); table = (s?.exportSymbol ?? s)?.exports }
  return table?.get(name)
}
// along are the names under which the declarations that a former one names, and that its file has no more, stand with it, by its key.
const along = new Map()
// standing adds the former texts of changed declarations to the files of the present ones, with those that come along, and returns their names there.
function standing(changed, others) {
  const names = new Map(), put = (f, list) => texts.set(f.fileName, (texts.get(f.fileName) ?? f.text) + '\n' + list.join('\n'))
  let i = 0
  texts.clear()
  for (const [n, { a, b, moved }] of changed) {
    const f = b.declarations?.[0]?.getSourceFile(), name = `former$${i++}`
    const list = (a.declarations ?? []).map(d => former(d, name, new Map([...moved, ...along.get(n) ?? []])))
    if (!f || list.length === 0 || list.some(t => !t)) continue
    put(f, [placed(around(b.declarations[0]), list)])
    names.set(n, name)
  }
  for (const { file, list, name, moved, within } of others.values()) put(file, list.map(d => former(d, name, new Map([...moved, ...within]))))
  return names
}
// probing adds the wanted comparisons to files, and returns a program and the types to compare, by key.
function probing(wanted) {
  const places = new Map()
  let i = 0
  for (const [key, w] of wanted) {
    const name = `Probe$${i++}`
    texts.set(w.file, (texts.get(w.file) ?? ts.sys.readFile(w.file)) + '\n' + placed(w.spaces, [`${w.spaces?.length ? 'declare ' : ''}interface ${name}${w.parameters} { o: ${w.old}; n: ${w.now} }`]))
    places.set(key, [w.file, name, w.spaces])
  }
  const prog = ts.createProgram([eo, en], options, host), found = new Map()
  prog.getTypeChecker() // which makes the tables of names
  for (const [key, [file, name, spaces]] of places) {
    const d = localOf(prog.getSourceFile(file), spaces, name)?.declarations?.[0]
    if (d) found.set(key, d.members.map(m => m.type))
  }
  return { prog, found }
}
let result
{
  const first = ts.createProgram([eo, en], options, host)
  result = compare(first, undefined, undefined, !plain)
  if (!plain && result.changed.size) {
    const missing = result.changed, others = new Map()
    let formers, second, before = first, lost
    const original = f => before.getSourceFile(f)
    for (let round = 0; ; round++) {
      formers = standing(missing, others)
      second = ts.createProgram([eo, en], options, host)
      result = compare(second, formers, undefined, true)
      lost = (f, name, known, spaces) => [...result.unknown(localOf(second.getSourceFile(f), spaces, name)?.declarations ?? [])].filter(x => !known.has(x))
      // What a former declaration names, and its file does not have any more, comes along.
      let more = false
      const bring = (f, from, name, known, to, was, spaces) => {
        for (const l of round < 6 ? new Set([...lost(f, name, known, spaces), ...result.hidden(was, f)]) : []) {
          if (to.has(l)) continue
          const list = original(from)?.locals?.get(l)?.declarations ?? []
          if (list.length === 0 || !list.every(d => ts.isTypeAliasDeclaration(d) || ts.isInterfaceDeclaration(d))) continue
          const key = [f, from, l].join(), known = others.get(key) ?? { file: original(f), from, list, name: `former$${others.size}along`, ...result.taken(list, f), within: new Map() }
          others.set(key, known)
          to.set(l, known.name)
          more = true
        }
      }
      for (const [n, name] of formers) {
        const { a, b } = missing.get(n), f = b.declarations[0].getSourceFile().fileName
        if (!along.has(n)) along.set(n, new Map())
        bring(f, a.declarations[0].getSourceFile().fileName, name, missing.get(n).missing, along.get(n), a.declarations, around(b.declarations[0]))
      }
      for (const o of [...others.values()]) bring(o.file.fileName, o.from, o.name, o.missing, o.within, o.list)
      if (!more) break
    }
    // What names something that is not there is compared as it was.
    const bad = new Set()
    for (let size = -1; size !== bad.size;) {
      size = bad.size
      for (const o of others.values()) if (lost(o.file.fileName, o.name, o.missing).length || [...o.within.values()].some(x => bad.has(x))) bad.add(o.name)
    }
    for (const [n, name] of [...formers]) {
      const f = missing.get(n).b.declarations[0].getSourceFile().fileName, taken = along.get(n)
      if (lost(f, name, missing.get(n).missing, around(missing.get(n).b.declarations[0])).length || [...taken.values()].some(x => bad.has(x))) formers.delete(n)
      for (const [l, x] of [...taken]) if (bad.has(x)) taken.delete(l)
    }
    const { prog, found } = probing(compare(second, formers, undefined, true).wanted)
    result = compare(prog, formers, found)
  }
}
const ours = n => /^(?:former|Probe)\$\d+(?:along)?$/.test(n)
console.log(JSON.stringify({ names: result.names.filter(n => !ours(n.name)), changes: result.changes.filter(c => !ours(c.symbol)) }, null, 1))
