import { ApprovalOfOrderDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

/** The page of the request that has the goods of a draft, which are not in the buyer's basket then; null without one. */
export async function requestPath({ client, mode }: ShopContext, customerOrderId: string): Promise<string | null> {
  const of = mode === 'b2b' ? (await client.query(ApprovalOfOrderDocument, { customerOrderId })).orderReference : null
  return of?.approvalId ? paths.approval({ id: of.approvalId }) : null
}
