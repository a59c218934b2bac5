/**
 * Moves messages written as storefront/src/messages/<area>.<language>.json to words/messages/<language>/<area>.json, into the
 * area's file if there is one, and generates anew: for branches that began before there was one catalogue.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow, root } from './find-tests.ts'

for (const path of filesBelow('storefront/src/messages', /\.json$/)) {
  const [, area, language] = /([\w-]+)\.(\w+)\.json$/.exec(path) ?? []
  const to = join(root, 'words/messages', String(language), `${area}.json`)
  const read = (from: string): Record<string, string> => (existsSync(from) ? JSON.parse(readFileSync(from, 'utf8')) : {})
  writeFileSync(to, `${JSON.stringify({ ...read(to), ...read(join(root, path)) }, null, 2)}\n`)
  rmSync(join(root, path))
  process.stdout.write(`${path} → ${to}\n`)
}
await import('./generate.ts')
