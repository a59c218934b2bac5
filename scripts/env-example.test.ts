import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { readSettings } from '@purlin/server/foundation/platform/settings.ts'
import { filesBelow, root } from './find-tests.ts'

const example = parseEnv(readFileSync(join(root, '.env.example'), 'utf8')) as Record<string, string>
/** Said by one of our processes to another, by the operating system or by Node. */
const inner = new Set(['PATH', 'NODE_ENV', 'NODE_TEST_CONTEXT', 'PURLIN_PAGES', 'PURLIN_ROLE'])

test('.env.example names every setting the shop reads, and none that nobody reads', () => {
  const read = new Set<string>()
  for (const folder of ['start', 'server/src', 'services/src', 'storefront/src', 'search/src', 'demo/src']) {
    for (const file of filesBelow(folder, /(?<!\.test)\.tsx?$/)) {
      const text = readFileSync(join(root, file), 'utf8')
      // `env.PORT`, `env['PORT']`, and names handed to a reader: `needed(env, 'STRIPE_SECRET_KEY')`.
      for (const [, name = ''] of text.matchAll(/\benv(?:\.|\[['"]|, ['"])([A-Z][A-Z_]+)\b/g)) if (!inner.has(name)) read.add(name)
    }
  }
  assert.deepEqual(Object.keys(example).sort(), [...read].sort())
})

test('copied as it is, .env.example gives the settings of a shop without it', () => {
  assert.deepEqual({ ...readSettings(example, []), hosts: null }, { ...readSettings({}, []), hosts: null })
})
