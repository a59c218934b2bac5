import { newId, type Db } from '#platform'
import type { ProviderCard } from './provider.ts'
import type { KeptCard } from './saved-card.ts'

const columns = `id, reference, brand, last4, expiry_year as "expiryYear", expiry_month as "expiryMonth", is_default as "isDefault", saved_at as "savedAt"`

// Every statement names the owner: another customer's card is not found.
const all = {
  name: 'payments.cards',
  text: `select ${columns} from payments.saved_card where customer_id = $1 and provider = $2 and removed_at is null
    order by is_default desc, saved_at desc, id limit 100`,
}
const turn = { name: 'payments.take-card-turn', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }
const remove = {
  name: 'payments.remove-card',
  text: `update payments.saved_card set removed_at = now(), is_default = false where customer_id = $1 and id = $2 and removed_at is null`,
}
const undefault = {
  name: 'payments.drop-default-card',
  text: 'update payments.saved_card set is_default = false where customer_id = $1 and provider = $2 and is_default',
}
const prefer = {
  name: 'payments.prefer-card',
  text: 'update payments.saved_card set is_default = true where customer_id = $1 and id = $2 and removed_at is null',
}
const mirror = {
  name: 'payments.mirror-cards',
  text: `insert into payments.saved_card (id, customer_id, provider, reference, brand, last4, expiry_year, expiry_month, saved_at)
    select card.id, $1, $2, card.reference, card.brand, card.last4, card."expiryYear", card."expiryMonth", card."savedAt"
    from jsonb_to_recordset($3::jsonb) as card (id uuid, reference text, brand text, last4 text, "expiryYear" smallint, "expiryMonth" smallint, "savedAt" timestamptz)
    on conflict (provider, reference) do update set brand = excluded.brand, last4 = excluded.last4,
      expiry_year = excluded.expiry_year, expiry_month = excluded.expiry_month
    where saved_card.customer_id = excluded.customer_id and saved_card.removed_at is null`,
}
const removeUnlisted = {
  name: 'payments.remove-unlisted-cards',
  text: `update payments.saved_card set removed_at = now(), is_default = false
    where customer_id = $1 and provider = $2 and removed_at is null and reference <> all ($3::text[])`,
}

/** Saved cards of a customer with this provider: the default first, then the newest. */
export function readCards(db: Db, customerId: string, provider: string): Promise<KeptCard[]> {
  return db.rows<KeptCard>(all, [customerId, provider])
}

/** Changes to the cards of one customer follow one another until the transaction ends. */
export async function takeCardTurn(db: Db, customerId: string): Promise<void> {
  await db.run(turn, [`cards ${customerId}`])
}

/** False when this customer has no such card. */
export async function removeCard(db: Db, customerId: string, id: string): Promise<boolean> {
  return (await db.run(remove, [customerId, id])) === 1
}

export async function writeDefaultCard(db: Db, customerId: string, provider: string, id: string): Promise<void> {
  // A unique index is checked row by row: the old default is cleared before the new one is set.
  await Promise.all([db.run(undefault, [customerId, provider]), db.run(prefer, [customerId, id])])
}

/** Takes over the provider's list of a customer's cards. A card that was deleted here stays deleted. */
export async function mirrorCards(db: Db, customerId: string, provider: string, cards: readonly ProviderCard[]): Promise<void> {
  const listed = JSON.stringify(cards.map((card) => ({ id: newId(), ...card })))
  const references = cards.map(({ reference }) => reference)
  await Promise.all([db.run(mirror, [customerId, provider, listed]), db.run(removeUnlisted, [customerId, provider, references])])
}

const expiring = {
  name: 'payments.expiring-cards',
  text: `select ${columns}, customer_id as "customerId" from payments.saved_card
    where provider = $1 and removed_at is null and ($2::uuid is null or id > $2)
      and make_date(expiry_year, expiry_month, 1) + interval '1 month' between $3::timestamptz and $3::timestamptz + make_interval(days => $4)
    order by id limit $5`,
}

/** Saved cards of all customers that expire within so many days: for jobs only. */
export function readExpiringCards(
  db: Db,
  { provider, after, now, days, limit }: { provider: string; after: string | null; now: Date; days: number; limit: number },
): Promise<(KeptCard & { customerId: string })[]> {
  return db.rows(expiring, [provider, after, now, days, limit])
}

const customerReference = {
  name: 'payments.customer-reference',
  text: 'select reference from payments.provider_customer where customer_id = $1 and provider = $2',
}
const keepCustomer = {
  name: 'payments.keep-customer',
  text: 'insert into payments.provider_customer (customer_id, provider, reference) values ($1, $2, $3) on conflict (customer_id, provider) do nothing',
}

/** The customer's id at the provider; undefined for those who have never paid signed in. */
export async function readProviderCustomer(db: Db, customerId: string, provider: string): Promise<string | undefined> {
  return (await db.row<{ reference: string }>(customerReference, [customerId, provider]))?.reference
}

export async function writeProviderCustomer(db: Db, customerId: string, provider: string, reference: string): Promise<void> {
  await db.run(keepCustomer, [customerId, provider, reference])
}

const dropCustomers = {
  name: 'payments.drop-customers',
  text: 'delete from payments.provider_customer where customer_id = $1 returning provider, reference',
}
const dropCards = { name: 'payments.drop-cards', text: 'delete from payments.saved_card where customer_id = $1' }

/** Forgets a customer's cards; answers where providers still know them. */
export async function forgetCards(db: Db, customerId: string): Promise<{ provider: string; reference: string }[]> {
  const [known] = await Promise.all([
    db.rows<{ provider: string; reference: string }>(dropCustomers, [customerId]),
    db.run(dropCards, [customerId]),
  ])
  return known
}
