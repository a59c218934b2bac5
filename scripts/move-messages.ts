/**
 * For branches from before there was one catalogue: moves messages in storefront/src/messages/<area>.<language>.json
 * to words/messages/<language>/<area>.json, fixes the imports, and runs the generator. Numeric arguments must then be typed by hand
 * (`{count, number}`); the compiler lists them.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow, root } from './find-tests.ts'

for (const path of filesBelow('storefront/src/messages', /\.json$/)) {
  const [, area, language] = /([\w-]+)\.(\w+)\.json$/.exec(path) ?? []
  const to = join(root, 'words/messages', String(language), `${area}.json`)
  const read = (from: string): Record<string, string> => (existsSync(from) ? JSON.parse(readFileSync(from, 'utf8')) : {})
  writeFileSync(to, `${JSON.stringify({ ...read(to), ...read(join(root, path)) }, null, 2)}\n`)
  process.stdout.write(`${path} → ${to}\n`)
}
rmSync(join(root, 'storefront/src/messages'), { recursive: true, force: true })

for (const path of filesBelow('storefront/src', /\.tsx?$/)) {
  const before = readFileSync(join(root, path), 'utf8')
  const after = before
    .replace(/import type \{ Translate \} from '@purlin\/web\/i18n\.ts'\n/, '')
    .replaceAll('Translate<MessageKey>', "ShopContext['t']")
    .replace(/import type \{ MessageKey \} from '[./]*messages\/keys\.ts'/, "import type { PlainKey } from '@purlin/words/catalogues.ts'")
  if (after === before) continue
  writeFileSync(join(root, path), after.replaceAll(/\bMessageKey\b/g, 'PlainKey'))
  process.stdout.write(`${path}\n`)
}
await import('./generate.ts')
