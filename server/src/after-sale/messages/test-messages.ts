import { test } from 'node:test'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCustomer, addMembership, addStaff, signIn } from '../../people/accounts/testing.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from '../../selling/checkout/testing.ts'

const operatorKey = 'an-operator-key-of-the-tests-with-32-bytes'
useSettings({ OPERATOR_API_KEY: operatorKey })
export const database = await testDatabase({ upTo: 'messages' })
export const { db, pool } = database
await fillShop(database)
await addOffer(database, { id: '901', sellerId: 1 })
await addOffer(database, { id: '902', sellerId: 2 })
export const gateway = await testGateway(pool)
test.after(() => gateway.close())

export const cookieOf = (token: string) => `__Host-purlin=${token}`
export async function customer(companyId?: string, role = 'buyer') {
  const person = await addCustomer(db)
  if (companyId) await addMembership(db, person.id, companyId, role)
  const { id: sessionId, token } = await signIn(db, { customerId: person.id, ...(companyId && { companyId }) })
  return { ...person, sessionId, cookie: cookieOf(token), companyId: companyId ?? null }
}
export type Person = Awaited<ReturnType<typeof customer>>
export async function clerk(sellerId: number) {
  const { id } = await addStaff(db, { sellerId, roles: [{ role: 'seller', market: null }] })
  return `__Host-purlin-staff=${(await signIn(db, { staffId: id, family: 'staff' })).token}`
}
/** A paid order with a part of each of two sellers. Returns the ids of the parts. */
export async function ordered(person: Person): Promise<[string, string]> {
  const { id, email, name, market, companyId } = person
  const account = { id, email, name, market }
  const principal = companyId
    ? ({ kind: 'member', ...account, role: 'buyer', company: { id: companyId, country: 'GB' } } as const)
    : ({ kind: 'customer', ...account } as const)
  const buyer = newBuyer(database, { principal, session: { id: person.sessionId } })
  const order = await draftOrder(buyer, [
    { offerId: '901', quantity: 1 },
    { offerId: '902', quantity: 2 },
  ])
  must(await place(buyer, order))
  await pool.query(`update orders.customer_order set state = 'paid', email = $2 where id = $1`, [order, email])
  await pool.query(`update orders.seller_order set state = 'pending' where customer_order_id = $1`, [order])
  return [`${order}-1`, `${order}-2`]
}

interface Shown {
  viewer: string
  lastSeq: number
  answerDueAt: string | null
  isAnswerLate: boolean
  messages: {
    seq: number
    author: string
    body: string
    isMasked: boolean
    isUnread: boolean
    rating: number | null
    files: { url: string; name: string }[]
  }[]
  quickReplies: { id: string; text: string }[]
}
export interface Answer<Data> {
  data: Data | null
  errors?: { extensions: { code: string } }[]
}
export const ask = async <Data>(cookie: string, query: string, variables: object = {}): Promise<Answer<Data>> =>
  (await gateway.post(query, variables, { cookie })).body
export const isStaff = (cookie: string) => cookie.includes('purlin-staff')
export const shown = async (cookie: string, orderId: string) =>
  (
    await ask<{ conversation: Shown | null }>(
      cookie,
      `query ($orderId: ID!) { conversation: ${isStaff(cookie) ? 'sellerConversation' : 'conversation'}(orderId: $orderId) { viewer lastSeq answerDueAt isAnswerLate quickReplies { id text }
        messages { seq author body isMasked isUnread rating files { url name } } } }`,
      { orderId },
    )
  ).data?.conversation ?? null
export const write = async (cookie: string, orderId: string, input: object) =>
  (
    await ask<{ writeMessage: { seq: number | null; isMasked: boolean | null; refusal: { reason: string; message: string } | null } }>(
      cookie,
      `mutation ($orderId: ID!, $input: WriteMessageInput!) { writeMessage: ${isStaff(cookie) ? 'answerConversation' : 'writeMessage'}(orderId: $orderId, input: $input) { seq isMasked refusal { reason message } } }`,
      { orderId, input },
    )
  ).data?.writeMessage
export const unread = async (cookie: string) =>
  (await ask<{ unreadConversations: number }>(cookie, '{ unreadConversations }')).data?.unreadConversations
export const markRead = (cookie: string, orderId: string, upTo: number) =>
  ask(cookie, 'mutation ($orderId: ID!, $upTo: Int!) { markConversationRead(orderId: $orderId, upTo: $upTo) }', { orderId, upTo })
export const mails = (to: string) =>
  db.rows<{ template: string; subject: string; text: string }>(
    { name: 'test.mails', text: 'select template, subject, body_text as text from mail.mail where recipient = $1 order by id' },
    [to],
  )
export const operator = (method: string, path: string, body?: object) =>
  fetch(`${gateway.url}/api/v1/operator/${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })

export const [sellerOne, sellerTwo] = [await clerk(1), await clerk(2)]
