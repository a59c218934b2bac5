import { randomUUID } from 'node:crypto'
import { asCommand, createPool, logOf, type Pool, type Scope, type UnitOfWork } from '@purlin/server/foundation/platform/index.ts'
import { placeOrder } from '@purlin/server/selling/checkout/index.ts'
import { newOrderId } from '@purlin/server/selling/orders/index.ts'
import { newBuyer } from './buyer.ts'

interface Sent {
  name?: string
  text: string
  values?: unknown[]
}

/** Different products, so that the transactions do not all wait for one offer's row. */
const templates = 40
const copiesOfEach = 50
const atOnce = 10

/**
 * The bare selling transaction: the statements of one placeOrder, recorded from the real one, replayed for copies of a
 * draft, ten at a time and nothing else. Transactions per second.
 * Its events have names that no worker handles: handling them would be measured too.
 */
export async function bareCheckouts(origin: string, databaseUrl: string, offers: readonly string[], seconds = 4): Promise<number> {
  const pool = createPool({ connectionString: databaseUrl, sizes: { single: atOnce }, name: 'purlin bench', planOnce: true })
  try {
    const rounds = await Promise.all(offers.slice(0, templates).map((offerId) => recordCopies(origin, pool, offerId)))
    // One of each product in turn.
    const waiting = Array.from({ length: copiesOfEach }, (_, copy) => rounds.map((round) => round[copy]!)).flat()
    const clients = await Promise.all(Array.from({ length: atOnce }, () => pool.connect()))
    const run = async (enough: () => boolean): Promise<number> => {
      let done = 0
      await Promise.all(
        clients.map(async (client) => {
          while (!enough()) {
            const transaction = waiting.pop()
            if (!transaction) return
            for (const statement of transaction) await client.query(statement)
            done++
          }
        }),
      )
      return done
    }
    const warm = waiting.length - 10 * atOnce
    await run(() => waiting.length <= warm)
    const startedAt = performance.now()
    const done = await run(() => performance.now() - startedAt > seconds * 1000)
    const rate = (done * 1000) / (performance.now() - startedAt)
    for (const client of clients) client.release()
    return rate
  } finally {
    await pool.end()
  }
}

/** A draft created as any buyer would, copies of it, and the statements that sell it, adapted to each copy. */
async function recordCopies(origin: string, pool: Pool, offerId: string): Promise<Sent[][]> {
  const id = await newBuyer(origin).draft(offerId)
  const { rows } = await pool.query('select owner, cart_id, email from orders.customer_order where id = $1', [id])
  const { owner, cart_id: cartId, email } = rows[0] as { owner: string; cart_id: string; email: string }
  const copies = Array.from({ length: copiesOfEach }, () => ({ id: newOrderId(), owner: `s:bench-${randomUUID()}`, cartId: randomUUID() }))
  await copyDraft(pool, { id, cartId }, copies)
  const sent = await recordSale(pool, { id, principal: { kind: 'guest', id: owner.slice(2), email } })
  return copies.map((copy) => {
    const fresh = new Map([[cartId, copy.cartId]])
    const say = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(say)
      if (value instanceof Date || typeof value !== 'string') return value
      return value
        .replaceAll(id, copy.id)
        .replaceAll(owner, copy.owner)
        .replace(uuids, (uuid) => fresh.get(uuid) ?? fresh.set(uuid, randomUUID()).get(uuid)!)
        .replace(eventTypes, 'bench.$&')
    }
    return sent.map((statement) => ({ ...statement, values: (statement.values ?? []).map(say) }))
  })
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const eventTypes = /^(?:order|payment|stock)\.[a-z-]+$/

async function copyDraft(
  pool: Pool,
  draft: { id: string; cartId: string },
  copies: { id: string; owner: string; cartId: string }[],
): Promise<void> {
  const arrays = [copies.map(({ id }) => id), copies.map(({ owner }) => owner), copies.map(({ cartId }) => cartId)]
  const copy = (table: string, key: string, fields: string) =>
    `insert into ${table} select (jsonb_populate_record(o, jsonb_build_object(${fields}))).*
      from ${table} o, unnest($2::text[], $3::text[], $4::uuid[]) as n (id, owner, cart) where o.${key} = $1`
  await pool.query(copy('cart.cart', 'id', `'id', n.cart, 'owner', n.owner`), [draft.cartId, ...arrays])
  await pool.query(copy('cart.line', 'cart_id', `'cart_id', n.cart`), [draft.cartId, ...arrays])
  await pool.query(copy('cart.delivery_choice', 'cart_id', `'cart_id', n.cart`), [draft.cartId, ...arrays])
  await pool.query(copy('orders.customer_order', 'id', `'id', n.id, 'owner', n.owner, 'cart_id', n.cart`), [draft.id, ...arrays])
}

/** Sells a draft and returns the statements that did it, BEGIN and COMMIT included. */
async function recordSale(pool: Pool, { id, principal }: { id: string; principal: Scope['principal'] }): Promise<Sent[]> {
  const sent: Sent[] = []
  const note = (asked: string | Sent) =>
    void sent.push(typeof asked === 'string' ? { text: asked, values: [] } : { ...asked, values: asked.values ?? [] })
  const recorded =
    <Answer>(send: (asked: Sent) => Promise<Answer>) =>
    (asked: Sent) => (note(asked), send(asked))
  const recording = {
    ...pool,
    lanes: { ...pool.lanes, reads: recorded(pool.lanes.reads), alone: recorded(pool.lanes.alone) },
    commands: {
      waitingCount: 0,
      connect: async () => {
        const client = await pool.commands.connect()
        return { query: recorded((asked) => client.query(asked)), release: (broken?: boolean) => client.release(broken) }
      },
    },
  } as unknown as Pool
  const sell = ({ db, emit }: UnitOfWork) =>
    placeOrder({ ...shopper, principal, now: new Date(), db, emit }, { customerOrderId: id, idempotencyKey: randomUUID() })
  // The first sale of a process also warms shared caches: one is run and rolled back.
  await asCommand(pool, async (unit) => ({ ...(await sell(unit)), ok: false }))
  const result = await asCommand(recording, sell)
  if (!result.ok) throw new Error(`The draft of the bench was refused: ${result.reason}`)
  return sent
}

const shopper = {
  market: 'gb',
  mode: 'b2c',
  origin: 'http://gb.localhost:3000',
  session: null,
  prefersVat: false,
  requestId: 'bench',
  log: logOf({ bench: true }),
} as const
