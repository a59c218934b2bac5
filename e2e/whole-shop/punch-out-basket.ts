import assert from 'node:assert/strict'
import { createCredential } from '@purlin/server/selling/punchout/manage-credentials.ts'
import { cxmlDocument, cxmlSetup } from '@purlin/server/selling/punchout/testing.ts'
import { must, type Colleague } from '@purlin/server/selling/checkout/testing.ts'
import type { ServedShop } from './serve-shop.ts'

/** What a purchasing system takes back, in major units as it computes them. */
export interface TakenBack {
  items: { partId: string; quantity: number; unitPrice: number; currency: string }[]
  /** cXML names the sums as well. */
  total: string | null
  tax: string | null
}

export const punchOutProtocols = ['oci', 'cxml'] as const
type Protocol = (typeof punchOutProtocols)[number]

const addLine = 'mutation ($offerId: ID!, $quantity: Int!) { addToCart(offerId: $offerId, quantity: $quantity) { refusal { message } } }'

/** A purchasing system enters the shop in a member's name, fills a basket, and takes it back by the form. */
export async function takeBack(
  shop: ServedShop,
  host: string,
  { does, principal }: Pick<Colleague, 'does' | 'principal'>,
  protocol: Protocol,
  line: { offerId: string; quantity: number },
): Promise<TakenBack> {
  const { identity, secret } = must(await does((scope) => createCredential(scope, { name: protocol, protocol, memberId: principal.id })))
  const post = (path: string, sent: object) => shop.send({ host, cookie: '', path: `/api/v1/punch-out/${path}`, ...sent })
  const opened =
    protocol === 'oci'
      ? (await post('oci', { form: { USERNAME: identity, PASSWORD: secret, HOOK_URL: 'https://srm.buyer.example/' } })).headers.location
      : (await post('cxml', { text: cxmlDocument(identity, secret, cxmlSetup()), headers: { 'content-type': 'text/xml' } })).body
  const token = /\/punch-out\/start\/([\w-]{43})/.exec(String(opened))?.[1] ?? assert.fail(String(opened))
  const entered = await post('start', { form: { token }, headers: { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' } })
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
  const added = await shop.send({ host, cookie, path: '/graphql', json: { query: addLine, variables: line } })
  assert.match(added.body, /"refusal":null/)
  const { body } = await shop.send({ host, cookie, path: '/punch-out/return' })
  const fields = [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => ({
    name,
    value,
  }))
  return protocol === 'oci' ? readOci(fields) : readCxml(fields)
}

function readOci(fields: { name: string; value: string }[]): TakenBack {
  const by = new Map(fields.map(({ name, value }) => [name, value]))
  const of = (name: string, at: number) => by.get(`NEW_ITEM-${name}[${at}]`) ?? ''
  const count = fields.filter(({ name }) => name.startsWith('NEW_ITEM-VENDORMAT')).length
  const items = Array.from({ length: count }, (_, index) => {
    assert.match(of('PRICE', index + 1), /^\d{1,11}\.\d{3}$/)
    return {
      partId: of('VENDORMAT', index + 1),
      quantity: Number(of('QUANTITY', index + 1)),
      unitPrice: Number(of('PRICE', index + 1)) / Number(of('PRICEUNIT', index + 1)),
      currency: of('CURRENCY', index + 1),
    }
  })
  return { items, total: null, tax: null }
}

function readCxml(fields: { name: string; value: string }[]): TakenBack {
  const message = Buffer.from(fields.find(({ name }) => name === 'cxml-base64')?.value ?? '', 'base64').toString('utf8')
  const money = '<Money currency="(\\w+)">([\\d.]+)</Money>'
  const rows = message.matchAll(
    new RegExp(`<ItemIn quantity="(\\d+)">[\\s\\S]*?<SupplierPartID>(\\w+)</SupplierPartID>[\\s\\S]*?<UnitPrice>${money}`, 'g'),
  )
  const items = [...rows].map(([, quantity, partId = '', currency = '', unitPrice]) => ({
    partId,
    quantity: Number(quantity),
    unitPrice: Number(unitPrice),
    currency,
  }))
  const sum = (name: string) => new RegExp(`<${name}>${money}`).exec(message)?.[2] ?? null
  return { items, total: sum('Total'), tax: sum('Tax') }
}
