import type { Db, Statement } from '#platform'

export interface TakenOrder {
  contentHash: string
  customerOrderId: string | null
}

interface OrderNumber {
  companyId: string
  number: string
  credentialId: string
  contentHash: string
}

const claim: Statement = {
  name: 'punchout.claim-order',
  text: `insert into punchout.order_request (company_id, order_number, credential_id, content_hash) values ($1, $2, $3, $4)
    on conflict do nothing`,
}
/** False if the number was taken before; waits for a concurrent command with the same number. */
export async function claimOrder(db: Db, order: OrderNumber): Promise<boolean> {
  return (await db.run(claim, numberValues(order))) === 1
}

const claimAgain: Statement = {
  name: 'punchout.claim-order-again',
  text: `update punchout.order_request set credential_id = $3, content_hash = $4, customer_order_id = null, is_pending_approval = null,
    received_at = now() where company_id = $1 and order_number = $2`,
}
/** Takes over a number whose order came to nothing; the caller holds the lock on it. */
export async function claimOrderAgain(db: Db, order: OrderNumber): Promise<void> {
  await db.run(claimAgain, numberValues(order))
}

function numberValues({ companyId, number, credentialId, contentHash }: OrderNumber): string[] {
  return [companyId, number, credentialId, contentHash]
}

const find: Statement = {
  name: 'punchout.lock-order',
  text: `select content_hash as "contentHash", customer_order_id as "customerOrderId"
    from punchout.order_request where company_id = $1 and order_number = $2 for update`,
}
/** Requests with the same number come one after the other. */
export function lockTakenOrder(db: Db, companyId: string, number: string): Promise<TakenOrder | undefined> {
  return db.row<TakenOrder>(find, [companyId, number])
}

const settle: Statement = {
  name: 'punchout.settle-order',
  text: 'update punchout.order_request set customer_order_id = $3, is_pending_approval = $4 where company_id = $1 and order_number = $2',
}
export async function settleOrder(
  db: Db,
  companyId: string,
  number: string,
  { customerOrderId, isPendingApproval }: { customerOrderId: string; isPendingApproval: boolean },
): Promise<void> {
  await db.run(settle, [companyId, number, customerOrderId, isPendingApproval])
}
