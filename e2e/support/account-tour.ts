import { randomUUID } from 'node:crypto'
import type { Market } from '@purlin/contract/markets.ts'
import { createPool } from '@purlin/server/foundation/platform/index.ts'
import { addCustomer, signIn } from '@purlin/server/people/accounts/testing.ts'
import type { BrowserContext } from 'playwright-core'
import { queryData } from './ask.ts'
import { people } from './visitor.ts'

/** The pages of signing in, of the account and of wishlists in each of their states, for whoever looks at them. */
export interface Stop {
  name: string
  path: string
  /** Sends the form of this button as a browser without validation would, with its fields emptied. */
  failing?: string
}

export const signInStops: readonly Stop[] = [
  { name: 'login', path: '/login?callbackUrl=/cart' },
  { name: 'login-required', path: '/login?error=SessionRequired' },
  { name: 'login-failed', path: '/login?error=OAuthCallback' },
  { name: 'auth-error-down', path: '/auth/error-page?error=OAuthSignin&callbackUrl=/cart' },
  { name: 'auth-error-unconfirmed', path: '/auth/error-page?error=Verification' },
]

const rooms: readonly Stop[] = [
  { name: 'customer-area', path: '/customer-area' },
  { name: 'orders', path: '/orders' },
  { name: 'addresses', path: '/my-account/addresses' },
  { name: 'wishlists', path: '/my-account/wishlists' },
  { name: 'settings', path: '/settings' },
  { name: 'wallet', path: '/my-wallet' },
  { name: 'advantages', path: '/my-advantages' },
  { name: 'tax-information', path: '/my-tax-information' },
]

/** An account that was opened a minute ago, and forms filled in wrongly. */
export const emptyStops: readonly Stop[] = [
  ...rooms.map(({ name, path }) => ({ name: `${name}-empty`, path })),
  { name: 'address-new', path: '/my-account/addresses?add=1' },
  { name: 'address-failing', path: '/my-account/addresses?add=1', failing: 'form:has([name="line1"])' },
  { name: 'settings-failing', path: '/settings', failing: 'form:has([name="lastName"])' },
  { name: 'wishlists-failing', path: '/my-account/wishlists', failing: 'form:has([name="name"])' },
  { name: 'pre-logout', path: '/auth/pre-logout' },
]

export interface Account {
  /** Puts the session into a browser. */
  enter(context: BrowserContext): Promise<void>
  /** Fills the account; answers what there is to see then. */
  fill(): Promise<Stop[]>
}

/** A customer of a market who has just opened an account. */
export async function newAccount(databaseUrl: string, origin: string, market: Market): Promise<Account> {
  const pool = createPool({ connectionString: databaseUrl, sizes: { commands: 1, single: 1 } })
  const { hostname, port, host } = new URL(origin)
  try {
    const { id } = await addCustomer(pool.db, { market })
    const { token } = await signIn(pool.db, { customerId: id })
    const does = <Data>(query: string, variables: object = {}): Promise<Data> =>
      queryData<Data>(`http://localhost:${port}`, {
        method: 'POST',
        path: '/graphql',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: `__Host-purlin=${token}`, host },
        body: JSON.stringify({ query, variables }),
      })
    return {
      enter: (context) =>
        context.addCookies([
          { name: '__Host-purlin', value: token, domain: hostname, path: '/', secure: true, httpOnly: true, sameSite: 'Lax' },
        ]),
      fill: () => fill(databaseUrl, id, market, does),
    }
  } finally {
    await pool.end()
  }
}

type Does = <Data>(query: string, variables?: object) => Promise<Data>

async function fill(databaseUrl: string, customerId: string, market: Market, does: Does): Promise<Stop[]> {
  const address = { ...people[market], country: market.toUpperCase(), defaults: [] }
  const keep = 'mutation ($input: SavedAddressInput!) { keepAddress(input: $input) { address { id } refusal { message } } }'
  const { keepAddress } = await does<{ keepAddress: { address: { id: string } } }>(keep, { input: address })
  await does(keep, { input: { ...address, company: 'Example Joinery & Sons', line2: 'Building 2, second floor' } })
  const { listing } = await does<{ listing: { cards: { productId: string; offerId: string }[] } }>(
    '{ listing(input: { kind: deals, pageSize: 4 }) { cards { productId offerId } } }',
  )
  const { createWishlist } = await does<{ createWishlist: { id: string } }>('mutation { createWishlist(name: "Bathroom 2027") { id } }')
  const list = createWishlist.id
  for (const { productId } of listing.cards)
    await does('mutation ($id: ID!, $list: ID!) { addToWishlist(productId: $id, listId: $list) { id } }', { id: productId, list })
  await does('mutation ($list: ID!) { shareWishlist(id: $list, isShared: true) { id } }', { list })
  await addCard(databaseUrl, customerId)
  const order = await placeOrder(does, listing.cards[0]?.offerId ?? '', people[market])
  return [
    ...rooms.map(({ name, path }) => ({ name: `${name}-filled`, path })),
    { name: 'address-changed', path: `/my-account/addresses?edit=${keepAddress.address.id}` },
    { name: 'wishlist', path: `/my-account/wishlists/${list}` },
    { name: 'order-of-account', path: `/orders/customer-order/${order.id}/shipment/${order.sellerOrders[0]?.id}` },
  ]
}

interface Ordered {
  id: string
  sellerOrders: { id: string; seller: { id: number }; deliveryKind: string }[]
}

async function placeOrder(does: Does, offerId: string, input: object): Promise<Ordered> {
  await does('mutation ($id: ID!) { addToCart(offerId: $id, quantity: 1) { refusal { message } } }', { id: offerId })
  const { saveAddress } = await does<{ saveAddress: { order: Ordered } }>(
    'mutation ($input: AddressInput!) { saveAddress(input: $input) { order { id sellerOrders { id seller { id } deliveryKind } } refusal { message } } }',
    { input },
  )
  const { order } = saveAddress
  const choices = order.sellerOrders.map(({ seller, deliveryKind }) => ({ sellerId: seller.id, kind: deliveryKind }))
  await does(
    'mutation ($id: ID!, $key: String!, $choices: [DeliveryChoiceInput!]) { placeOrder(customerOrderId: $id, idempotencyKey: $key, choices: $choices) { refusal { message } } }',
    { id: order.id, key: randomUUID(), choices },
  )
  return order
}

/** A card that expires soon, as the provider would list it. */
async function addCard(databaseUrl: string, customerId: string): Promise<void> {
  const pool = createPool({ connectionString: databaseUrl, sizes: { commands: 1, single: 1 } })
  const soon = new Date(Date.now() + 30 * 86_400_000)
  try {
    await pool.query(
      `insert into payments.saved_card (id, customer_id, provider, reference, brand, last4, expiry_year, expiry_month, is_default, saved_at)
       values ($1, $2, 'embedded', $1::uuid::text, 'visa', '4242', 2039, 12, true, now()),
         ($3, $2, 'embedded', $3::uuid::text, 'mastercard', '4444', $4, $5, false, now())`,
      [randomUUID(), customerId, randomUUID(), soon.getUTCFullYear(), soon.getUTCMonth() + 1],
    )
  } finally {
    await pool.end()
  }
}
