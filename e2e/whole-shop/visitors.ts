import { randomUUID } from 'node:crypto'
import type { Mode } from '@purlin/contract/markets.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import type { TestGateway } from '@purlin/server/edges/gateway/testing.ts'
import { testDatabase, useSettings, type TestDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { newId } from '@purlin/server/foundation/platform/index.ts'
import { findSession, ownerOf, sessionIdOf } from '@purlin/server/people/accounts/index.ts'
import { addCompany, addCustomer, addMembership, addStaff, signIn } from '@purlin/server/people/accounts/testing.ts'
import { keepAddress } from '@purlin/server/people/addresses/keep-address.ts'
import { fakeProvider, type FakeProvider } from '@purlin/server/people/auth/test-provider.ts'
import { addresses, draftOrder, must, newBuyer, place, type Buyer } from '@purlin/server/selling/checkout/testing.ts'
import { insertUpload, settleUpload } from '@purlin/server/people/uploads/store.ts'
import { openDispute } from '@purlin/server/after-sale/disputes/index.ts'
import { writeMessage } from '@purlin/server/after-sale/messages/index.ts'
import { addToWishlist, createWishlist } from '@purlin/server/selling/wishlists/change-wishlists.ts'
import type { TestReply } from '@purlin/web/testing.ts'
import { thingsOfCompany, type CompanyThings } from './company-things.ts'
import { serveShop, type AskOptions, type ShopPages } from './serve-shop.ts'

/** The seven kinds of visitors. */
export const visitorNames = ['anonymous', 'guest', 'customer', 'member', 'other member', 'clerk', 'operator'] as const
export type VisitorName = (typeof visitorNames)[number]
/** Owners' colleagues, who prove that an object can be reached: the admin of the member's company, and staff of the seller of all orders. */
const witnessNames = ['admin', 'seller'] as const
export type Asker = VisitorName | (typeof witnessNames)[number]
export const hosts: Record<Mode, string> = { b2c: 'gb.localhost:3000', b2b: 'pro.gb.localhost:3000' }

/** Those who own objects; the other company's member has none, so that everything they request is foreign. */
export const owners = ['guest', 'customer', 'member'] as const
export type Owner = (typeof owners)[number]

/** A visitor's objects. */
export interface Belongings extends CompanyThings {
  draft: string
  placed: string
  paid: string
  wishlist: string
  /** From their address book; guests have none. */
  address: string | null
  /** A message about the paid order, and the dispute about it. */
  message: string
  dispute: string
  /** A file they have uploaded and not used yet. */
  upload: string
  /** A saved card; guests have none. */
  card: string | null
  /** The company they act for, their place in it, and an invitation into it; members alone have them. */
  company: string | null
  membership: string | null
  invitation: string | null
  /** A refund of their paid order that waits for a bank account. */
  refund: string
  /** A return of their paid order. */
  return: string
  /** A payout of the seller they bought from. */
  payout: string
}

export interface GraphqlAnswer {
  body: string
  data: Record<string, unknown> | null
  /** Number of SQL statements of the request. */
  statements: number
}

export interface VisitorsShop {
  database: TestDatabase
  gateway: TestGateway
  provider: FakeProvider
  belongings: Record<Owner, Belongings>
  /** Everything that identifies a visitor or their objects: addresses, names, ids, tokens. */
  personal: string[]
  /** Puts another person in the owner's place, with objects of the same kinds, for tests that use them up. */
  renew(owner: 'customer' | 'member'): Promise<Belongings>
  /** Empties the page cache. */
  forgetPages(): void
  cachedPages(): { entries: number; bytes: number }
  ask(visitor: Asker, mode: Mode, path: string, options?: AskOptions): Promise<TestReply>
  graphql(visitor: Asker, mode: Mode, query: string, variables?: object): Promise<GraphqlAnswer>
  close(): Promise<void>
}

const mailOf = (visitor: string) => `${visitor.replace(' ', '-')}@visitors.example`

/**
 * The whole shop in one process, with seven visitors, each with a session on both storefronts. `change` replaces page files,
 * for tests that plant a mistake; `fill` adds goods and content to those that everybody here has bought.
 */
export async function shopWithVisitors({
  change = (pages) => pages,
  fill = async () => undefined,
  trustProxy,
}: {
  change?: (pages: ShopPages) => ShopPages
  fill?: (database: TestDatabase) => Promise<void>
  trustProxy?: string
} = {}): Promise<VisitorsShop> {
  const database = await testDatabase()
  await fillWithGoods(database)
  await fill(database)
  const provider = await fakeProvider()
  useSettings(provider.settings)
  const { gateway, storefront, send, close } = await serveShop(database, { change, ...(trustProxy !== undefined && { trustProxy }) })
  const people = await addPeople(database)
  const belongings = {} as Record<Owner, Belongings>
  for (const owner of owners) belongings[owner] = await giveBelongings(database, people[owner])
  const ask: VisitorsShop['ask'] = (visitor, mode, path, options = {}) =>
    send({
      ...options,
      path,
      host: options.host ?? hosts[mode],
      cookie: [people[visitor].cookies[mode], options.cookies].filter(Boolean).join('; '),
    })
  return {
    database,
    gateway,
    provider,
    belongings,
    personal: namesOf(people, belongings),
    renew: async (owner) => {
      people[owner] = await another(database, owner, people[owner])
      return giveBelongings(database, people[owner])
    },
    forgetPages: () => storefront.purge(null),
    cachedPages: () => storefront.cache.stats(),
    ask,
    graphql: async (visitor, mode, query, variables = {}) => {
      const { body, headers } = await ask(visitor, mode, '/graphql', { json: { query, variables } })
      return { body, data: (JSON.parse(body) as { data: GraphqlAnswer['data'] }).data, statements: Number(headers['x-sql-statements']) }
    },
    close: async () => {
      await close()
      provider.close()
    },
  }
}

function namesOf(people: Record<Asker, Person>, belongings: Record<Owner, Belongings>): string[] {
  const ofPeople = visitorNames.flatMap((visitor) => {
    const { id, name, cookies } = people[visitor]
    const tokens = Object.values(cookies).flatMap((cookie) => [...cookie.matchAll(/=([\w-]{20,})/g)].map(([, token = '']) => token))
    return [mailOf(visitor), ...(name.startsWith('Robin') ? [name] : []), ...(id ? [id] : []), ...tokens]
  })
  return [...ofPeople, ...owners.flatMap((owner) => Object.values(belongings[owner]).filter((id) => id !== null))]
}

interface Person {
  id: string
  name: string
  principal: Principal
  /** The Cookie header on each storefront. */
  cookies: Record<Mode, string>
}

const stranger: Principal = { kind: 'guest', id: null, email: null }

async function session({ db }: TestDatabase, who: Parameters<typeof signIn>[1]) {
  const { id, token } = await signIn(db, who)
  return { id, principal: (await findSession(db, sessionIdOf(token) ?? '', who.family ?? 'b2c'))?.principal ?? stranger, token }
}

async function onBoth(database: TestDatabase, id: string, name: string, who: Parameters<typeof signIn>[1]): Promise<Person> {
  const [b2c, b2b] = await Promise.all([session(database, { ...who, family: 'b2c' }), session(database, { ...who, family: 'b2b' })])
  return { id, name, principal: b2c.principal, cookies: { b2c: `__Host-purlin=${b2c.token}`, b2b: `__Host-purlin=${b2b.token}` } }
}

/** A customer with a session on both storefronts; in a company, a member. */
async function addVisitor(
  database: TestDatabase,
  visitor: Asker,
  company?: { id: string; role: string },
  email = mailOf(visitor),
): Promise<Person> {
  const { db, pool } = database
  const { id } = await addCustomer(db)
  const name = `Robin ${visitor.replace(' ', '')}`
  await pool.query('update accounts.customer set email = $2, name = $3 where id = $1', [id, email, name])
  if (company) await addMembership(db, id, company.id, company.role)
  return onBoth(database, id, name, { customerId: id, ...(company && { companyId: company.id }) })
}

/** Another person like this one, who has used up no limit yet. */
async function another(database: TestDatabase, owner: 'customer' | 'member', { principal }: Person): Promise<Person> {
  const company = principal.kind === 'member' ? { id: principal.company.id, role: principal.role } : undefined
  return addVisitor(database, owner, company, `${newId()}@visitors.example`)
}

async function addPeople(database: TestDatabase): Promise<Record<Asker, Person>> {
  const { db, pool } = database
  const customer = (visitor: Asker, company?: { id: string; role: string }) => addVisitor(database, visitor, company)
  // Staff sign in at a back office of their own; their token is also planted where a customer's would be.
  const staff = async (visitor: Asker, of: Parameters<typeof addStaff>[1]): Promise<Person> => {
    const { id } = await addStaff(db, of)
    const { token } = await session(database, { staffId: id, family: 'staff' })
    const cookie = `__Host-purlin-staff=${token}; __Host-purlin=${token}`
    return { id, name: visitor, principal: stranger, cookies: { b2c: cookie, b2b: cookie } }
  }
  const guest = await onBoth(database, '', 'guest', {})
  const emails = await pool.query(`update accounts.session set guest_email = $1 where customer_id is null and staff_id is null`, [
    mailOf('guest'),
  ])
  if (emails.rowCount !== 2) throw new Error('The guest has a session on each storefront')
  if (guest.principal.kind !== 'guest' || guest.principal.id === null) throw new Error('The guest has a session')
  const [company, other] = [await addCompany(db), await addCompany(db)]
  return {
    anonymous: { id: '', name: 'anonymous', principal: stranger, cookies: { b2c: '', b2b: '' } },
    guest: { ...guest, id: guest.principal.id, principal: { ...guest.principal, email: mailOf('guest') } },
    customer: await customer('customer'),
    member: await customer('member', { id: company.id, role: 'buyer' }),
    'other member': await customer('other member', { id: other.id, role: 'admin' }),
    // Of another seller than the one everybody here has bought from.
    clerk: await staff('clerk', { sellerId: 2, roles: [{ role: 'seller', market: null }] }),
    admin: await customer('admin', { id: company.id, role: 'admin' }),
    seller: await staff('seller', { sellerId: 1, roles: (['seller', 'owner'] as const).map((role) => ({ role, market: null })) }),
    operator: await staff('operator', { roles: [{ role: 'support', market: null }] }),
  }
}

async function fillWithGoods({ db }: TestDatabase): Promise<void> {
  await testReference(db)
  await testProduct(db, { id: 41, title: 'Cordless drill' })
  await testOffer(db, { id: 410, productId: 41, price: 12_000, stock: 1000 })
}

/** A draft, an order awaiting payment, a paid one, and a wishlist. */
async function giveBelongings(database: TestDatabase, { principal, id }: Person): Promise<Belongings> {
  const buyer = newBuyer(database, { principal, session: principal.kind === 'guest' ? { id } : null })
  const lines = [{ offerId: '410', quantity: 1 }]
  const ordered = async () => {
    const order = await draftOrder(buyer, lines)
    must(await place(buyer, order))
    return order
  }
  const become = (order: string, state: string) =>
    database.pool.query('update orders.customer_order set state = $2 where id = $1', [order, state])
  const paid = await ordered()
  await become(paid, 'paid')
  await database.pool.query('update orders.customer_order set paid_at = now() where id = $1', [paid])
  await database.pool.query(`update orders.seller_order set state = 'pending' where customer_order_id = $1`, [paid])
  const placed = await ordered()
  // An order awaiting payment would be picked up again by the next draft.
  await become(placed, 'paid')
  const draft = await draftOrder(buyer, lines)
  await database.pool.query(`update orders.customer_order set state = 'awaiting-payment', cart_id = $2 where id = $1`, [
    placed,
    randomUUID(),
  ])
  const fields = `update payments.payment set frame_url = 'http://pay.localhost:3001/fields', provider_reference = id where customer_order_id = $1`
  await database.pool.query(fields, [placed])
  const wishlist = await buyer.does((scope) => createWishlist(scope, 'Shed'))
  if (!wishlist.ok || wishlist.id === null) throw new Error('The wishlist was not created')
  must(await buyer.does((scope) => addToWishlist(scope, '41', wishlist.id)))
  const card = principal.kind === 'guest' ? null : await savedCard(database, id)
  const upload = await sentFile(database, ownerOf({ principal }) ?? '')
  const address = principal.kind === 'guest' ? null : await keptAddress(buyer)
  const [membership, acting] = principal.kind === 'member' ? [id, principal.company.id] : [null, null]
  const company = {
    company: acting,
    membership,
    invitation: await sentInvitation(database, principal),
    ...(await thingsOfCompany(database, principal, draft)),
  }
  const refund = await openRefund(database, paid)
  const disputed = await disputeAbout(database, buyer, `${paid}-1`)
  const returned = await openReturn(database, paid)
  const payout = await madePayout(database)
  return { payout, draft, placed, paid, ...disputed, refund, return: returned, upload, card, wishlist: wishlist.id, address, ...company }
}

async function disputeAbout({ db }: TestDatabase, buyer: Buyer, orderId: string): Promise<{ message: string; dispute: string }> {
  const written = await buyer.does((scope) => writeMessage(scope, 'conversation.write', orderId, { text: 'Where is it?' }))
  if (!written.ok) throw new Error('The message was not written')
  const about = { orderId, messageId: written.id, reason: 'not-received', wish: 'refund', note: 'It never came.' } as const
  const opened = await buyer.does((scope) => openDispute(scope, about))
  if (!opened.ok) throw new Error(`The dispute was not opened: ${opened.reason}`)
  // An unanswered conversation would be reminded of.
  await db.run({ name: 'test.answered', text: 'update messages.conversation set answer_due_at = null, remind_at = null' })
  return { message: written.id, dispute: opened.id }
}

async function madePayout({ pool }: TestDatabase): Promise<string> {
  const id = newId()
  await pool.query(`insert into payouts.run (id, key, currency, cause, cutoff) values ($1, $1::uuid::text, 'GBP', 'operator', now())`, [id])
  await pool.query(
    `insert into payouts.payout (id, number, run_id, seller_id, currency, opening, settled, amount, closing, state, created_at)
     select $1, (select count(*) from payouts.payout) + 1, $1, 1, 'GBP', 0, 5000, 5000, 0, 'paid', now()`,
    [id],
  )
  return id
}

async function sentInvitation({ pool }: TestDatabase, principal: Principal): Promise<string | null> {
  if (principal.kind !== 'member') return null
  const id = newId()
  await pool.query(
    `insert into companies.invitation (id, company_id, email, role, token_hash, invited_by) values ($1, $2, 'kim-' || $1::uuid || '@example.com', 'buyer', $3, $4)`,
    [id, principal.company.id, `hash of ${id}`, principal.id],
  )
  return id
}

async function openReturn({ pool }: TestDatabase, order: string): Promise<string> {
  const id = newId()
  await pool.query(
    `insert into returns.request (id, number, customer_order_id, seller_order_id, seller_id, market, reason, basis, wish, method, state, lines, token_hash)
     select $1, (select count(*) from returns.request) + 1, $2, $2 || '-1', 1, 'gb', 'wrong', 'guarantee', 'refund', 'label', 'requested', '[]', sha256($1::uuid::text::bytea)`,
    [id, order],
  )
  return id
}

async function openRefund({ pool }: TestDatabase, order: string): Promise<string> {
  const id = newId()
  await pool.query(
    `insert into refunds.refund (id, number, key, customer_order_id, seller_order_id, payment_id, cause, state, amount, currency, market, borne_by)
     select $1, (select count(*) from refunds.refund) + 1, $1::uuid::text, $2, $2 || '-1', p.id, 'goodwill', 'iban-needed', 100, p.currency, p.market, 'seller'
     from payments.payment p where p.customer_order_id = $2 order by p.placement desc limit 1`,
    [id, order],
  )
  return id
}

async function savedCard({ pool }: TestDatabase, customerId: string): Promise<string> {
  const id = newId()
  await pool.query(
    `insert into payments.saved_card (id, customer_id, provider, reference, brand, last4, expiry_year, expiry_month, saved_at)
     values ($1, $2, 'embedded', $1::uuid::text, 'visa', '4242', 2099, 12, now())`,
    [id, customerId],
  )
  return id
}

async function sentFile({ db }: TestDatabase, owner: string): Promise<string> {
  const id = newId()
  await insertUpload(db, { id, owner, bytes: 100 })
  await settleUpload(db, id, { key: `upload/${id}`, name: 'photo.jpg', bytes: 100 })
  return id
}

async function keptAddress(buyer: Buyer): Promise<string> {
  const { does } = buyer
  const kept = await does((scope) => keepAddress(scope, null, { ...addresses.gb, country: 'GB', defaults: [] }))
  if (!kept.ok) throw new Error('The address was not saved')
  return kept.address.id
}
