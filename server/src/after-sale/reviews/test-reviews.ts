import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Principal } from '@purlin/contract/principal.ts'
import { findSession, sessionIdOf } from '#accounts'
import { connectSearch } from '#listing'
import type { Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { addCustomer, addStaff, signIn } from '../../people/accounts/testing.ts'
import { addOffer, fillShop, newBuyer, type Buyer } from '../../selling/checkout/testing.ts'

/** Reviews from the invitation to the rating on the card, through the gateway. */

const operatorKey = 'operator-key-of-the-review-tests-0001'
useSettings({ OPERATOR_API_KEY: operatorKey })
export const database = await testDatabase()
export const { db, pool } = database
await fillShop(database)
connectSearch({ version: () => 1, multiSearch: () => Promise.reject(new Error('no engine')) } as never)
export const gateway = await testGateway(pool)

let offers = 8000
export async function newOffer(sellerId = 1): Promise<string> {
  const id = String((offers += 1))
  await addOffer(database, { id, sellerId })
  return id
}

export interface Person extends Buyer {
  cookie: string
}
async function person(token: string): Promise<Person> {
  const found = await findSession(db, sessionIdOf(token) ?? '', 'b2c')
  const principal: Principal = found?.principal ?? { kind: 'guest', id: null, email: null }
  const overrides: Partial<Scope> = { principal, session: { id: sessionIdOf(token) ?? '' } }
  return { ...newBuyer(database, overrides), cookie: `__Host-purlin=${token}` }
}
export const customer = async () => person((await signIn(db, { customerId: (await addCustomer(db)).id })).token)
export async function seller(sellerId: number): Promise<{ cookie: string }> {
  const { id: staffId } = await addStaff(db, { sellerId, roles: [{ role: 'seller', market: null }] })
  return { cookie: `__Host-purlin-staff=${(await signIn(db, { staffId, family: 'staff' })).token}` }
}
export async function guest(): Promise<Person> {
  const { id, token } = await signIn(db, {})
  await pool.query(`update accounts.session set guest_email = 'guest-' || id || '@example.com' where id = $1`, [id])
  return person(token)
}

export interface Outcome {
  id: string | null
  isPending: boolean
  refusal: { reason: string; fields: { field: string; message: string }[] } | null
}
export interface Body<Answer> {
  data: { answer: Answer } | null
  errors?: { extensions: { code: string } }[]
}
export async function call<Answer = Outcome>(who: { cookie: string }, document: string, variables: object = {}): Promise<Answer> {
  const body: Body<Answer> = (await gateway.post(document, variables, { cookie: who.cookie })).body
  assert.ok(body.data, JSON.stringify(body.errors))
  return body.data.answer
}
export const outcome = '{ id isPending refusal { reason fields { field message } } }'
/** Unique, in letters alone: digits in a row would look like a phone number to the checks. */
const word = () => randomUUID().replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
export const text = () => ({ stars: 4, title: 'Good drill', body: `It has drilled ${word()} holes in old brick.`, author: 'Ann B.' })
export const write = (who: { cookie: string }, key: string, more: object = {}) =>
  call(who, `mutation ($input: ReviewInput!) { answer: writeReview(input: $input) ${outcome} }`, { input: { key, ...text(), ...more } })
export const ratingOf = async (productId: string) =>
  (await pool.query('select rating::float8 as rating, rating_count as count from catalogue.product where id = $1', [productId])).rows[0]
export const operator = (path: string, init: RequestInit = {}) =>
  fetch(gateway.url + path, {
    ...init,
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
  })
export const decide = async (kind: string, id: string | null, body: object) =>
  (await operator(`/api/v1/operator/contributions/${kind}/${id}`, { method: 'PUT', body: JSON.stringify(body) })).status
