import assert from 'node:assert/strict'
import { test } from 'node:test'
import { incidentEnd, incidentsByReason, incidentsOf, isBackWithSeller } from './incidents.ts'

const at = (day: number) => new Date(Date.UTC(2026, 10, day))
const move = (day: number, from: string, to: string, reason: string, quantity = 1, offerId = '1', parcelId: string | null = null) =>
  ({ offerId, quantity, from, to, reason, at: at(day), parcelId }) as Parameters<typeof incidentsByReason>[1][number]

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

test('R-482 of the pieces of a line, those of the parcel that is found leave the incident; without a parcel, what arrives is not back with the seller', () => {
  const into = (day: number, reason: string, parcelId: string | null) => move(day, 'shipped', 'incident-open', reason, 1, '1', parcelId)
  const found = (parcelId: string | null) => move(9, 'incident-open', 'delivered', 'delivered', 1, '1', parcelId)
  const left = (...moves: ReturnType<typeof move>[]) =>
    incidentsByReason([{ offerId: '1', quantities: { 'incident-open': moves.length - 2 } }], moves).map(
      ({ reason, quantity, openedAt }) => `${quantity} ${reason} since ${openedAt.getUTCDate()}`,
    )
  const back = into(1, 'returned-to-sender', 'A')
  const lost = into(2, 'carrier-lost', 'B')
  assert.deepEqual(left(back, lost, found('B')), ['1 returned-to-sender since 1'])
  assert.deepEqual(left(back, lost, found('A')), ['1 carrier-lost since 2'])
  assert.deepEqual(left(back, lost, found(null)), ['1 returned-to-sender since 1'])
  assert.deepEqual(left(lost, into(3, 'carrier-lost', 'C'), found('C')), ['1 carrier-lost since 2'])
  assert.deepEqual(left(lost, into(3, 'not-arrived', null), found('C')), ['1 carrier-lost since 2'], 'a deadline names no parcel')
  assert.deepEqual(left(back, lost, found('C')), ['1 returned-to-sender since 1'])
  assert.deepEqual(left(back, into(2, 'not-arrived', null), lost, found('B')), ['1 returned-to-sender since 1', '1 not-arrived since 2'])
  assert.deepEqual(left(found('B'), back, lost), ['1 returned-to-sender since 1'], 'also where a clock was behind')
})
