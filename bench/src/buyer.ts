import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type Answer } from '@purlin/e2e/support/ask.ts'
import { people } from '@purlin/e2e/support/visitor.ts'
import { asked } from './questions.ts'

/** A card of the embedded provider that pays without a challenge. */
const card = { number: '4000000000000002', expiry: '12 / 39', code: '123', name: 'Test Buyer' }

/** The shop responds when the moment has come, as for its own pages; if it could not wait, the request is repeated. */
const askAgainMs = 50
const patienceMs = 15_000

interface OrderSeen {
  id: string
  state: string
  payment: { frameUrl: string | null } | null
  sellerOrders: { seller: { id: number }; deliveryKind: string }[]
}

const order = '{ id state payment { frameUrl } sellerOrders { seller { id } deliveryKind } }'
const refusal = 'refusal { reason message }'
const documents = {
  add: `mutation ($offerId: ID!) { addToCart(offerId: $offerId, quantity: 1) { ${refusal} } }`,
  guest: `mutation ($email: String!) { continueAsGuest(email: $email) { ${refusal} } }`,
  address: `mutation ($input: AddressInput!) { saveAddress(input: $input) { order ${order} ${refusal} } }`,
  delivery: `mutation ($id: ID!, $choices: [DeliveryChoiceInput!]!) { chooseDelivery(customerOrderId: $id, choices: $choices) { ${refusal} } }`,
  place: `mutation ($id: ID!, $key: String!) { placeOrder(customerOrderId: $id, idempotencyKey: $key) { ${refusal} } }`,
  look: `query ($id: ID!, $until: OrderMoment!) { customerOrder(id: $id, until: $until) { id state payment { frameUrl } } }`,
}

/** A guest of the gb shop who knows what they want, over HTTP like a browser's scripts. */
export interface Buyer {
  /** Cart, e-mail, address and delivery. Returns the draft's id. */
  draft(offerId: string): Promise<string>
  /** Places the order, enters the card at the provider and waits until the order is paid. */
  pay(orderId: string): Promise<{ placeToPayableMs: number; cardToPaidMs: number }>
}

/** @throws from its functions on any refusal: a fast refusal is not an order */
export function newBuyer(origin: string): Buyer {
  let cookie = ''
  async function does<Data>(document: string, variables: object): Promise<Data> {
    const answer = await ask(origin, asked(document, variables, cookie ? { cookie, origin } : {}))
    cookie ||= cookieOf(answer)
    const { data, errors } = JSON.parse(answer.body.toString()) as { data?: Record<string, { refusal?: unknown } | null>; errors?: unknown }
    const [result] = Object.values(data ?? {})
    if (errors || !result || result.refusal) throw new Error(`A buyer was refused: ${answer.body.toString().slice(0, 300)}`)
    return result as Data
  }
  async function until(id: string, moment: 'payable' | 'settled', holds: (seen: OrderSeen) => boolean): Promise<OrderSeen> {
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(askAgainMs)) {
      const seen = await does<OrderSeen>(documents.look, { id, until: moment })
      if (holds(seen)) return seen
    }
    throw new Error(`Order ${id} was not paid within ${patienceMs} ms`)
  }
  return {
    async draft(offerId) {
      await does(documents.add, { offerId })
      await does(documents.guest, { email: `${randomUUID()}@example.com` })
      const { order: draft } = await does<{ order: OrderSeen }>(documents.address, { input: people.gb })
      const choices = draft.sellerOrders.map(({ seller, deliveryKind }) => ({ sellerId: seller.id, kind: deliveryKind }))
      await does(documents.delivery, { id: draft.id, choices })
      return draft.id
    },
    async pay(id) {
      const placedAt = performance.now()
      await does(documents.place, { id, key: randomUUID() })
      const { payment } = await until(id, 'payable', (seen) => Boolean(seen.payment?.frameUrl))
      const payableAt = performance.now()
      await typeCard(String(payment?.frameUrl))
      const typedAt = performance.now()
      await until(id, 'settled', ({ state }) => state.toLowerCase() === 'paid')
      return { placeToPayableMs: payableAt - placedAt, cardToPaidMs: performance.now() - typedAt }
    },
  }
}

async function typeCard(frameUrl: string): Promise<void> {
  const { host, port, pathname, search } = new URL(frameUrl)
  // Not every resolver knows the names below localhost; the Host header selects the site.
  const answer = await ask(`http://127.0.0.1:${port}`, {
    method: 'POST',
    path: pathname + search,
    headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(card).toString(),
  })
  if (answer.status >= 400) throw new Error(`The payment provider answered ${answer.status}`)
}

function cookieOf({ headers }: Answer): string {
  return [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => line.split(';')[0])
    .join('; ')
}
