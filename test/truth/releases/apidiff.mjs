// apidiff.mjs OLD NEW: prints as JSON what changed between two unpacked npm packages, decided by TypeScript's own
// assignability. Needs `typescript` in NODE_PATH.
// value export: breaking unless typeof new is assignable to typeof old.
// type export:  same (both ways) | narrowed | widened | incompatible; all but "same" are breaking for somebody,
//               "added optional member only" counts as compatible (new assignable to old AND old assignable to new).
import { createRequire } from 'node:module'
import fs from 'node:fs'
import path from 'node:path'
const ts = createRequire(path.join(process.env.NODE_PATH, 'x.js'))('typescript')
const [od, nd, entryArg] = process.argv.slice(2)
function entry(dir) {
  if (entryArg) return path.join(dir, entryArg)
  const p = JSON.parse(fs.readFileSync(path.join(dir, 'package.json')))
  const pick = x => { if (!x) return; if (typeof x === 'string') return /\.d\.[mc]?ts$/.test(x) ? x : undefined; for (const k of ['types', 'import', 'require', 'node', 'default', '.']) { const r = pick(x[k]); if (r) return r } }
  const c = [p.types, p.typings, pick(p.exports && (p.exports['.'] ?? p.exports)), 'index.d.ts', (p.main ?? 'index.js').replace(/\.[mc]?js$/, '.d.ts')]
  for (const f of c) if (f) for (const g of [f, f + '.d.ts', path.join(f, 'index.d.ts')]) { const q = path.join(dir, g); if (fs.existsSync(q) && fs.statSync(q).isFile()) return q }
}
const eo = entry(od), en = entry(nd)
if (!eo || !en) { console.error('no types entry', eo, en); process.exit(1) }
const t0 = process.cpuUsage()
const prog = ts.createProgram([eo, en], { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, strict: true, skipLibCheck: true, noEmit: true, types: [], lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], esModuleInterop: true })
const ck = prog.getTypeChecker()
function exps(f) {
  const sf = prog.getSourceFile(f), m = new Map()
  if (!sf?.symbol) return m
  for (const s of ck.getExportsOfModule(sf.symbol)) m.set(s.name, s.flags & ts.SymbolFlags.Alias ? ck.getAliasedSymbol(s) : s)
  const eq = sf.symbol.exports.get('export='); if (eq) m.set('export=', eq.flags & ts.SymbolFlags.Alias ? ck.getAliasedSymbol(eq) : eq)
  return m
}
const A = exps(eo), B = exps(en), changes = []
const at = (s, dir) => { const d = s?.declarations?.[0]; if (!d) return; const sf = d.getSourceFile(); return path.relative(dir, sf.fileName) + ':' + (sf.getLineAndCharacterOfPosition((d.name ?? d).getStart(sf)).line + 1) }
const text = s => { try { return (s.declarations ?? []).map(d => d.getText().replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/\s+/g, ' ')).join(' ; ') } catch { return '' } }
const add = (symbol, kind, breaking, detail, a, b) => changes.push({ symbol, kind, breaking, message: `${symbol}: ${detail}`, old_pos: at(a, od), new_pos: at(b, nd) })
let same = 0, textOnly = 0
// A change counts only where the declaration's own text changed (comments and spaces apart); a type that is
// merely made of changed types is not reported again. Private members are left out.
const priv = d => (ts.getCombinedModifierFlags(d) & ts.ModifierFlags.Private) || (d.name && ts.isPrivateIdentifier(d.name))
const typeOf = s => ck.getTypeOfSymbol(s)
function rel2(x, y) { const f = ck.isTypeAssignableTo(y, x), r = ck.isTypeAssignableTo(x, y); return f && r ? 'same' : f ? 'narrowed' : r ? 'widened' : 'incompatible' }
const isMemberful = s => (s.declarations ?? []).some(d => ts.isClassLike(d) || ts.isInterfaceDeclaration(d) || (ts.isTypeAliasDeclaration(d) && ts.isTypeLiteralNode(d.type)) || ts.isEnumDeclaration(d))
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
const norm = ds => ds.map(d => d.getText().replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:])\/\/.*$/gm, '$1').replace(/\b(export|declare|default)\b/g, '').replace(/\s+/g, '').replace(/[;,]/g, '')).join('|')
for (const [n, a] of A) {
  const b = B.get(n)
  if (!b) { add(n, 'removed', true, 'removed', a); continue }
  const da = a.declarations ?? [], db = b.declarations ?? []
  if (norm(da) === norm(db)) { same++; continue }
  if ((a.flags & ts.SymbolFlags.Value) && !(b.flags & ts.SymbolFlags.Value)) { add(n, 'changed', true, 'no longer a value', a, b); continue }
  if ((a.flags & ts.SymbolFlags.Type) && !(b.flags & ts.SymbolFlags.Type)) { add(n, 'changed', true, 'no longer a type', a, b); continue }
  let hit = 0
  if (isMemberful(a) && isMemberful(b)) {
    const ma = members(a), mb = members(b)
    const cls = da.some(ts.isClassLike)
    for (const [k, x] of ma) {
      const y = mb.get(k)
      if (!y) {
        const inherited = cls && ck.getDeclaredTypeOfSymbol(b).getProperty?.(k)
        if (!inherited) { hit++; add(`${n}.${k}`, 'removed', true, 'removed', { declarations: x }, b) }
        continue
      }
      if (norm(x) === norm(y)) continue
      const sx = x[0].symbol, sy = y[0].symbol
      const oa = !!x[0].questionToken, ob = !!y[0].questionToken
      let r = sx && sy && k !== 'constructor' && k !== '[]' && k !== '()' ? rel2(typeOf(sx), typeOf(sy)) : 'incompatible'
      if (r === 'same' && oa === ob) { textOnly++; continue }
      hit++
      const fnLike = ts.isMethodDeclaration(x[0]) || ts.isMethodSignature(x[0])
      const ok = (fnLike && r === 'narrowed') // the new method can stand where the old one was used
      add(`${n}.${k}`, 'changed', !ok, `changed (${r}${oa !== ob ? ob ? ', now optional' : ', now required' : ''})`, { declarations: x }, { declarations: y })
    }
    for (const [k, y] of mb) if (!ma.has(k)) {
      hit++
      const req = !cls && !y[0].questionToken && !ts.isCallSignatureDeclaration(y[0])
      add(`${n}.${k}`, 'added', false, req ? 'added, required (breaks implementers)' : 'added', undefined, { declarations: y })
    }
    const np = ds => (ds.find(d => d.typeParameters)?.typeParameters ?? []).map(p => p.getText().replace(/'/g, '"').replace(/\s+/g, '')).join(',')
    if (np(da) !== np(db)) { hit++; add(n, 'changed', true, `type parameters <${np(da)}> -> <${np(db)}>`, a, b) }
    if (!hit) textOnly++
    continue
  }
  let r, t0c = Date.now()
  if (a.flags & ts.SymbolFlags.Value) r = rel2(typeOf(a), typeOf(b))
  else { const pa = da.find(d => d.typeParameters)?.typeParameters?.length ?? 0, pb = db.find(d => d.typeParameters)?.typeParameters?.length ?? 0; r = pa !== pb ? 'type parameters differ' : rel2(ck.getDeclaredTypeOfSymbol(a), ck.getDeclaredTypeOfSymbol(b)) }
  if (r === 'same') { textOnly++; continue }
  add(n, 'changed', !((a.flags & ts.SymbolFlags.Value) && r === 'narrowed'), `changed (${r})`, a, b)
}
for (const [n, b] of B) if (!A.has(n)) add(n, 'added', false, 'added', undefined, b)
const u = process.cpuUsage(t0)
console.log(JSON.stringify({ names: [...new Set([...A.keys(), ...B.keys()])], old_exports: A.size, new_exports: B.size, breaking: changes.filter(c => c.breaking).length, compatible: changes.filter(c => !c.breaking).length, identical: same, text_changed_but_equivalent: textOnly, changes, cpu_s: +((u.user + u.system) / 1e6).toFixed(1) }, null, 1))
