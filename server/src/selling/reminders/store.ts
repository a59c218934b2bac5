import type { CustomersCart } from '#cart'
import type { Db } from '#platform'

export type ReminderChannel = 'email' | 'push' | 'sms'

const last = {
  name: 'reminders.last',
  text: 'select at from reminders.basket where customer_id = $1 and market = $2 and mode = $3 for update',
}
const note = {
  name: 'reminders.note',
  text: `insert into reminders.basket (customer_id, market, mode, channel, at) values ($1, $2, $3, $4, $5)
    on conflict (customer_id, market, mode) do update set channel = excluded.channel, at = excluded.at`,
}
const progress = { name: 'reminders.progress', text: 'select until from reminders.progress' }
const advance = {
  name: 'reminders.advance',
  text: 'insert into reminders.progress (until) values ($1) on conflict (only_one) do update set until = excluded.until',
}
const remove = { name: 'reminders.delete', text: 'delete from reminders.basket where customer_id = $1' }

/** When the customer was last reminded of this basket. */
export async function remindedAt(db: Db, { customerId, market, mode }: CustomersCart): Promise<Date | null> {
  return (await db.row<{ at: Date }>(last, [customerId, market, mode]))?.at ?? null
}

export async function noteReminder(db: Db, { customerId, market, mode }: CustomersCart, channel: ReminderChannel, at: Date): Promise<void> {
  await db.run(note, [customerId, market, mode, channel, at])
}

/** The time up to which idle baskets have been looked at; null before the first look. */
export async function readProgress(db: Db): Promise<Date | null> {
  return (await db.row<{ until: Date }>(progress))?.until ?? null
}

export async function writeProgress(db: Db, until: Date): Promise<void> {
  await db.run(advance, [until])
}

/** For the erasure of an account. */
export async function removeRemindersOf(db: Db, customerId: string): Promise<void> {
  await db.run(remove, [customerId])
}
