import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { environment } from '@purlin/server/foundation/platform/environment.ts'
import { readSettings } from '@purlin/server/foundation/platform/settings.ts'
import { root } from './find-tests.ts'

const example = parseEnv(readFileSync(join(root, '.env.example'), 'utf8')) as Record<string, string>
test('.env.example names every setting of the schema, and no others', () => {
  assert.deepEqual(Object.keys(example).toSorted(), Object.keys(environment.entries).toSorted())
})

test('copied unchanged, .env.example gives the default settings', () => {
  assert.deepEqual({ ...readSettings(example, []), hosts: null }, { ...readSettings({}, []), hosts: null })
})
