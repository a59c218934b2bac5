import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

/** All browser code for sessions and calls, as shipped, in one file. */
async function sizeOf(...modules: string[]): Promise<number> {
  const entry = modules.map(
    (file, index) => `import * as m${index} from ${JSON.stringify(join(import.meta.dirname, file))};globalThis.m${index}=m${index}`,
  )
  const plugin = {
    name: 'entry',
    resolveId: (id: string) => (id === 'entry' ? '\0entry' : null),
    load: (id: string) => (id === '\0entry' ? entry.join('\n') : null),
  }
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [plugin],
    build: { write: false, target: 'baseline-widely-available', modulePreload: false, rolldownOptions: { input: 'entry' } },
  })) as Rolldown.RolldownOutput
  return gzipSync(built.output[0].code).length
}

test('the session client, with the API and GraphQL clients, is at most 3 KB', async () => {
  const size = await sizeOf('session-client.ts', 'auth-state.ts', 'api-client.ts', 'graphql-client.ts')
  assert.ok(size <= 3072, `${size} bytes, minified and gzipped`)
  assert.ok(size > 1000, 'it is in there')
})
