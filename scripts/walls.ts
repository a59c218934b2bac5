/**
 * Rules that no lint rule can express: the order of the server's modules, the tables used by a module's SQL, import cycles,
 * the length of files. `checkWalls(folder)` returns one sentence per violation.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { floors, moduleFolders, modules } from '@purlin/server/modules.ts'
import { filesBelow, root, sourceFolders } from './find-tests.ts'

const longest = 400
/** Modules open to every module, wherever it is in the order. */
const ground = new Set(['platform', 'events'])
/** Folders that join all modules and are used by none. */
const joints = new Set(['gateway', 'worker', 'generated'])
const importing =
  /(?:^|\n)\s*(?:import|export)\s[^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*?)?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g

/** Tests and test helpers. */
const isTest = /\.test\.tsx?$|\/test-[a-z-]+\.ts$|testing\.ts$/

export interface Source {
  /** Path relative to the root of the sources. */
  path: string
  text: string
}

export function readSources(): Source[] {
  const top = ['start.ts'].filter((file) => existsSync(join(root, file)))
  return [...top, ...sourceFolders.flatMap((folder) => filesBelow(folder, /\.(ts|tsx|mjs)$/))].map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }))
}

export function checkWalls(sources: readonly Source[]): string[] {
  return [
    ...sources.flatMap((source) => [
      ...tooLong(source),
      ...misplaced(source),
      ...outOfOrder(source),
      ...foreignTables(source),
      ...pricesWithoutHistory(source),
      ...readsEnvironment(source),
      ...castsAnswer(source),
      ...actsOfOthers(source),
      ...unaskedForms(source),
      ...decidesRights(source),
      ...untypedResolvers(source),
    ]),
    ...cycles(sources),
  ]
}

function importsOf({ text }: Source): string[] {
  return [...text.matchAll(importing)].map(([, a, b, c]) => a ?? b ?? c ?? '')
}

function tooLong({ path, text }: Source): string[] {
  const lines = text.split('\n').length - 1
  const isExcepted = /\.test\.tsx?$|\/data\/|\/generated\/|\/fixtures\//.test(path)
  return lines > longest && !isExcepted ? [`${path}: ${lines} lines, at most ${longest}`] : []
}

function moduleOf(path: string): string | undefined {
  return /^server\/src\/[a-z-]+\/([a-z-]+)\//.exec(path)?.[1]
}

/** "cart" → "selling/cart". */
function folderOf(face: string): string {
  return moduleFolders.find((folder) => folder.endsWith(`/${face}`)) ?? `foundation/${face}`
}

/** Every folder of `server/src` is a floor, and every folder of a floor a module listed there in `modules.ts`. */
function misplaced({ path }: Source): string[] {
  const [floor, name] = /^server\/src\/([a-z-]+)\/([a-z-]+)\//.exec(path)?.slice(1) ?? []
  if (!floor || !name) return []
  if (floor === 'edges' ? joints.has(name) : floor === 'foundation' && ground.has(name)) return []
  const listed = (floors as Record<string, readonly string[]>)[floor]
  return listed?.includes(name) ? [] : [`${path}: modules.ts lists no module ${name} on floor ${floor}`]
}

/** A module uses the public interfaces of those before it, by name; its own files by path; no other files. */
function outOfOrder(source: Source): string[] {
  const { path } = source
  const own = moduleOf(path)
  if (!own) return []
  const place = (modules as readonly string[]).indexOf(own)
  const problems: string[] = []
  for (const target of importsOf(source)) {
    const face = /^#([a-z-]+)/.exec(target)?.[1]
    if (face && !ground.has(face)) {
      const other = (modules as readonly string[]).indexOf(face)
      if (ground.has(own)) problems.push(`${path}: ${own} is the ground of the modules and uses none (${target})`)
      else if (face === own) problems.push(`${path}: a module uses its own files by path (${target})`)
      // A test may import a later module to check its own totals there.
      else if (place >= 0 && other >= place && !isTest.test(path))
        problems.push(`${path}: ${own} stands before ${face} in modules.ts and may not use it`)
    }
    if (!target.startsWith('.')) continue
    const into = moduleOf(relative(root, resolve(root, dirname(path), target)).replaceAll('\\', '/'))
    if (!into || into === own || joints.has(own)) continue
    // Imports that the gateway and the worker provide to edges do not belong to a module.
    if (isTest.test(path) || (joints.has(into) && /\/(rest|jobs|graphql)\.ts$/.test(path))) continue
    problems.push(`${path}: another module is used by its face, not by path (${target})`)
  }
  return problems
}

/** SQL uses only the tables of its own schema. */
function foreignTables({ path, text }: Source): string[] {
  const own = moduleOf(path)
  if (!own || !(modules as readonly string[]).includes(own) || isTest.test(path)) return []
  const problems = new Set<string>()
  for (const [, schema] of text.matchAll(/\b(?:from|join|into|update|using)\s+(?:only\s+)?([a-z_]+)\.[a-z_]+\b/g)) {
    if (schema && schema !== own && ((modules as readonly string[]).includes(schema) || schema === 'platform'))
      problems.add(`${path}: SQL on a table of ${schema}`)
  }
  return [...problems]
}

/** The only statement that updates a price also writes its history; offers are inserted together with their first price. */
function pricesWithoutHistory({ path, text }: Source): string[] {
  if (path.endsWith('/catalogue/write-price.ts') || path.startsWith('scripts/walls')) return []
  const updates = [...text.matchAll(/\bupdate\s+(?:only\s+)?catalogue\.offer\b[^;`]*?\bset\b([^;`]*?)(?:\bwhere\b|\bfrom\b|['`;]|$)/gi)]
  const problems = updates
    .filter(([, columns]) => /\b(?:pro_)?price\s*=/i.test(columns ?? ''))
    .map(() => `${path}: prices are updated by catalogue/write-price.ts, which writes their history (V-23)`)
  if (/\binto\s+catalogue\.offer\b/i.test(text) && !/\binto\s+catalogue\.price_history\b/i.test(text))
    problems.push(`${path}: offers are inserted without their price history (V-23)`)
  return problems
}

/** The shop's settings are parsed in one file. Tools that test, measure or bootstrap the shop are exempt, as is what is loaded before any TypeScript. */
function readsEnvironment({ path, text }: Source): string[] {
  if (path === 'server/src/foundation/platform/settings.ts' || isTest.test(path) || /(?:^|-)for-tests\.ts$/.test(path)) return []
  if (/^(?:e2e|bench|search\/(?:fuzz|conformance)|scripts\/(?:bootstrap|ensure-chromium|relevance|run-tests)|start\/compiled)\b/.test(path))
    return []
  const reads =
    /(?<!['"`])\bprocess(?:\.env\b|\[['"]env)|\benv\b[^=\n]*\}\s*=\s*process\b|import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*['"](?:node:)?process/
  return reads.test(text) ? [`${path}: the environment is read in platform/settings.ts alone`] : []
}

/** Functions with which one module directs another, and the process manager that alone may call them (decision 017). */
const acts = {
  checkout: [
    'moveOrder',
    'moveAndReadOrder',
    'reopenPlaced',
    'writePlaced',
    'reserveStock',
    'releaseStock',
    'redeemCoupon',
    'releaseCoupon',
    'removeBoughtLines',
    'requestPayment',
    'abandonPayment',
    'bookLater',
    'captureEntries',
  ],
}

/** Orders, stock, cart, coupon, ledger and payments are changed by checkout; other modules report events. */
function actsOfOthers(source: Source): string[] {
  const own = moduleOf(source.path)
  if (!own || isTest.test(source.path)) return []
  return Object.entries(acts).flatMap(([manager, names]) =>
    own === manager
      ? []
      : [...source.text.matchAll(/import\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'#[a-z-]+'/g)]
          .flatMap(([, imported]) => (imported ?? '').split(',').map((name) => name.trim()))
          .filter((name) => names.includes(name))
          .map((name) => `${source.path}: only ${manager} may call ${name}`),
  )
}

/** The type of a response is inferred from its document, never restated by a type argument or a cast. */
function castsAnswer({ path, text }: Source): string[] {
  if (!/^storefront\/src\/(?!server\/|testing\/|generated\/|session\/graphql-client\.ts)/.test(path) || isTest.test(path)) return []
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|^import[\s\S]*?from [^\n]*$/gm, '')
  const isPage = /-page\.tsx$|\/load-[a-z-]+\.ts$/.test(path)
  const told = [
    /\b(?:client\s*\.(?:query|mutate)|ask)\s*</,
    /(?:client\s*\.(?:query|mutate)|\bask)\((?:(?!\n\s*(?:const|return|if|export|function|\}))[\s\S])*?\)\s+as\s+(?!const\b)/,
  ]
  // Pages use no casts, except for composed message keys.
  const asserted = /\bas\s+(?!const\b|MessageKey\b|Exclude<typeof)(?:unknown\b|never\b|[A-Z{(])/
  return told.some((pattern) => pattern.test(code)) || (isPage && path !== 'storefront/src/errors/error-page.tsx' && asserted.test(code))
    ? [`${path}: what a document answers is known from it and is not cast`]
    : []
}

/** Forms of the shop: an action is made by `formAction` with a schema, and a posted field is named by that schema. */
function unaskedForms({ path, text }: Source): string[] {
  if (!path.startsWith('storefront/src/') || isTest.test(path)) return []
  const action = /export\s+(?:async\s+)?function\s+action\b|export\s+const\s+action\b(?!\s*=\s*(?:formAction\(|\w+Action\b))/.test(text)
    ? [`${path}: the action of a page is made by formAction, with the schema of its form`]
    : []
  if (!text.includes('method="post"')) return action
  const named = [...text.replaceAll(/<Icon\b[^>]*>/g, '').matchAll(/\s(name|submitAs)=(?:"([^"]+)"|\{\s*["'`]([^"'`]+)["'`]\s*\})/g)]
  return [
    ...action,
    ...named.map(([, , one, other]) => `${path}: the field ${one ?? other} is not named by the schema of its form (namesOf, fieldsOf)`),
  ]
}

/** Permissions are decided by `authorize`: no other code compares owners or checks the kind of principal. Prices may check for a company. */
function decidesRights({ path, text }: Source): string[] {
  if (!path.startsWith('server/src/') || isTest.test(path) || /\/people\/accounts\/|\/pricing\/tax-mode\.ts$/.test(path)) return []
  const found = /\bprincipal\??\.(?:kind|roles?)\b|\.owner\s*[!=]==|[!=]==\s*\w+\.owner\b/.exec(text)
  return found ? [`${path}: authorize() of #accounts decides rights, not "${found[0]}" (V-51)`] : []
}

/** The contract types every resolver: arguments and result. */
function untypedResolvers({ path, text }: Source): string[] {
  if (!/^server\/src\/[a-z-]+\/[a-z-]+\/graphql\.ts$/.test(path)) return []
  return /^\} satisfies Resolvers$/m.test(text) ? [] : [`${path}: resolvers satisfy the generated type Resolvers (V-50)`]
}

/** Import cycles within a package, types included: one file must be readable without reading all. */
function cycles(sources: readonly Source[]): string[] {
  const known = new Map(sources.map((source) => [source.path, source]))
  const state = new Map<string, 'open' | 'done'>()
  const problems: string[] = []
  const targets = (source: Source) =>
    importsOf(source).flatMap((target) => {
      const face = /^#([a-z-]+)$/.exec(target)?.[1]
      if (face) return [`server/src/${folderOf(face)}/index.ts`]
      const named = /^@purlin\/([a-z]+)\/(.+)$/.exec(target)
      if (named) return [`${named[1]}/src/${named[2]}`]
      return target.startsWith('.') ? [relative(root, resolve(root, dirname(source.path), target)).replaceAll('\\', '/')] : []
    })
  const visit = (path: string, trail: string[]) => {
    const source = known.get(path)
    if (!source || state.get(path) === 'done') return
    if (state.get(path) === 'open') {
      problems.push(`a circle of imports: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`)
      return
    }
    state.set(path, 'open')
    for (const target of targets(source)) visit(target, [...trail, path])
    state.set(path, 'done')
  }
  for (const { path } of sources) visit(path, [])
  return problems
}

if (import.meta.main) {
  const problems = checkWalls(readSources())
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.exit(problems.length ? 1 : 0)
}
