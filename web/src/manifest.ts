import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The assets that pages link to, read from Vite's manifests of the browser build. */
export interface ClientManifest {
  /** The script: one file for all pages. */
  client: string
  css: string[]
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
  const styles = existsSync(join(clientDir, '.vite/styles.json')) ? readChunks(clientDir, 'styles.json') : []
  const files = [...new Set(styles.flatMap((chunk) => [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]))].map(
    (file) => `/${file}`,
  )
  return {
    client: `/${entry.file}`,
    css: files.filter((file) => file.endsWith('.css')),
    fonts: files.filter((file) => options.preloadFonts?.test(file)),
    icons: options.icons ?? [],
  }
}

function readChunks(clientDir: string, name: string): Chunk[] {
  return Object.values(JSON.parse(readFileSync(join(clientDir, '.vite', name), 'utf8')))
}
