import assert from 'node:assert/strict'
import { request } from 'node:http'
import { inflateSync } from 'node:zlib'
import type { Scope } from '#platform'
import { moveLines, readOrder, type SellerOrderState } from '#orders'
import type { TestDatabase } from '#platform/testing'
import { draftOrder, must, newBuyer, place, type Buyer } from '../../selling/checkout/testing.ts'
import { applyProviderState } from '../../selling/payments/apply-provider-state.ts'
import { readPaymentOfOrder } from '../../selling/payments/store.ts'

/** For tests: orders that are paid and sent, downloads, and the text of a PDF. */

export async function payOrder(database: TestDatabase, orderId: string): Promise<void> {
  const payment = await readPaymentOfOrder(database.db, orderId)
  assert.ok(payment)
  const { id, amount, currency } = payment
  for (const status of ['authorised', 'captured'] as const) {
    const seen = { reference: `r-${id}`, paymentId: id, status, amount, currency, failureCode: null, card: null, frameUrl: null }
    const money = { captured: status === 'captured' ? amount : 0, refunded: 0 }
    await database.command({}, (scope) => applyProviderState(scope, id, { ...seen, ...money }, 'test'))
  }
}

/** A paid order of these lines. */
export async function paidOrder(
  database: TestDatabase,
  lines: { offerId: string; quantity: number }[],
  overrides: Partial<Scope> = {},
): Promise<{ orderId: string; buyer: Buyer }> {
  const buyer = newBuyer(database, overrides)
  const orderId = await draftOrder(buyer, lines)
  must(await place(buyer, orderId))
  await payOrder(database, orderId)
  return { orderId, buyer }
}

/** The seller accepts and sends these pieces. */
export async function send(
  database: TestDatabase,
  sellerOrderId: string,
  pieces: Record<string, number>,
  parcelId?: string,
): Promise<void> {
  const steps: [SellerOrderState, SellerOrderState][] = [
    ['pending', 'accepted'],
    ['accepted', 'shipped'],
  ]
  for (const [from, to] of steps) {
    const moves = Object.entries(pieces).map(([offerId, quantity]) => ({ offerId, quantity, from, to }))
    const cause = { actor: 'seller', reason: 'test', ...(parcelId !== undefined && { parcelId }) } as const
    must(await database.command({}, (scope) => moveLines(scope, { sellerOrderId, moves, ...cause })))
  }
}

/** Everything of an order is sent. */
export async function sendAll(database: TestDatabase, orderId: string): Promise<void> {
  const order = await readOrder(database.db, orderId)
  for (const { id, lines } of order?.sellerOrders ?? [])
    await send(database, id, Object.fromEntries(lines.map(({ offerId, quantity }) => [offerId, quantity])))
}

export interface Downloaded {
  status: number
  type: string
  disposition: string
  caching: string
  body: Buffer
}

/** Like `fetch`, which does not allow choosing the Host header. */
export function download(url: string, path: string, cookie: string, host = 'localhost'): Promise<Downloaded> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers: { cookie, host }, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          type: String(answer.headers['content-type']),
          disposition: String(answer.headers['content-disposition']),
          caching: String(answer.headers['cache-control']),
          body: Buffer.concat(chunks),
        }),
      )
    })
      .on('error', reject)
      .end()
  })
}

/** The text of a PDF as PDFKit writes it, run by run, read back by the tables that its fonts carry for copying. */
export function textOfPdf(pdf: Buffer): string {
  const objects = new Map(
    [...pdf.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id = '', body = '']) => [id, body] as const),
  )
  const streamOf = (body = ''): string => {
    const data = /stream\n([\s\S]*?)\nendstream/.exec(body)?.[1]
    return data === undefined ? '' : inflateSync(Buffer.from(data, 'latin1')).toString('latin1')
  }
  const fonts = new Map<string, string[]>()
  for (const body of objects.values())
    for (const [, name = '', id = ''] of body.matchAll(/\/(F\d+) (\d+) 0 R/g))
      fonts.set(name, lettersOf(streamOf(objects.get(/\/ToUnicode (\d+)/.exec(objects.get(id) ?? '')?.[1] ?? ''))))
  const pages = [...objects.values()].flatMap((body) => /\/Contents (\d+)/.exec(body)?.[1] ?? [])
  let letters: string[] = []
  const runs = pages.flatMap((id) =>
    [...streamOf(objects.get(id)).matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)].flatMap(([, font, shown]) => {
      if (font !== undefined) letters = fonts.get(font) ?? []
      const glyphs = [...(shown ?? '').matchAll(/<([0-9a-f]*)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
      return shown === undefined ? [] : [glyphs.map((glyph) => letters[Number.parseInt(glyph, 16)] ?? '\ufffd').join('')]
    }),
  )
  return runs.join('\n')
}

/** The letter of each glyph. */
function lettersOf(cmap: string): string[] {
  const letters: string[] = []
  for (const [, from = '', list = ''] of cmap.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[(.*?)\]/g))
    for (const [index, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries())
      letters[Number.parseInt(from, 16) + index] = Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le')
  return letters
}
