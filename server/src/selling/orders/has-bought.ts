import { companyOf, companyWithFormer, emailOf, ownerOf } from '#accounts'
import { customerKey } from '#cart'
import type { Scope } from '#platform'

const bought = {
  name: 'orders.has-bought',
  text: `select exists (select from orders.customer_order where owner = $1 and paid_at is not null)
    or exists (select from orders.customer_order where company_id = any($2::uuid[]) and paid_at is not null)
    or exists (select from orders.customer_order where paid_at is not null and
      case when split_part(lower(email), '@', 2) in ('gmail.com', 'googlemail.com')
        then replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '')
        else split_part(split_part(lower(email), '@', 1), '+', 1) end || '@' || split_part(lower(email), '@', 2) = $3) as bought`,
}

/**
 * Whether the viewer has ever paid for an order: signed in, as a guest with the same address, or with the company they order
 * for or another of its number, in any market. An order that was paid for counts even if it was cancelled or refunded later.
 */
export async function hasBought(scope: Scope, email: string | null = emailOf(scope)): Promise<boolean> {
  const companyId = companyOf(scope)
  const row = await scope.db.row<{ bought: boolean }>(bought, [
    ownerOf(scope),
    companyId === null ? [] : await companyWithFormer(scope.db, companyId),
    email === null ? null : customerKey(email),
  ])
  return row?.bought === true
}

const paid = {
  name: 'orders.owns-paid-order',
  text: 'select exists (select from orders.customer_order where owner = $1 and paid_at is not null) as owned',
}

/** Whether the viewer has paid for an order of their own: by session or account, since an address proves nothing. */
export async function ownsPaidOrder(scope: Scope): Promise<boolean> {
  const owner = ownerOf(scope)
  return owner !== null && (await scope.db.row<{ owned: boolean }>(paid, [owner]))?.owned === true
}
