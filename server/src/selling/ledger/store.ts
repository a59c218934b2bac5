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

/** Bookings that do not sum to zero. There should never be any. */
export function unbalancedBookings(db: Db): Promise<{ key: string; sum: number }[]> {
  return db.rows(unbalanced)
}

/** Balance of each account by currency; minor units as text, because they may exceed a float's precision. */
export function accountBalances(db: Db): Promise<{ account: string; currency: string; balance: string }[]> {
  return db.rows(balances)
}
