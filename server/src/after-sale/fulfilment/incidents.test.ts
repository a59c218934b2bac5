import assert from 'node:assert/strict'
import { test } from 'node:test'
import { incidentEnd, incidentsByReason, incidentsOf, isBackWithSeller } from './incidents.ts'

const at = (day: number) => new Date(Date.UTC(2026, 10, day))
const move = (day: number, from: string, to: string, reason: string, quantity = 1, offerId = '1') =>
  ({ offerId, quantity, from, to, reason, at: at(day) }) as Parameters<typeof incidentsOf>[1][number]

test('R-482 an incident is of the latest loss of its line, and knows since when anything has been missing', () => {
  const lines = [
    { offerId: '1', quantities: { 'incident-open': 2, delivered: 1 } },
    { offerId: '2', quantities: { delivered: 1 } },
  ]
  const moves = [
    move(1, 'shipped', 'incident-open', 'not-arrived'),
    move(2, 'incident-open', 'delivered', 'delivered'),
    move(3, 'shipped', 'incident-open', 'not-arrived'),
    move(4, 'shipped', 'incident-open', 'carrier-lost'),
    move(5, 'shipped', 'incident-open', 'not-arrived', 1, '2'),
    move(6, 'incident-open', 'delivered', 'delivered', 1, '2'),
  ]
  assert.deepEqual(incidentsOf(lines, moves), [{ offerId: '1', quantity: 2, reason: 'carrier-lost', openedAt: at(4), since: at(3) }])
})

for (const [reason, days, isRefunded, isBack] of [
  ['carrier-lost', 14, true, false],
  ['returned-to-sender', 14, true, true],
  ['not-collected', 14, true, true],
  ['not-arrived', 30, false, false],
  ['collection-unknown', 30, false, false],
] as const)
  test(`R-482 an incident because of ${reason} ends after ${days} days, ${isRefunded ? 'with the money back' : 'as arrived'}`, () => {
    assert.deepEqual(incidentEnd({ reason, openedAt: at(1) }), { at: at(1 + days), isRefunded })
    assert.equal(isBackWithSeller({ reason }), isBack)
  })

test('R-482 the buyer’s own goods that are back with the seller are not paid back by time; those that the carrier has lost are', () => {
  const end = (reason: string) => incidentEnd({ reason, openedAt: at(1), areOwn: true })
  for (const reason of ['returned-to-sender', 'not-collected']) assert.deepEqual(end(reason), { at: at(31), isRefunded: false })
  assert.deepEqual(end('carrier-lost'), { at: at(15), isRefunded: true })
})

test('R-482 the pieces of a line are in an incident for different reasons, and leave it by why they do', () => {
  const lost = { offerId: '1', quantity: 2, reason: 'carrier-lost', openedAt: at(2) }
  const back = { offerId: '1', quantity: 1, reason: 'returned-to-sender', openedAt: at(3) }
  const unknown = { offerId: '1', quantity: 1, reason: 'not-arrived', openedAt: at(4) }
  const moves = [
    move(1, 'shipped', 'incident-open', 'carrier-lost'),
    move(2, 'shipped', 'incident-open', 'carrier-lost'),
    move(3, 'shipped', 'incident-open', 'returned-to-sender'),
    move(4, 'shipped', 'incident-open', 'not-arrived'),
    move(4, 'shipped', 'incident-open', 'not-arrived', 1, '2'),
  ]
  const after = (open: number, ...leaving: ReturnType<typeof move>[]) =>
    incidentsByReason([{ offerId: '1', quantities: { 'incident-open': open } }], [...moves, ...leaving])
  assert.deepEqual(after(4), [lost, back, unknown])
  assert.deepEqual(after(3, move(5, 'incident-open', 'accepted', 'sent-again')), [lost, unknown])
  assert.deepEqual(after(2, move(5, 'incident-open', 'accepted', 'sent-again', 2)), [{ ...lost, quantity: 1 }, unknown])
  assert.deepEqual(after(3, move(5, 'incident-open', 'closed', 'lost-refunded')), [{ ...lost, quantity: 1 }, back, unknown])
  assert.deepEqual(after(3, move(5, 'incident-open', 'delivered', 'found')), [{ ...lost, quantity: 1 }, back, unknown])
  assert.deepEqual(after(0, move(5, 'incident-open', 'closed', 'closed-by-operator', 4)), [])
  assert.deepEqual(after(3, move(5, 'incident-open', 'closed', 'not-claimed')), [lost, unknown], 'what was lost is still paid back')
  const early = move(1, 'incident-open', 'closed', 'lost-refunded', 2)
  const late = incidentsByReason([{ offerId: '1', quantities: { 'incident-open': 2 } }], [early, ...moves])
  assert.deepEqual(late, [back, unknown], 'also where a clock was behind')
})

test('R-482 what arrives of a line is what the carrier says by its parcel, and never what has come back to the seller', () => {
  const of = (parcelId: string | null, one: ReturnType<typeof move>) => ({ ...one, parcelId })
  const opened = [
    of('A', move(1, 'shipped', 'incident-open', 'returned-to-sender')),
    of('B', move(2, 'shipped', 'incident-open', 'carrier-lost')),
    of('C', move(3, 'shipped', 'incident-open', 'not-arrived')),
  ]
  const left = (...leaving: ReturnType<typeof of>[]) =>
    incidentsByReason([{ offerId: '1', quantities: { 'incident-open': 2 } }], [...opened, ...leaving]).map(({ reason }) => reason)
  const arrives = (parcelId: string | null) => left(of(parcelId, move(4, 'incident-open', 'delivered', 'delivered')))
  assert.deepEqual(arrives('B'), ['returned-to-sender', 'not-arrived'])
  assert.deepEqual(arrives('C'), ['returned-to-sender', 'carrier-lost'])
  assert.deepEqual(arrives('A'), ['carrier-lost', 'not-arrived'], 'also one that was said to have come back')
  assert.deepEqual(arrives(null), ['returned-to-sender', 'not-arrived'])
  assert.deepEqual(arrives('another'), ['returned-to-sender', 'not-arrived'])
})
