import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHtmlCache, type CachedPage, type Filled } from './html-cache.ts'

function pageOf(text: string, bytes = 0): CachedPage {
  return { body: Buffer.from(text.padEnd(bytes)), encoding: 'brotli', etag: text, headers: [] }
}
const keep = (text: string, tags: string[] = [], bytes = 0): Filled => ({ page: pageOf(text, bytes), tags, seconds: 10, stale: 20 })
const give =
  (text: string, tags: string[] = [], bytes = 0) =>
  async () => ({ result: text, keep: keep(text, tags, bytes) })

test('a page is cached, first fresh, then stale with one revalidation, then expired', async () => {
  let time = 0
  const cache = createHtmlCache({ now: () => time })
  await cache.fill('a', give('one'))
  assert.equal(cache.get('a')?.revalidate, false)
  time = 10_000
  assert.equal(cache.get('a')?.revalidate, true)
  assert.equal(cache.get('a')?.page.etag, 'one')
  time = 30_000
  assert.equal(cache.get('a'), null)
})

test('many concurrent requests cost one rendering', async () => {
  const cache = createHtmlCache()
  let made = 0
  const fill = async () => {
    made++
    await new Promise((resolve) => setTimeout(resolve, 5))
    return { result: made, keep: keep('x') }
  }
  const answers = await Promise.all(Array.from({ length: 50 }, () => cache.fill('a', fill)))
  assert.equal(made, 1)
  assert.deepEqual(new Set(answers), new Set([1]))
})

test('while a stale page is being revalidated, no other request revalidates it', async () => {
  let time = 0
  const cache = createHtmlCache({ now: () => time })
  await cache.fill('a', give('one'))
  time = 15_000
  const { promise, resolve } = Promise.withResolvers<{ result: string; keep: Filled }>()
  const flight = cache.fill('a', () => promise)
  assert.equal(cache.get('a')?.revalidate, false)
  resolve({ result: 'two', keep: keep('two') })
  await flight
  assert.equal(cache.get('a')?.page.etag, 'two')
})

test('a failed rendering is not cached, and the next request retries', async () => {
  const cache = createHtmlCache()
  await assert.rejects(
    cache.fill('a', async () => {
      throw new Error('no')
    }),
    /no/,
  )
  assert.equal(cache.get('a'), null)
  assert.equal(await cache.fill('a', give('yes')), 'yes')
})

test('a purge evicts every page with the tag and no other', async () => {
  const cache = createHtmlCache()
  await cache.fill('a', give('a', ['product:1', 'listing']))
  await cache.fill('b', give('b', ['product:2', 'listing']))
  cache.alias('/raw', 'a')
  assert.equal(cache.byAlias('/raw')?.page.etag, 'a')
  assert.equal(cache.purge(['product:1']), 1)
  assert.equal(cache.get('a'), null)
  assert.equal(cache.byAlias('/raw'), null)
  assert.ok(cache.get('b'))
  assert.equal(cache.purge(['listing', 'nothing']), 1)
  assert.deepEqual([cache.stats().entries, cache.stats().bytes], [0, 0])
})

test('a page purged while being rendered is not cached: it may be outdated', async () => {
  const cache = createHtmlCache()
  const { promise, resolve } = Promise.withResolvers<void>()
  const flight = cache.fill('a', async () => {
    await promise
    return { result: 'old', keep: keep('old', ['product:1']) }
  })
  cache.purge(['product:1'])
  resolve()
  assert.equal(await flight, 'old')
  assert.equal(cache.get('a'), null)
  await cache.fill('a', give('new', ['product:1']))
  assert.equal(cache.get('a')?.page.etag, 'new')
})

test('clearing also discards pages being rendered', async () => {
  const cache = createHtmlCache()
  const { promise, resolve } = Promise.withResolvers<void>()
  const flight = cache.fill('a', async () => {
    await promise
    return { result: 'old', keep: keep('old') }
  })
  cache.clear()
  resolve()
  await flight
  assert.equal(cache.get('a'), null)
})

test('memory is bounded: the least recently used page is evicted first', async () => {
  const cache = createHtmlCache({ maximumBytes: 10_000 })
  await cache.fill('a', give('a', ['t'], 2500))
  await cache.fill('b', give('b', ['t'], 2500))
  cache.get('a')
  await cache.fill('c', give('c', ['t'], 2500))
  assert.equal(cache.get('b'), null)
  assert.ok(cache.get('a'))
  assert.ok(cache.get('c'))
  assert.ok(cache.stats().bytes <= 10_000)
  await cache.fill('huge', give('huge', [], 50_000))
  assert.equal(cache.get('huge'), null, 'a page larger than the cache is not kept')
})

test('once the cache is full, a page is cached when it is requested more often than the one it would evict', async () => {
  let time = 0
  const cache = createHtmlCache({ maximumBytes: 10_000, now: () => time })
  const visit = async (key: string) => {
    // Each second there is one.
    time += 1000
    if (cache.get(key)) return
    cache.request(key)
    if (cache.admits(key)) await cache.fill(key, give(key, [], 2000))
  }
  const times = async (count: number, key: string) => {
    for (let time = 0; time < count; time++) await visit(key)
  }
  for (const [count, key] of [
    [2, 'first'],
    [5, 'popular'],
    [4, 'second'],
  ] as const)
    await times(count, key)
  assert.equal(cache.stats().entries, 3, 'while there is room, the second request suffices')
  await times(2, 'tail')
  assert.equal(cache.get('tail'), null)
  await times(1, 'tail')
  assert.ok(cache.get('tail'), 'more often than the page used longest ago')
  assert.equal(cache.get('first'), null)
  for (const tail of ['a', 'b', 'c', 'd', 'e']) await times(3, tail)
  assert.ok(cache.get('popular'), 'many pages that few want evict none that many want')
})

test('V-13 pages that a stranger requests all the time reserve no memory: the eighth request for another one is always enough', async () => {
  let time = 0
  const cache = createHtmlCache({ maximumBytes: 10_000, now: () => time })
  const visit = async (key: string) => {
    time += 15
    if (cache.get(key)) return true
    cache.request(key)
    if (cache.admits(key)) await cache.fill(key, give(key, [], 2000))
    return false
  }
  for (const junk of ['a', 'b', 'c']) for (let time = 0; time < 500; time++) await visit(junk)
  const served = []
  for (let time = 0; time < 9; time++) served.push(await visit('real'))
  assert.deepEqual(served, [...Array(8).fill(false), true])
})

test('V-13 of the requests for a cached page one a second is counted: nobody makes it popular with a flood of them', async () => {
  let time = 0
  const cache = createHtmlCache({ maximumBytes: 10_000, now: () => time })
  const visit = async (key: string) => {
    if (cache.get(key)) return
    cache.request(key)
    if (cache.admits(key)) await cache.fill(key, give(key, [], 2000))
  }
  for (const key of ['flooded', 'other', 'third']) for (let each = 0; each < 2; each++) await visit(key)
  for (let each = 0; each < 1000; each++) {
    time += 1
    cache.get('flooded')
  }
  for (const key of ['other', 'third']) cache.get(key)
  // Requested twice before it was cached, and counted once since.
  for (let each = 0; each < 3; each++) await visit('wanted')
  assert.equal(cache.get('wanted'), null)
  await visit('wanted')
  assert.ok(cache.get('wanted'))
})

test('a page that is gone is evicted; one whose revalidation failed is still served', async () => {
  const cache = createHtmlCache()
  await cache.fill('a', give('a'))
  await cache.fill('a', async () => ({ result: 'failed', keep: null }))
  assert.ok(cache.get('a'))
  await cache.fill('a', async () => ({ result: 'gone', keep: null, drop: true }))
  assert.equal(cache.get('a'), null)
})

test('alternative spellings of an address do not fill the memory', async () => {
  const cache = createHtmlCache()
  await cache.fill('a', give('a'))
  cache.alias(`/a?utm=${'x'.repeat(10_000)}`, 'a')
  assert.equal(cache.byAlias(`/a?utm=${'x'.repeat(10_000)}`), null)
  cache.alias('/a?utm=x', 'a')
  assert.ok(cache.byAlias('/a?utm=x'))
})

test('V-13 spellings of one page that strangers invent share the memory of the cache, and evict neither pages nor the spelling in use', async () => {
  const maximumBytes = 4_000_000
  const cache = createHtmlCache({ maximumBytes })
  await cache.fill('a', give('a', ['t'], 400_000))
  await cache.fill('b', give('b', ['t'], 3_000_000))
  const others = cache.stats().bytes
  cache.alias('/a', 'a')
  for (let n = 0; n < 50_000; n++) {
    cache.alias(`/a?x=${n}&${'y'.repeat(380)}`, 'a')
    if (n % 100 === 0) assert.ok(cache.byAlias('/a'), `forgotten after ${n} others`)
  }
  const { bytes, entries } = cache.stats()
  assert.equal(entries, 2)
  assert.ok(bytes <= maximumBytes, `${bytes} bytes`)
  assert.ok(bytes - others > 100_000, `${bytes - others} bytes of spellings are weighed`)
  assert.ok(bytes - others <= maximumBytes / 8, `${bytes - others} bytes of spellings`)
  assert.ok(cache.byAlias(`/a?x=49999&${'y'.repeat(380)}`))
  assert.equal(cache.byAlias(`/a?x=1&${'y'.repeat(380)}`), null)
})

test('V-13 a spelling is stored for a cached page alone, and goes with it', async () => {
  const cache = createHtmlCache()
  for (let n = 0; n < 1000; n++) cache.alias(`/once/${n}`, `once|${n}`)
  assert.equal(cache.stats().bytes, 0)
  await cache.fill('a', give('a'))
  cache.alias('/a', 'a')
  await cache.fill('a', async () => ({ result: 'gone', keep: null, drop: true }))
  assert.equal(cache.byAlias('/a'), null)
  assert.equal(cache.stats().bytes, 0)
})
