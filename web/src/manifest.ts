import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The assets that pages link to, read from Vite's manifests of the browser build. */
export interface ClientManifest {
  /** The script: one file for all pages. */
  client: string
  css: string[]
  /** Further style sheets, by the file of the page that needs them. */
  pageCss?: Readonly<Record<string, readonly string[]>>
  /** Fonts to preload before the style sheet is parsed. */
  fonts: string[]
  /** Finished <link> elements for icons and the web app manifest. */
  icons: string[]
}

interface Chunk {
  file: string
  isEntry?: boolean
  css?: string[]
  assets?: string[]
}

/** Reads the manifests of a client build and of its style sheet. `preloadFonts` selects by file name, `icons` come from the shop. */
export function readManifest(clientDir: string, options: { preloadFonts?: RegExp; icons?: string[] } = {}): ClientManifest {
  const entry = readChunks(clientDir, 'manifest.json').find((chunk) => chunk.isEntry)
  if (!entry) throw new Error(`No entry in the manifest of ${clientDir}`)
  const files = filesOf(clientDir, 'styles.json')
  return {
    client: `/${entry.file}`,
    css: files.filter(isCss),
    pageCss: pageCssIn(clientDir),
    fonts: files.filter((file) => options.preloadFonts?.test(file)),
    icons: options.icons ?? [],
  }
}

const isCss = (file: string) => file.endsWith('.css')

/** Addresses of all files of a style sheet, fonts included. */
function filesOf(clientDir: string, manifest: string): string[] {
  if (!existsSync(join(clientDir, '.vite', manifest))) return []
  const chunks = readChunks(clientDir, manifest)
  return [...new Set(chunks.flatMap((chunk) => [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]))].map((file) => `/${file}`)
}

function pageCssIn(clientDir: string): Record<string, string[]> {
  const path = join(clientDir, '.vite/page-sheets.json')
  if (!existsSync(path)) return {}
  const pages: Record<string, string[]> = JSON.parse(readFileSync(path, 'utf8'))
  const css = (name: string) => filesOf(clientDir, `styles-${name}.json`).filter(isCss)
  return Object.fromEntries(Object.entries(pages).map(([file, names]) => [file, names.flatMap(css)]))
}

function readChunks(clientDir: string, name: string): Chunk[] {
  return Object.values(JSON.parse(readFileSync(join(clientDir, '.vite', name), 'utf8')))
}
