import type { Db } from '#platform'

/** How professionals want prices displayed, on every device they sign in on. */

const write = { name: 'accounts.choose-vat-display', text: 'update accounts.customer set prefers_vat = $2 where id = $1' }
const read = {
  name: 'accounts.vat-display',
  text: `select c.prefers_vat as "prefersVat" from accounts.session s join accounts.customer c on c.id = s.customer_id where s.id = $1`,
}

export async function writeVatDisplay(db: Db, customerId: string, prefersVat: boolean): Promise<void> {
  await db.run(write, [customerId, prefersVat])
}

/** The choice of a session's owner; null before they have made one. */
export async function readVatDisplay(db: Db, sessionId: string): Promise<boolean | null> {
  return (await db.row<{ prefersVat: boolean | null }>(read, [sessionId]))?.prefersVat ?? null
}
