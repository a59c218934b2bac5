import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { newGuest, type Guest } from './shop-process.ts'

const address = { firstName: 'Robin', lastName: 'Field', line1: '1 Mill Lane', postcode: 'SW1A 1AA', city: 'London', phone: '07700 900123' }

/** The page of an order asks with this document; it goes before requests of programs (decision 051). */
const orderDocument = Object.entries(knownDocuments).find(([, text]) => text.startsWith('query CustomerOrder('))

export interface Draft {
  guest: Guest
  orderId: string
}

/** A guest with one piece in the basket who has given an address and chosen the delivery. */
export function draft(port: number, offerId: string, email: string): Promise<Draft> {
  return draftAs(newGuest(port), offerId, email)
}

export async function draftAs(guest: Guest, offerId: string, email: string): Promise<Draft> {
  await guest.ask('mutation ($id: ID!) { addToCart(offerId: $id, quantity: 1) { refusal { reason } } }', { id: offerId })
  await guest.ask('mutation ($email: String!) { continueAsGuest(email: $email) { refusal { reason } } }', { email })
  const saved = await guest.ask(
    'mutation ($input: AddressInput!) { saveAddress(input: $input) { order { id sellerOrders { seller { id } deliveryKind } } refusal { reason fields { field } } } }',
    { input: address },
  )
  const { order, refusal } = saved['saveAddress'] as {
    order: { id: string; sellerOrders: { seller: { id: number }; deliveryKind: string }[] } | null
    refusal: { reason: string } | null
  }
  if (!order) throw new Error(`The address was refused: ${refusal?.reason}`)
  const choices = order.sellerOrders.map(({ seller, deliveryKind }) => ({ sellerId: seller.id, kind: deliveryKind }))
  await guest.ask(
    'mutation ($id: ID!, $choices: [DeliveryChoiceInput!]!) { chooseDelivery(customerOrderId: $id, choices: $choices) { refusal { reason } } }',
    { id: order.id, choices },
  )
  return { guest, orderId: order.id }
}

/** Places the order with one key, as often as its guest tries: "sold", or why it was refused. */
export async function place({ guest, orderId }: Draft): Promise<string> {
  const answer = await guest.ask(
    'mutation ($id: ID!, $key: String!) { placeOrder(customerOrderId: $id, idempotencyKey: $key) { order { id } refusal { reason } } }',
    { id: orderId, key: randomUUID() },
  )
  const { order, refusal } = answer['placeOrder'] as { order: { id: string } | null; refusal: { reason: string } | null }
  assert.ok(refusal === null ? order?.id === orderId : true)
  return refusal?.reason ?? 'sold'
}

/** Pays, and waits until the shop says that the order is paid. */
export async function pay(made: Draft, number: string, patienceMs = 60_000): Promise<void> {
  const end = Date.now() + patienceMs
  await enterCard(made, number, patienceMs)
  while (Date.now() < end) {
    if ((await read(made)).state === 'PAID') return
    await sleep(50)
  }
  assert.fail(`${made.orderId} was not paid within ${patienceMs / 1000} s`)
}

/** Enters a card as soon as its fields are available; the provider stores nothing incomplete, so this can be repeated. */
export async function enterCard(made: Draft, number: string, patienceMs = 60_000): Promise<void> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(50)) {
    const { state, payment } = await read(made)
    if (state === 'PAID') return
    if (!payment?.frameUrl) continue
    const body = new URLSearchParams({ number, expiry: '12 / 39', code: '123', name: 'Robin Field' })
    const isSent = await fetch(payment.frameUrl.replace('pay.localhost', 'localhost'), {
      method: 'POST',
      body,
      headers: { connection: 'close' },
    }).then(
      async (response) => (await response.text(), response.ok),
      () => false,
    )
    if (isSent) return
  }
  assert.fail(`${made.orderId} could not be paid within ${patienceMs / 1000} s`)
}

async function read({ guest, orderId }: Draft): Promise<{ state: string; payment: { frameUrl: string | null } | null }> {
  const [hash, document] = orderDocument ?? assert.fail('No document reads an order')
  return (await guest.ask(document, { id: orderId }, hash))['customerOrder'] as never
}
