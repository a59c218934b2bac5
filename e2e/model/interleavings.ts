import assert from 'node:assert/strict'
import { moveDispute, openDispute } from '@purlin/server/after-sale/disputes/move-dispute.ts'
import { acceptSale } from '@purlin/server/after-sale/fulfilment/handle-sale.ts'
import { reportParcel } from '@purlin/server/after-sale/fulfilment/report-parcel.ts'
import { shipLines } from '@purlin/server/after-sale/fulfilment/ship-lines.ts'
import { writeMessage } from '@purlin/server/after-sale/messages/write-message.ts'
import { closePayout } from '@purlin/server/after-sale/payouts/close-payout.ts'
import { readRun } from '@purlin/server/after-sale/payouts/payout-store.ts'
import { startRun } from '@purlin/server/after-sale/payouts/run-payouts.ts'
import { settleNext } from '@purlin/server/after-sale/payouts/settle-sales.ts'
import { cancelLines } from '@purlin/server/after-sale/returns/cancel-lines.ts'
import { readCancellations } from '@purlin/server/after-sale/returns/cancellation-store.ts'
import { decideCancellation } from '@purlin/server/after-sale/returns/decide-cancellation.ts'
import { handleReturn } from '@purlin/server/after-sale/returns/handle-return.ts'
import { requestReturn } from '@purlin/server/after-sale/returns/request-return.ts'
import { newId, type Scope } from '@purlin/server/foundation/platform/index.ts'
import { quantityStates } from '@purlin/server/selling/orders/index.ts'
import { giveRefund } from '@purlin/server/selling/refunds/give-refund.ts'
import { readRefundsOf } from '@purlin/server/selling/refunds/store.ts'
import { checkAfterSale } from './after-sale-checks.ts'
import { interleave, statementsOf, type Actor } from './interleave.ts'
import { offerIds, type ModelShop } from './shop-on-postgres.ts'

/** Two actors about the same goods or the same money. */
export interface Encounter {
  name: string
  /** An order at the moment before the two meet. */
  prepare: (shop: ModelShop) => Promise<{ orderId: string; actors: [Actor, Actor] }>
  /** What holds whoever was first. */
  check: (shop: ModelShop, orderId: string, allowed: [boolean, boolean]) => Promise<void>
}

const lines = [{ offerId: offerIds[0] ?? '', quantity: 2 }]
const nextKey = () => `encounter-${newId()}`
const trackingNumber = () => `EN${newId().replaceAll('-', '').slice(-14)}`
const own = () => ({ name: 'Own Van', trackingNumber: trackingNumber() })

async function accepted(shop: ModelShop) {
  const { id, buyer } = await shop.sell(lines)
  const part = { sellerOrderId: `${id}-1` }
  await must(shop, shop.as.seller, (scope) => acceptSale(scope, { ...part, lines: null }))
  return { id, buyer, part, order: { customerOrderId: id, ...part } }
}

async function delivered(shop: ModelShop) {
  const sold = await accepted(shop)
  const shipped = await must(shop, shop.as.seller, (scope) =>
    shipLines(scope, { ...sold.part, lines: null, carrier: own(), idempotencyKey: nextKey() }),
  )
  await must(shop, shop.as.seller, (scope) => reportParcel(scope, { parcelId: shipped.parcelId ?? '', kind: 'delivered', place: null }))
  await shop.work()
  return sold
}

async function must<Outcome extends { ok: boolean }>(
  { database }: ModelShop,
  overrides: Partial<Scope>,
  act: (scope: Scope) => Promise<Outcome>,
): Promise<Extract<Outcome, { ok: true }>> {
  const outcome = await database.command(overrides, act)
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome as Extract<Outcome, { ok: true }>
}

const refundedOf = async ({ database }: ModelShop, orderId: string) =>
  (await readRefundsOf(database.db, orderId)).reduce((all, { amount }) => all + amount, 0)
async function totalOf({ database }: ModelShop, orderId: string): Promise<number> {
  const { rows } = await database.pool.query<{ total: number }>('select total from orders.customer_order where id = $1', [orderId])
  return rows[0]?.total ?? 0
}
async function piecesOf({ database }: ModelShop, orderId: string): Promise<Record<string, number>> {
  const [line] = await quantityStates(database.db, [`${orderId}-1`])
  return { ...line?.quantities }
}

export const encounters: readonly Encounter[] = [
  {
    name: 'the seller accepts while the buyer cancels',
    prepare: async (shop) => {
      const { id, buyer } = await shop.sell(lines)
      const order = { customerOrderId: id, sellerOrderId: `${id}-1` }
      const accept: Actor = {
        overrides: shop.as.seller,
        act: (scope) => acceptSale(scope, { sellerOrderId: order.sellerOrderId, lines: null }),
      }
      const cancel: Actor = { overrides: buyer.overrides, act: (scope) => cancelLines(scope, { ...order, lines, reason: 'changed-mind' }) }
      return { orderId: id, actors: [accept, cancel] }
    },
    check: async (shop, orderId, [isAccepted]) => {
      assert.deepEqual(await piecesOf(shop, orderId), isAccepted ? { accepted: 2 } : { cancelled: 2 })
      assert.equal(await refundedOf(shop, orderId), isAccepted ? 0 : await totalOf(shop, orderId))
    },
  },
  {
    name: 'the seller ships what they are granting to cancel',
    prepare: async (shop) => {
      const { id, buyer, part, order } = await accepted(shop)
      await must(shop, buyer.overrides, (scope) => cancelLines(scope, { ...order, lines, reason: 'changed-mind' }))
      const [request] = await readCancellations(shop.database.db, part.sellerOrderId)
      const ship: Actor = {
        overrides: shop.as.seller,
        act: (scope) => shipLines(scope, { ...part, lines: null, carrier: own(), idempotencyKey: nextKey() }),
      }
      const grant: Actor = { overrides: shop.as.seller, act: (scope) => decideCancellation(scope, request?.id ?? '', true, null) }
      return { orderId: id, actors: [ship, grant] }
    },
    check: async (shop, orderId, [isShipped, isGranted]) => {
      assert.notEqual(isShipped, isGranted, 'one of them')
      assert.deepEqual(await piecesOf(shop, orderId), isShipped ? { shipped: 2 } : { cancelled: 2 })
      assert.equal(await refundedOf(shop, orderId), isShipped ? 0 : await totalOf(shop, orderId))
    },
  },
  {
    name: 'seller and operator refund the whole order',
    prepare: async (shop) => {
      const { id, order } = await delivered(shop)
      const amount = await totalOf(shop, id)
      const refund = (overrides: Partial<Scope>): Actor => ({
        overrides,
        act: (scope) => giveRefund(scope, { ...order, offerId: null, amount, idempotencyKey: nextKey() }),
      })
      return { orderId: id, actors: [refund(shop.as.seller), refund(shop.as.operator)] }
    },
    check: async (shop, orderId, allowed) => {
      assert.equal(allowed.filter(Boolean).length, 1, 'the money goes back once')
      assert.equal(await refundedOf(shop, orderId), await totalOf(shop, orderId))
    },
  },
  {
    name: 'a return is refunded while a dispute is agreed to',
    prepare: async (shop) => {
      const { id, buyer, part, order } = await delivered(shop)
      const returned = await must(shop, buyer.overrides, (scope) =>
        requestReturn(scope, {
          ...order,
          lines,
          reason: 'changed-mind',
          wish: 'refund',
          method: 'label',
          description: '',
          photos: [],
        }),
      )
      const written = await must(shop, buyer.overrides, (scope) =>
        writeMessage(scope, 'conversation.write', part.sellerOrderId, { text: 'Scratched.', topic: 'damage' }),
      )
      const opened = await must(shop, buyer.overrides, (scope) =>
        openDispute(scope, { orderId: part.sellerOrderId, messageId: written.id, reason: 'damaged', wish: 'refund', note: 'Scratched.' }),
      )
      const nothing = { finding: '', amount: null, note: null }
      const refund: Actor = { overrides: shop.as.seller, act: (scope) => handleReturn(scope, returned.id, { ...nothing, do: 'refund' }) }
      const agree: Actor = {
        overrides: shop.as.seller,
        act: (scope) => moveDispute(scope, 'dispute.serve', { id: opened.id, action: 'agree' }),
      }
      return { orderId: id, actors: [refund, agree] }
    },
    check: async (shop, orderId, allowed) => {
      assert.ok(allowed.some(Boolean))
      assert.equal(await refundedOf(shop, orderId), await totalOf(shop, orderId), 'never more than was paid')
    },
  },
  {
    name: 'a payout settles the sale while the seller refunds a part',
    prepare: async (shop) => {
      const { id, order } = await delivered(shop)
      const later = new Date(Date.now() + 60 * 86_400_000)
      const run = await shop.database.command({}, (scope) =>
        startRun({ db: scope.db, now: later }, { key: nextKey(), currency: 'GBP', cause: 'operator' }),
      )
      await shop.database.pool.query(`delete from platform.job where name = 'payouts.run'`)
      const settle: Actor = {
        overrides: {},
        act: async (scope) => {
          const known = await readRun(scope.db, run?.id ?? '')
          if (!known) return { ok: false }
          while (await settleNext(scope, known, 1, '')) if (!(await isDue(scope, id))) break
          await closePayout(scope, known, 1)
          return { ok: true }
        },
      }
      const refund: Actor = {
        overrides: shop.as.seller,
        act: (scope) => giveRefund(scope, { ...order, offerId: null, amount: 500, idempotencyKey: nextKey() }),
      }
      return { orderId: id, actors: [settle, refund] }
    },
    check: async (shop, orderId, allowed) => {
      assert.deepEqual(allowed, [true, true])
      const { rows } = await shop.database.pool.query<{ owed: number; due: number; open: boolean }>(
        `select coalesce(sum(e.amount) filter (where e.account = 'seller:1'), 0)::int as owed,
            (select count(*)::int from ledger.booking s where s.customer_order_id = $1 and s.kind = 'settlement') as due,
            (select is_open from payouts.sale where customer_order_id = $1) as open
          from ledger.booking b join ledger.entry e on e.booking_id = b.id where b.customer_order_id = $1`,
        [orderId],
      )
      const [balance] = rows
      // Settled with the refund, or settled before it: then the refund waits for the next run.
      assert.ok(balance && balance.due <= 1 && (balance.owed === 0 || balance.open), JSON.stringify(balance))
      assert.equal(await refundedOf(shop, orderId), 500)
    },
  },
]

async function isDue({ db }: Scope, customerOrderId: string): Promise<boolean> {
  const row = await db.row<{ open: boolean }>(
    { name: 'model.is-open', text: 'select is_open as open from payouts.sale where customer_order_id = $1' },
    [customerOrderId],
  )
  return row?.open ?? false
}

/**
 * Every order of the statements in which the two commands change places once: after each `k` of the first, up to each `m` of the
 * second; then the same the other way round. `stride` leaves some out. Returns how many were played.
 */
export async function playEncounter(shop: ModelShop, encounter: Encounter, stride = 1): Promise<number> {
  const lengths: number[] = []
  for (const at of [0, 1] as const) {
    const { actors } = await encounter.prepare(shop)
    lengths.push(await statementsOf(shop.database, actors[at]))
    await shop.work()
  }
  let played = 0
  for (const first of [0, 1] as const) {
    const second = first === 0 ? 1 : 0
    for (let k = 0; k <= (lengths[first] ?? 0); k += stride)
      for (let m = 0; m <= (lengths[second] ?? 0); m += stride) {
        const { orderId, actors } = await encounter.prepare(shop)
        try {
          const { outcomes } = await interleave(shop.database, [actors[first], actors[second]], [k, m])
          await shop.work()
          const allowed: [boolean, boolean] = [outcomes[first].ok, outcomes[second].ok]
          await encounter.check(shop, orderId, allowed)
        } catch (error) {
          throw new Error(
            `${encounter.name}: actor ${first + 1} after ${k} statements, the other one up to ${m}: ${(error as Error).message}`,
            {
              cause: error,
            },
          )
        }
        played += 1
      }
  }
  const provider = { name: 'embedded', payments: shop.payments() }
  assert.deepEqual(await checkAfterSale(shop.database.pool, { provider }), [])
  return played
}
