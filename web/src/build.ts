import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { seeModules, sheetsOfPages } from './page-sheets.ts'

export interface BuildOptions {
  /** Folder of the app, containing `src` and `dist`. */
  app: string
  /** Source folders whose content determines whether a build is up to date. */
  sources: readonly string[]
  /** Browser entry and server entry, from `app`. */
  client: string
  server: string
  /** Script that imports every style; its style sheet is linked by all pages, its script by none. */
  styles?: string
  /** Further scripts of the same kind, by name: each style sheet is linked by the pages that import one of its CSS modules, and by no other. */
  sheets?: Readonly<Record<string, string>>
  /** Module of exported constants, one per line, and types. In the browser each constant travels with the scripts that use it. */
  constants?: string
  /** Static files copied unchanged. */
  publicDir: string
  /** Output folder; by default `dist` of the app. */
  dist?: string
  log?: (line: string) => void
}

/** Builds the browser and server bundles, unless they are up to date. Seconds, not minutes. */
export async function ensureBuilt(options: BuildOptions): Promise<{ built: boolean; version: string }> {
  const dist = options.dist ?? join(options.app, 'dist')
  const version = versionOf(options)
  const stamp = join(dist, 'version')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return { built: false, version }
  options.log?.('Building the pages')
  // Built in a temporary folder and moved at the end: an interrupted or concurrent build never leaves half a build.
  const workshop = join(dist, '..', `.building-${process.pid}`)
  const next = join(workshop, 'dist')
  mkdirSync(next, { recursive: true })
  try {
    await buildAll(options, next)
    writeFileSync(join(next, 'version'), version)
    rmSync(dist, { recursive: true, force: true })
    renameSync(next, dist)
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
  return { built: true, version }
}

async function buildAll(options: BuildOptions, dist: string): Promise<void> {
  // Loaded lazily: a start without a build does not pay for the bundler.
  const { build } = await import('vite')
  const shared = {
    root: options.app,
    configFile: false,
    // A failed build rejects with the full error text.
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    css: { modules: { generateScopedName: (name: string, file: string) => scopedName(options.app, name, file) } },
    oxc: { jsx: { runtime: 'automatic' } },
  } as const
  const browser = {
    outDir: join(dist, 'client'),
    emptyOutDir: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    target: 'baseline-widely-available',
  } as const
  const server = seeModules(join(options.app, options.server))
  const sheets = Object.entries(options.sheets ?? {}).map(([name, entry]) => ({ name, entry, seen: seeModules(entry) }))
  const sheet = (entry: string, manifest: string, seen?: ReturnType<typeof seeModules>) =>
    build({
      ...shared,
      publicDir: false,
      ...(seen && { plugins: [seen.plugin] }),
      build: {
        ...browser,
        manifest,
        // Unused exports would be dropped with their styles; on the server pages use them.
        rolldownOptions: { input: join(options.app, entry), preserveEntrySignatures: 'strict' },
      },
    })
  const builds = await Promise.allSettled([
    build({
      ...shared,
      publicDir: options.publicDir,
      build: {
        ...browser,
        manifest: true,
        modulePreload: false,
        rolldownOptions: { input: join(options.app, options.client) },
      },
      plugins: [withoutPreloads, ...(options.constants === undefined ? [] : [constantsApart(join(options.app, options.constants))])],
    }),
    options.styles && sheet(options.styles, '.vite/styles.json'),
    ...sheets.map(({ name, entry, seen }) => sheet(entry, `.vite/styles-${name}.json`, seen)),
    build({
      ...shared,
      publicDir: false,
      plugins: [server.plugin],
      // One copy of React, in its production build, whatever NODE_ENV is; and a single file to load.
      ssr: { noExternal: true },
      build: {
        ssr: join(options.app, options.server),
        outDir: join(dist, 'server'),
        emptyOutDir: false,
        target: 'node26',
        minify: false,
        rolldownOptions: { output: { entryFileNames: 'bundle.js' } },
      },
    }),
  ])
  // All have finished before the first failure is reported: none keeps writing in the background.
  for (const each of builds) if (each.status === 'rejected') throw each.reason
  const pages = sheetsOfPages(server.pages, Object.fromEntries(sheets.map(({ name, seen }) => [name, seen.styles])))
  writeFileSync(join(dist, 'client/.vite/page-sheets.json'), JSON.stringify(pages))
}

/**
 * Vite wraps each import() in a loader that first fetches what it needs: here it never has a style sheet of its own or a chunk to be
 * fetched early, and the loader is 700 bytes in the script of every page.
 */
export const withoutPreloads = {
  name: 'purlin:without-preloads',
  enforce: 'pre',
  load: (id: string) => (id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load()' : null),
} as const

/**
 * Makes each exported constant of a module a module of its own: a bundler puts a whole module into one file, and the constants of scripts
 * that are loaded later would be in the script of every page.
 */
export const constantsApart = (file: string) => {
  const lineOf = (name: string, code: string) => code.split('\n').find((line) => line.startsWith(`export const ${name}:`)) ?? ''
  return {
    name: 'purlin:constants-apart',
    enforce: 'pre',
    resolveId: (id: string) => (id.startsWith(`${file}?constant=`) ? id : null),
    load(id: string) {
      const [path, name] = id.split('?constant=')
      if (path !== file) return null
      const code = readFileSync(file, 'utf8')
      const names = [...code.matchAll(/^export const (\w+):/gm)].map((match) => match[1])
      const barrel = names.map((each) => `export { ${each} } from ${JSON.stringify(`${file}?constant=${each}`)}\n`).join('')
      return { code: name === undefined ? barrel : lineOf(name, code), moduleType: 'ts', moduleSideEffects: false } as const
    },
  } as const
}

const scopedNames = new Map<string, string>()

/** Four letters and digits, the same in all builds: a list of 48 cards repeats a class a thousand times. (V-100) */
export function scopedName(app: string, name: string, file: string): string {
  const source = `${relative(join(app, '..'), file.split('?')[0] ?? '')} ${name}`
  const digest = createHash('sha256').update(source).digest('base64url').replace(/[-_]/g, '')
  // A class cannot begin with a digit.
  const short = digest.slice(digest.search(/[a-z]/i)).slice(0, 4)
  const other = scopedNames.get(short)
  if (other !== undefined && other !== source) throw new Error(`Two classes would be named ${short}: ${other} and ${source}; rename one`)
  scopedNames.set(short, source)
  return short
}

/** Content hash of everything a build depends on. */
export function versionOf({ sources, app }: Pick<BuildOptions, 'sources' | 'app'>): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    const path = join(app, source)
    if (!existsSync(path)) continue
    for (const file of filesOf(path)) hash.update(relative(app, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .filter((name) => name !== 'node_modules' && name !== 'dist' && !name.includes('.test.'))
    .flatMap((name) => filesOf(join(path, name)))
}
