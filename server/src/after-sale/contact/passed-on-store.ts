import type { Db } from '#platform'

/** Declarations about one seller order that reach its seller within a day: anybody who knows its number and address may send them. */
const passedOnPerDay = 5

const pass = {
  name: 'contact.pass-on',
  text: `insert into contact.passed_on (seller_order_id, message_id, at)
    select $1, $2, $3 where $4 > (select count(*) from contact.passed_on where seller_order_id = $1 and at > $3::timestamptz - interval '1 day')
    on conflict do nothing returning seller_order_id`,
}

/** Notes that a declaration is passed on; false if it has been, or if too many were today. */
export async function notePassedOn(db: Db, sellerOrderId: string, messageId: string, now: Date): Promise<boolean> {
  return (await db.row(pass, [sellerOrderId, messageId, now, passedOnPerDay])) !== undefined
}

const open = {
  name: 'contact.open-declarations',
  text: 'select distinct seller_order_id as id from contact.passed_on where seller_order_id = any($1) and ended_at is null',
}

/** Those of these seller orders from which the buyer has declared a withdrawal that is not dealt with: their money waits. */
export async function findDeclared(db: Db, sellerOrderIds: readonly string[]): Promise<Set<string>> {
  return new Set((await db.rows<{ id: string }>(open, [sellerOrderIds])).map(({ id }) => id))
}

const end = {
  name: 'contact.end-declarations',
  text: 'update contact.passed_on set ended_at = $2 where seller_order_id = $1 and ended_at is null returning message_id',
}

/** The declarations about a seller order are dealt with. Returns whether any was open. */
export async function endDeclarations(db: Db, sellerOrderId: string, now: Date): Promise<boolean> {
  return (await db.rows(end, [sellerOrderId, now])).length > 0
}
