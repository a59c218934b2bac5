import { newId, type Db } from '#platform'
import { assertBalanced, type Account, type Booking } from './booking.ts'

const write = {
  name: 'ledger.book',
  text: `with booked as (
      insert into ledger.booking (id, key, kind, customer_order_id, currency) values ($1, $2, $3, $4, $5)
      on conflict (key) do nothing returning id
    )
    insert into ledger.entry (booking_id, position, account, amount)
    select booked.id, e.position, e.account, e.amount
    from booked, unnest($6::text[], $7::integer[]) with ordinality as e (account, amount, position)`,
}

/** Writes a booking once per key; false if the key was booked before. Append-only: nothing here updates or deletes an entry. */
export async function book(db: Db, booking: Booking): Promise<boolean> {
  return (await db.run(write, valuesOf(booking))) > 0
}

/** The same for callers that do not need to know whether the key was new: a command need not wait for it. */
export async function bookLater(db: Db, booking: Booking): Promise<void> {
  await db.run(write, valuesOf(booking))
}

function valuesOf({ key, kind, customerOrderId, currency, entries }: Booking): unknown[] {
  assertBalanced(entries)
  return [newId(), key, kind, customerOrderId, currency, entries.map(({ account }) => account), entries.map(({ amount }) => amount)]
}

const writeMany = {
  name: 'ledger.book-many',
  text: `with given as (select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) as b (id, key, kind, customer_order_id, currency)),
    booked as (
      insert into ledger.booking (id, key, kind, customer_order_id, currency) select id, key, kind, customer_order_id, currency from given
      on conflict (key) do nothing returning id
    )
    insert into ledger.entry (booking_id, position, account, amount)
    select booked.id, e.position, e.account, e.amount
    from booked join unnest($6::uuid[], $7::smallint[], $8::text[], $9::integer[]) as e (booking_id, position, account, amount) on e.booking_id = booked.id`,
}

/** Many bookings in one statement; keys that were booked before are skipped. */
export async function bookMany(db: Db, bookings: readonly Booking[]): Promise<void> {
  if (bookings.length === 0) return
  const rows = bookings.map((booking) => {
    assertBalanced(booking.entries)
    return { id: newId(), ...booking }
  })
  const entries = rows.flatMap(({ id, entries: own }) => own.map((entry, index) => ({ id, position: index + 1, ...entry })))
  await db.run(writeMany, [
    rows.map(({ id }) => id),
    rows.map(({ key }) => key),
    rows.map(({ kind }) => kind),
    rows.map(({ customerOrderId }) => customerOrderId),
    rows.map(({ currency }) => currency),
    entries.map(({ id }) => id),
    entries.map(({ position }) => position),
    entries.map(({ account }) => account),
    entries.map(({ amount }) => amount),
  ])
}

const unbalanced = {
  name: 'ledger.unbalanced',
  text: `select b.key, coalesce(sum(e.amount), 0)::integer as sum from ledger.booking b left join ledger.entry e on e.booking_id = b.id
    group by b.id, b.key having coalesce(sum(e.amount), 0) <> 0 or count(e.*) < 2`,
}
const balances = {
  name: 'ledger.balances',
  text: `select e.account, b.currency, sum(e.amount)::bigint::text as balance from ledger.entry e join ledger.booking b on b.id = e.booking_id
    group by e.account, b.currency order by e.account, b.currency`,
}

const ofOrder = {
  name: 'ledger.balance-of-order',
  text: `select coalesce(sum(e.amount), 0)::int as balance from ledger.booking b join ledger.entry e on e.booking_id = b.id
    where b.customer_order_id = $1 and e.account = $2`,
}

/** Balance of an account within one order. */
export async function balanceOfOrder(db: Db, customerOrderId: string, account: Account): Promise<number> {
  return (await db.row<{ balance: number }>(ofOrder, [customerOrderId, account]))?.balance ?? 0
}

const ofOrderByKey = {
  name: 'ledger.balance-of-order-by-key',
  text: `${ofOrder.text} and starts_with(b.key, $3)`,
}

/** Balance of an account within the bookings of one order whose keys begin so. Minor units. */
export async function balanceOfOrderByKey(db: Db, customerOrderId: string, account: Account, keyPrefix: string): Promise<number> {
  return (await db.row<{ balance: number }>(ofOrderByKey, [customerOrderId, account, keyPrefix]))?.balance ?? 0
}

const ofBookings = {
  name: 'ledger.balance-of-bookings',
  text: `select coalesce(sum(e.amount), 0)::int as balance from ledger.booking b join ledger.entry e on e.booking_id = b.id
    where b.key = any($1) and e.account = $2`,
}

/** Balance of an account within the bookings with these keys. Minor units. */
export async function balanceOfBookings(db: Db, keys: readonly string[], account: Account): Promise<number> {
  return (await db.row<{ balance: number }>(ofBookings, [keys, account]))?.balance ?? 0
}

const ofOrders = {
  name: 'ledger.balances-of-orders',
  text: `select a.order_id as "customerOrderId", coalesce(sum(e.amount), 0)::int as balance
    from unnest($1::text[]) as a (order_id)
    join ledger.booking b on b.customer_order_id = a.order_id join ledger.entry e on e.booking_id = b.id and e.account = $2
    group by a.order_id`,
}

/** Balances of an account within these orders, each named once; orders without an entry are missing. */
export async function balancesOfOrders(db: Db, customerOrderIds: readonly string[], account: Account): Promise<Map<string, number>> {
  const rows = await db.rows<{ customerOrderId: string; balance: number }>(ofOrders, [customerOrderIds, account])
  return new Map(rows.map(({ customerOrderId, balance }) => [customerOrderId, balance]))
}

const ofAccount = {
  name: 'ledger.balance-of',
  text: `select coalesce(sum(e.amount), 0)::bigint::text as balance from ledger.entry e join ledger.booking b on b.id = e.booking_id
    where e.account = $1 and b.currency = $2`,
}

/** Balance of one account in a currency, in minor units. */
export async function balanceOf(db: Db, account: Account, currency: Booking['currency']): Promise<number> {
  return Number((await db.row<{ balance: string }>(ofAccount, [account, currency]))?.balance ?? 0)
}

/** Bookings that do not sum to zero. There should never be any. */
export function unbalancedBookings(db: Db): Promise<{ key: string; sum: number }[]> {
  return db.rows(unbalanced)
}

/** Balance of each account by currency; minor units as text, because they may exceed a float's precision. */
export function accountBalances(db: Db): Promise<{ account: string; currency: string; balance: string }[]> {
  return db.rows(balances)
}
