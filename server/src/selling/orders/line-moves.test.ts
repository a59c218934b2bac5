import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyMoves, stateOfPaidOrder, stateOfSellerOrder, sumQuantities, type LineQuantities, type Quantities } from './line-moves.ts'
import { sellerOrderStates, sellerOrderSteps, type Actor, type SellerOrderState } from './order-states.ts'

const actors: readonly Actor[] = ['buyer', 'seller', 'system', 'provider', 'carrier', 'operator']
const afterPayment = sellerOrderStates.filter((state) => state !== 'awaiting-payment')
const anyMove = fc.record({
  offerId: fc.constantFrom('1', '2', '3', 'unknown'),
  quantity: fc.integer({ min: -1, max: 6 }),
  from: fc.constantFrom(...afterPayment),
  to: fc.constantFrom(...afterPayment),
})
/** Half of the moves are steps of the table, so that sequences get far. */
const likelyMove = fc
  .tuple(fc.constantFrom('1', '2', '3'), fc.integer({ min: 1, max: 3 }), fc.constantFrom(...sellerOrderSteps))
  .map(([offerId, quantity, { from, to }]) => ({ offerId, quantity, from, to }))
const attempt = fc.tuple(fc.constantFrom(...actors), fc.oneof({ weight: 1, arbitrary: anyMove }, { weight: 4, arbitrary: likelyMove }))
const bought = { '1': 1, '2': 3, '3': 5 }
const start = (): LineQuantities[] => Object.entries(bought).map(([offerId, n]) => ({ offerId, quantities: { pending: n } }))

test('V-60 over 100,000 random moves of all actors no piece is lost, doubled or moved by somebody who may not', () => {
  let made = 0
  let refused = 0
  fc.assert(
    fc.property(fc.array(attempt, { minLength: 50, maxLength: 50, size: 'max' }), (attempts) => {
      let lines = start()
      for (const [actor, move] of attempts) {
        for (const { quantities } of lines) Object.freeze(quantities)
        const after = applyMoves(lines, [move], actor)
        const step = sellerOrderSteps.find(({ from, to }) => from === move.from && to === move.to)
        const held = lines.find(({ offerId }) => offerId === move.offerId)?.quantities[move.from] ?? 0
        const isAllowed = step !== undefined && step.actors.includes(actor) && move.quantity > 0 && held >= move.quantity
        if ((typeof after !== 'string') !== isAllowed)
          assert.fail(`${actor} ${JSON.stringify(move)} ${JSON.stringify(lines)}: ${JSON.stringify(after)}`)
        if (typeof after === 'string') {
          refused += 1
          continue
        }
        made += 1
        lines = after
        for (const { offerId, quantities } of lines) {
          const values = Object.values(quantities)
          const sum = values.reduce((all, n) => all + n, 0)
          if (values.some((n) => n <= 0) || sum !== new Map(Object.entries(bought)).get(offerId)) assert.fail(JSON.stringify(lines))
        }
      }
    }),
    { numRuns: 2000 },
  )
  assert.ok(made + refused === 100_000 && made > 2000 && refused > 5000, `${made} made, ${refused} refused`)
})

test('several moves are made together or not at all', () => {
  const lines = start()
  const first = { offerId: '2', quantity: 2, from: 'pending', to: 'accepted' } as const
  assert.equal(applyMoves(lines, [first, { ...first }], 'seller'), 'not-in-this-state')
  assert.deepEqual(applyMoves(lines, [first, { ...first, quantity: 1, to: 'refused' }], 'seller'), [
    { offerId: '1', quantities: { pending: 1 } },
    { offerId: '2', quantities: { accepted: 2, refused: 1 } },
    { offerId: '3', quantities: { pending: 5 } },
  ])
  assert.equal(applyMoves(lines, [{ ...first, offerId: '9' }], 'seller'), 'unknown-line')
  assert.equal(applyMoves(lines, [{ ...first, quantity: 0 }], 'seller'), 'quantity-not-positive')
  assert.equal(applyMoves(lines, [first], 'buyer'), 'not-allowed')
})

test('from every state after payment a final state can be reached', () => {
  const final = new Set<SellerOrderState>(['closed', 'cancelled', 'refused'])
  for (const state of afterPayment) {
    const reached = new Set<SellerOrderState>([state])
    for (let before = -1; before < reached.size;) {
      before = reached.size
      for (const { from, to } of sellerOrderSteps) if (reached.has(from)) reached.add(to)
    }
    assert.ok(
      [...final].some((end) => reached.has(end)),
      state,
    )
  }
})

const cases: [Quantities, SellerOrderState, string][] = [
  [{ pending: 2 }, 'pending', 'paid'],
  [{ pending: 1, accepted: 1 }, 'pending', 'paid'],
  [{ accepted: 2 }, 'accepted', 'paid'],
  [{ accepted: 1, refused: 1 }, 'accepted', 'paid'],
  [{ preparing: 2 }, 'preparing', 'paid'],
  [{ accepted: 1, shipped: 1 }, 'preparing', 'part-shipped'],
  [{ pending: 1, delivered: 1 }, 'pending', 'part-shipped'],
  [{ shipped: 1, delivered: 1 }, 'shipped', 'shipped'],
  [{ shipped: 1, cancelled: 1 }, 'shipped', 'shipped'],
  [{ delivered: 2, refused: 1 }, 'delivered', 'delivered'],
  [{ delivered: 1, closed: 1 }, 'delivered', 'delivered'],
  [{ closed: 2 }, 'closed', 'closed'],
  [{ 'incident-open': 1, delivered: 1 }, 'incident-open', 'shipped'],
  [{ 'incident-open': 1, accepted: 1 }, 'incident-open', 'part-shipped'],
  [{ refused: 2 }, 'refused', 'cancelled'],
  [{ refused: 1, cancelled: 1 }, 'cancelled', 'cancelled'],
  [{ cancelled: 2 }, 'cancelled', 'cancelled'],
]
for (const [pieces, part, order] of cases) {
  test(`${JSON.stringify(pieces)} makes a seller order ${part} and its order ${order}`, () => {
    assert.equal(stateOfSellerOrder(pieces), part)
    assert.equal(stateOfPaidOrder(pieces), order)
  })
}

test('quantities are summed over lines', () => {
  assert.deepEqual(sumQuantities([{ quantities: { pending: 1, shipped: 2 } }, { quantities: { shipped: 3 } }]), { pending: 1, shipped: 5 })
})
