import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSources } from './walls.ts'

/** Postgres keeps prepared statements by name: the second of a name fails at its first use on a connection that knows the first. */
function repeated(sources: readonly { path: string; text: string }[]): string[] {
  const places = new Map<string, string[]>()
  for (const { path, text } of sources)
    for (const [, name = ''] of text.matchAll(/\bname: '([a-z-]+\.[\w.-]+)',\s+text:/g))
      places.set(name, [...(places.get(name) ?? []), path])
  return [...places].filter(([, paths]) => paths.length > 1).map(([name, paths]) => `${name}: ${paths.join(', ')}`)
}

test('no two statements of the server have one name', () => {
  const server = readSources().filter(({ path }) => path.startsWith('server/src/') && !path.endsWith('.test.ts'))
  assert.ok(server.length > 500, `${server.length} files`)
  assert.deepEqual(repeated(server), [])
})

test('a name that is used twice is found', () => {
  const text = `const page = {\n  name: 'orders.page',\n  text: 'select 1',\n}`
  assert.deepEqual(
    repeated([
      { path: 'a.ts', text },
      { path: 'b.ts', text },
    ]),
    ['orders.page: a.ts, b.ts'],
  )
})
