import type { Db } from '@purlin/server/foundation/platform/index.ts'
import { subscriptionCharge } from '@purlin/server/selling/payments/provider.ts'
import type { Known, KnownCredit } from '@purlin/services/index.ts'

const payments = {
  name: 'demo.past-payments',
  text: `select p.provider_reference as id, p.id::text as reference, p.customer_order_id as description, p.market, p.amount, p.currency, p.captured,
      p.refunded, p.created_at as created, case when p.card_last4 is not null then jsonb_build_object('brand', p.card_brand, 'last4', p.card_last4) end as card
    from payments.payment p where p.provider = 'embedded' and p.provider_reference like 'pi\\_past\\_%'
    union all
    select c.reference, $1 || c.id, 'Purlin Pro ' || c.sequence, s.market, c.gross, c.currency, c.gross, 0, c.paid_at,
      jsonb_build_object('brand', s.card_brand, 'last4', s.card_last4)
    from subscriptions.charge c join subscriptions.subscription s on s.id = c.subscription_id
    where s.provider = 'embedded' and c.state = 'paid' and c.reference like 'pi\\_subscription\\_%'`,
}
const customers = {
  name: 'demo.past-customers',
  text: `select c.reference as id, c.customer_id::text as reference, max(k.reference) filter (where k.is_default) as "defaultCard",
      jsonb_agg(jsonb_build_object('id', k.reference, 'last4', k.last4, 'expiry', jsonb_build_object('year', k.expiry_year, 'month', k.expiry_month),
        'savedAt', k.saved_at) order by k.saved_at) as cards
    from payments.provider_customer c join payments.saved_card k on k.customer_id = c.customer_id and k.provider = c.provider and k.removed_at is null
    where c.provider = 'embedded' and c.reference like 'cus\\_past\\_%' group by c.reference, c.customer_id
    union all
    select s.provider_customer, 'company:' || s.company_id, s.card_reference, jsonb_build_array(jsonb_build_object('id', s.card_reference, 'last4', s.card_last4,
        'expiry', jsonb_build_object('year', s.card_expiry_year, 'month', s.card_expiry_month), 'savedAt', s.created_at))
    from subscriptions.subscription s where s.provider = 'embedded' and s.provider_customer like 'cus\\_past\\_%'`,
}
type Row = Omit<Known['customers'][number], 'cards'> & {
  cards: (Omit<Known['customers'][number]['cards'][number], 'savedAt'> & { savedAt: string })[]
}

/** The demo's history for the embedded provider: past payments and saved cards. */
export async function readPastPayments(db: Db): Promise<Known> {
  const people = await db.rows<Row>(customers)
  return {
    payments: await db.rows<Known['payments'][number]>(payments, [subscriptionCharge]),
    customers: people.map(({ cards, ...person }) => ({
      ...person,
      cards: cards.map(({ savedAt, ...card }) => ({ ...card, savedAt: new Date(savedAt) })),
    })),
  }
}

const orders = {
  name: 'demo.past-credit-orders',
  text: `select p.provider_reference as uuid, p.id::text as code, p.customer_order_id as description, p.amount, p.currency, p.market, p.origin as "returnUrl",
      jsonb_build_object('external_code', c.id, 'name', c.name, 'registration_number', c.vat_number, 'country', c.country) as debtor,
      extract(epoch from p.created_at)::float8 * 1000 as "createdAt"
    from payments.payment p join accounts.company c on c.id = p.company_id where p.provider_reference like 'co-past-%'`,
}
const invoices = {
  name: 'demo.past-credit-invoices',
  text: `select c.reference as uuid, c.id::text as code, 'co-past-' || c.payment_id as "order", c.number, c.seller_order_id as shipment, c.amount, c.credited,
      c.repaid as paid, c.due_on::text as "dueOn"
    from credit.claim c where c.reference like 'ci-past-%'`,
}
const collections = {
  name: 'demo.past-collections',
  text: `select s.id::text as uuid, s.id::text as code, s.company_id::text as debtor, s.number, s.due_on::text as "dueOn",
      array_agg(c.id::text order by c.issued_on, c.id) as invoices
    from credit.statement s join credit.statement_claim sc on sc.statement_id = s.id join credit.claim c on c.id = sc.claim_id
    where c.reference like 'ci-past-%' group by s.id`,
}

/** The demo's history for the embedded credit provider: confirmed orders, invoices of parcels, statements. */
export async function readPastCredit(db: Db): Promise<KnownCredit> {
  return {
    orders: await db.rows<KnownCredit['orders'][number]>(orders),
    invoices: await db.rows<KnownCredit['invoices'][number]>(invoices),
    collections: await db.rows<KnownCredit['collections'][number]>(collections),
  }
}
