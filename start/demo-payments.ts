import type { Db } from '@purlin/server/foundation/platform/index.ts'
import type { Known } from '@purlin/services/index.ts'

const payments = {
  name: 'demo.past-payments',
  text: `select p.provider_reference as id, p.id::text as reference, p.customer_order_id as description, p.market, p.amount, p.currency, p.captured,
      p.refunded, p.created_at as created, case when p.card_last4 is not null then jsonb_build_object('brand', p.card_brand, 'last4', p.card_last4) end as card
    from payments.payment p where p.provider = 'embedded' and p.provider_reference like 'pi\\_past\\_%'`,
}
const customers = {
  name: 'demo.past-customers',
  text: `select c.reference as id, c.customer_id::text as reference, max(k.reference) filter (where k.is_default) as "defaultCard",
      jsonb_agg(jsonb_build_object('id', k.reference, 'last4', k.last4, 'expiry', jsonb_build_object('year', k.expiry_year, 'month', k.expiry_month),
        'savedAt', k.saved_at) order by k.saved_at) as cards
    from payments.provider_customer c join payments.saved_card k on k.customer_id = c.customer_id and k.provider = c.provider and k.removed_at is null
    where c.provider = 'embedded' and c.reference like 'cus\\_past\\_%' group by c.reference, c.customer_id`,
}
type Row = Omit<Known['customers'][number], 'cards'> & {
  cards: (Omit<Known['customers'][number]['cards'][number], 'savedAt'> & { savedAt: string })[]
}

/** The demo's history for the embedded provider: past payments and saved cards. */
export async function readPastPayments(db: Db): Promise<Known> {
  const people = await db.rows<Row>(customers)
  return {
    payments: await db.rows<Known['payments'][number]>(payments),
    customers: people.map(({ cards, ...person }) => ({
      ...person,
      cards: cards.map(({ savedAt, ...card }) => ({ ...card, savedAt: new Date(savedAt) })),
    })),
  }
}
