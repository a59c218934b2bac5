import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the pages link to, read from Vite's manifest of the browser build. */
export interface ClientManifest {
  /** The entry script. */
  client: string
  css: string[]
  /** Fonts worth fetching before the style sheet is read. */
  fonts: string[]
  /** Finished <link> elements for icons and the web app manifest. */
  icons: string[]
  /** Script files of each island file, its static imports included, by the file's path from its package's root. */
  islands: Record<string, string[]>
  /** Script files of the enhancers. */
  enhancers: string[]
}

interface Chunk {
  file: string
  name?: string
  src?: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
  assets?: string[]
}

/** Reads the manifests of a client build and of its style sheet. `preloadFonts` picks by file name, `icons` are written by the shop. */
export function readManifest(clientDir: string, options: { preloadFonts?: RegExp; icons?: string[] } = {}): ClientManifest {
  const chunks = readChunks(clientDir, 'manifest.json')
  const entry = Object.values(chunks).find((chunk) => chunk.isEntry)
  if (!entry) throw new Error(`No entry in the manifest of ${clientDir}`)
  const styles = existsSync(join(clientDir, '.vite/styles.json')) ? Object.values(readChunks(clientDir, 'styles.json')) : []
  const files = [...new Set(styles.flatMap((chunk) => [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]))].map(
    (file) => `/${file}`,
  )
  const css = files.filter((file) => file.endsWith('.css'))
  const fonts = files.filter((file) => options.preloadFonts?.test(file))
  const withImports = (...paths: (string | undefined)[]) => {
    const found = new Set<string>()
    for (const path of paths) if (path) addWithImports(chunks, path, found)
    found.delete(`/${entry.file}`)
    return [...found]
  }
  const pathOf = (end: string) => Object.keys(chunks).find((path) => path.endsWith(end))
  const islands: ClientManifest['islands'] = {}
  for (const path of Object.keys(chunks)) if (path.endsWith('.island.tsx')) islands[path] = withImports(path, pathOf('/hydrate.tsx'))
  return { client: `/${entry.file}`, css, fonts, icons: options.icons ?? [], islands, enhancers: withImports(pathOf('/enhancers.ts')) }
}

function readChunks(clientDir: string, name: string): Record<string, Chunk> {
  return JSON.parse(readFileSync(join(clientDir, '.vite', name), 'utf8'))
}

function addWithImports(chunks: Record<string, Chunk>, path: string, files: Set<string>): void {
  const chunk = chunks[path]
  if (!chunk || files.has(`/${chunk.file}`)) return
  files.add(`/${chunk.file}`)
  for (const imported of chunk.imports ?? []) addWithImports(chunks, imported, files)
}

/** Files to preload for islands, by their ids (`./cart/x.island.tsx#Name`, `../../ui/src/y.island.tsx#Name`). */
export function islandFiles(manifest: ClientManifest, ids: string[]): string[] {
  const files = new Set<string>()
  for (const id of ids) {
    const path = id.split('#')[0]!.replace(/^(\.\.?\/)+/, '')
    const found = Object.keys(manifest.islands).find((known) => known.endsWith(path))
    for (const file of found ? manifest.islands[found]! : []) files.add(file)
  }
  return [...files]
}
