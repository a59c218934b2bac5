import type { Db } from '#platform'

const setSite = {
  name: 'purchasing.set-order-site',
  text: `insert into purchasing.order_site (customer_order_id, company_id, site_id) values ($1, $2, $3)
    on conflict (customer_order_id) do update set company_id = excluded.company_id, site_id = excluded.site_id`,
}
const dropSite = { name: 'purchasing.drop-order-site', text: 'delete from purchasing.order_site where customer_order_id = $1' }
const site = {
  name: 'purchasing.order-site',
  text: 'select site_id as "siteId" from purchasing.order_site where customer_order_id = $1 and company_id = $2',
}

/** The building site an order goes to; null for any other address. */
export async function setOrderSite(db: Db, orderId: string, companyId: string, siteId: string | null): Promise<void> {
  if (siteId === null) await db.run(dropSite, [orderId])
  else await db.run(setSite, [orderId, companyId, siteId])
}

export async function readOrderSite(db: Db, orderId: string, companyId: string): Promise<string | null> {
  return (await db.row<{ siteId: string }>(site, [orderId, companyId]))?.siteId ?? null
}
