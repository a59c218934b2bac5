import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VersionRow } from './entry-store.ts'
import { shelfOf } from './shelf.ts'

const at = (day: string) => new Date(`2026-11-${day}T00:00:00Z`)
const row = (id: number, published: string, liveFrom: Date | null, liveUntil: Date | null): VersionRow => ({
  id,
  kind: 'guide',
  key: `guide-${id}`,
  version: 1,
  liveFrom,
  liveUntil,
  markets: ['gb'],
  modes: ['b2c'],
  facts: {
    id,
    published,
    markets: ['gb'],
    modes: ['b2c'],
    categories: [],
    pictures: {},
    shopping: [],
    products: {},
    calculators: {},
    related: [],
  },
  heads: { en: { title: `Guide ${id}`, description: '' } },
  sourceDigest: null,
  writtenAt: at('01'),
})

test('entries kept in memory begin and end at their very moments, on their own storefronts, newest first', () => {
  const content = shelfOf([
    row(1, '2026-11-01', at('01'), at('10')),
    row(2, '2026-11-05', at('05'), null),
    row(3, '2026-11-06', null, null),
    { ...row(4, '2026-11-02', at('02'), null), modes: ['b2b'] },
  ])
  const ids = (now: Date, mode: 'b2c' | 'b2b' = 'b2c') => content.entries('guide', { market: 'gb', mode, now }).map(({ id }) => id)
  const before = (date: Date) => new Date(date.getTime() - 1)
  for (const [now, expected] of [
    [at('04'), [1]],
    [before(at('05')), [1]],
    [at('05'), [2, 1]],
    [before(at('10')), [2, 1]],
    [at('10'), [2]],
    [at('20'), [2]],
    // A request that began earlier is answered as of then.
    [at('06'), [2, 1]],
    [before(at('01')), []],
  ] as const)
    assert.deepEqual(ids(now), expected, now.toISOString())
  assert.deepEqual(ids(at('20'), 'b2b'), [4])
  assert.deepEqual(content.entries('guide', { market: 'de', mode: 'b2c', now: at('20') }), [])
})
