import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { noticeOf, type Known, type Now } from './notice.ts'

const at = new Date('2026-11-22T12:00:00Z')
const daysAgo = (days: number) => new Date(at.getTime() - days * 86_400_000)

test('R-122 R-123 a mail is sent for a price drop of two per cent, and for returned stock', () => {
  const cases: [known: Known, now: Now, kind: string | null | undefined, price?: number | null][] = [
    [known(1000), sold(980), 'price-drop', 980],
    [known(1000), sold(981), undefined],
    [known(1000), sold(1000), undefined],
    [known(1000), sold(1500), undefined],
    [known(1000), gone(), null, 1000],
    [known(1000, false), sold(1000), 'back-in-stock', 1000],
    [known(1000, false), sold(2000), 'back-in-stock', 2000],
    [known(null, false), sold(500), 'back-in-stock', 500],
    [known(1000, false), gone(), undefined],
    [known(null), sold(500), null, 500],
    // Once a week is enough, and missed changes are then included.
    [known(1000, true, 6), sold(500), undefined],
    [known(1000, true, 7), sold(500), 'price-drop', 500],
    [known(1000, false, 6), sold(1000), undefined],
    [known(1000, true, 1), gone(), null, 1000],
  ]
  for (const [before, now, kind, price] of cases) {
    const notice = noticeOf(before, now, at)
    assert.equal(notice === null ? undefined : notice.kind, kind, JSON.stringify([before, now]))
    if (notice) assert.deepEqual(notice.known, { price, isAvailable: now.isAvailable })
  }
})

function known(price: number | null, isAvailable = true, days: number | null = null): Known {
  return { price, isAvailable, mailedAt: days === null ? null : daysAgo(days) }
}
const sold = (price: number): Now => ({ price, isAvailable: true })
const gone = (): Now => ({ price: null, isAvailable: false })

test('R-122 nothing is reported twice: neither a change already mailed nor a price that rises and falls back', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 100_000 }),
      fc.integer({ min: 100, max: 100_000 }),
      fc.boolean(),
      (before, price, isAvailable) => {
        const first = noticeOf(known(before, isAvailable), sold(price), at)
        if (!first?.kind) return
        const later = new Date(at.getTime() + 30 * 86_400_000)
        const after: Known = { ...first.known, mailedAt: at }
        assert.equal(noticeOf(after, sold(price), later), null)
        assert.equal(noticeOf(after, sold(price + 5000), later), null)
      },
    ),
  )
})
