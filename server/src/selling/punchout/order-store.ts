import type { Db, Statement } from '#platform'

export interface TakenOrder {
  contentHash: string
  customerOrderId: string | null
  isPendingApproval: boolean | null
}

const claim: Statement = {
  name: 'punchout.claim-order',
  text: `insert into punchout.order_request (company_id, order_number, credential_id, content_hash) values ($1, $2, $3, $4)
    on conflict do nothing`,
}
/** False if the number was taken before; waits for a concurrent command with the same number. */
export async function claimOrder(
  db: Db,
  order: { companyId: string; number: string; credentialId: string; contentHash: string },
): Promise<boolean> {
  return (await db.run(claim, [order.companyId, order.number, order.credentialId, order.contentHash])) === 1
}

const find: Statement = {
  name: 'punchout.find-order',
  text: `select content_hash as "contentHash", customer_order_id as "customerOrderId", is_pending_approval as "isPendingApproval"
    from punchout.order_request where company_id = $1 and order_number = $2`,
}
export function findTakenOrder(db: Db, companyId: string, number: string): Promise<TakenOrder | undefined> {
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
