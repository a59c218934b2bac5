import { isMarket } from '@purlin/contract/markets.ts'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { withIdempotency, type Db, type KeyRefused } from '#platform'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { changeOfferState, readOfferStanding } from './change-offer-state.ts'
import { offerStatuses } from './product.ts'
import { changePrice, type ChangePriceRefusal } from './change-price.ts'
import { drawBrand, drawCategory, drawHero, drawProduct, plainPicture } from './draw-picture.ts'
import { isRasterShape, rasterProduct } from './draw-raster.ts'
import { categoryInput, putCategory } from './put-category.ts'
import { notThere, sendPicture } from './send-picture.ts'
import { writeDocument } from './write-document.ts'

const svg = 'image/svg+xml; charset=utf-8'

/**
 * Drawn pictures: `/pictures/p/{product}/{view}.svg`, the main one also as `feed.jpg` and `share.jpg`, `/c/{department}`, `/b/{brand}`, `/h/{theme}`. Documents of a product:
 * `/documents/p/{product}/manual-{language}.html`, `energy-label-{language}.svg`.
 */
export function routes(app: FastifyInstance, services: Services): void {
  setRoutesAction(app, 'goods.see')
  fileRoutes(app, services)
  priceRoute(app, services)
  categoryRoute(app, services)
  offerStateRoutes(app, services)
}

const amount = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000_000))
const priceInput = v.strictObject({
  currency: v.picklist(['EUR', 'GBP']),
  /** Minor units with VAT. */
  price: amount,
  /** Price for professionals; null if it is the same. */
  proPrice: v.nullable(amount),
})
const statusOf = {
  'unknown-offer': 404,
  'offer-ended': 409,
  'wrong-currency': 400,
  'pro-price-not-lower': 400,
  'idempotency-key-missing': 400,
  'idempotency-key-reused': 409,
} satisfies Record<ChangePriceRefusal | KeyRefused['reason'], number>

/** `PUT /api/v1/operator/offers/{market}/{id}/price`: sets the price of an offer from now on. */
function priceRoute(app: FastifyInstance, { asCommand }: Services): void {
  app.put<{ Params: { market: string; id: string } }>(
    '/api/v1/operator/offers/:market/:id/price',
    { config: { action: 'price.change' } },
    async (request, reply) => {
      const { market, id } = request.params
      if (!isMarket(market)) return reply.code(404).send({ error: 'No such market' })
      if (!/^[1-9]\d{0,17}$/.test(id)) return reply.code(404).send({ error: 'unknown-offer' })
      const input = v.safeParse(priceInput, request.body)
      if (!input.success) {
        const issues = input.issues.map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`)
        return reply.code(400).send({ error: issues.join('; ') })
      }
      const body = { offerId: id, market, ...input.output }
      const key = String(request.headers['idempotency-key'] ?? '')
      const result = await asCommand((scope) =>
        withIdempotency(scope, { owner: 'operator', key, body: { command: 'change-price', ...body } }, () => changePrice(scope, body)),
      )
      if (!result.ok) return reply.code(statusOf[result.reason]).send({ error: result.reason })
      return { ...body, changed: result.changed }
    },
  )
}

const stateInput = v.strictObject({ state: v.picklist(offerStatuses) })

/** `GET` and `PUT /api/v1/operator/offers/{market}/{id}/state`: the state of an offer, and its next one. */
function offerStateRoutes(app: FastifyInstance, { db, asCommand }: Services): void {
  interface At {
    Params: { market: string; id: string }
  }
  const url = '/api/v1/operator/offers/:market/:id/state'
  const config = { action: 'offer.move' } as const
  const offerOf = ({ market, id }: At['Params']) =>
    isMarket(market) && /^[1-9]\d{0,17}$/.test(id) ? { market, offerId: id, sellerId: null } : null
  app.get<At>(url, { config }, async ({ params }, reply) => {
    const offer = offerOf(params)
    return (offer && (await readOfferStanding(db, offer))) ?? reply.code(404).send({ error: 'unknown-offer' })
  })
  app.put<At>(url, { config }, async ({ params, body }, reply) => {
    const offer = offerOf(params)
    if (!offer) return reply.code(404).send({ error: 'unknown-offer' })
    const input = v.safeParse(stateInput, body)
    if (!input.success) return reply.code(400).send({ error: `state: one of ${offerStatuses.join(', ')}` })
    const result = await asCommand((scope) => changeOfferState(scope, { ...offer, to: input.output.state }))
    if (!result.ok) return reply.code(result.reason === 'unknown-offer' ? 404 : 409).send({ error: result.reason })
    return { state: result.state, changed: result.changed }
  })
}

/** `PUT /api/v1/operator/categories/{id}`: a new category, or new texts and another position among its siblings. */
function categoryRoute(app: FastifyInstance, { asCommand }: Services): void {
  app.put<{ Params: { id: string } }>(
    '/api/v1/operator/categories/:id',
    { config: { action: 'category.change' } },
    async (request, reply) => {
      const { id } = request.params
      if (!/^[1-9]\d{0,8}$/.test(id)) return reply.code(404).send({ error: 'No such category' })
      const input = v.safeParse(categoryInput, request.body)
      if (!input.success) {
        const issues = input.issues.map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`)
        return reply.code(400).send({ error: issues.join('; ') })
      }
      const result = await asCommand((scope) => putCategory(scope, { id: Number(id), ...input.output }))
      return result.ok ? reply.code(204).send() : reply.code(409).send({ error: result.reason })
    },
  )
}

function fileRoutes(app: FastifyInstance, services: { db: Db }): void {
  app.get<{ Params: { id: string; file: string }; Querystring: { v?: string } }>('/pictures/p/:id/:file', async (request, reply) => {
    const view = nameOf(request.params.file)
    const version = typeof request.query.v === 'string' ? request.query.v : null
    if (!/^[1-9]\d{0,17}$/.test(request.params.id)) return notThere(reply)
    const shape = /^(\w{1,10})\.jpg$/.exec(request.params.file)?.[1] ?? ''
    if (isRasterShape(shape))
      return sendPicture(request, reply, await rasterProduct(services, request.params.id, shape, version), version, 'image/jpeg')
    if (!view) return notThere(reply)
    return sendPicture(request, reply, await drawProduct(services, request.params.id, view, version), version)
  })
  app.get<{ Params: { file: string } }>('/pictures/c/:file', async (request, reply) => {
    const name = nameOf(request.params.file)
    return name ? sendPicture(request, reply, (await drawCategory(name)) ?? plainPicture(), null) : notThere(reply)
  })
  app.get<{ Params: { file: string } }>('/pictures/b/:file', async (request, reply) => {
    const id = nameOf(request.params.file)
    return id && /^\d{1,9}$/.test(id)
      ? sendPicture(request, reply, (await drawBrand(services, Number(id))) ?? plainPicture(), null)
      : notThere(reply)
  })
  app.get<{ Params: { file: string } }>('/pictures/h/:file', async (request, reply) => {
    const name = nameOf(request.params.file)
    return name ? sendPicture(request, reply, (await drawHero(name)) ?? plainPicture(), null) : notThere(reply)
  })
  app.get<{ Params: { id: string; file: string } }>('/documents/p/:id/:file', async (request, reply) => {
    const { id, file } = request.params
    if (!/^[1-9]\d{0,17}$/.test(id) || !/^[\w-]{1,60}\.(?:html|svg)$/.test(file)) return notThere(reply)
    const type = file.endsWith('.html') ? 'text/html; charset=utf-8' : svg
    return sendPicture(request, reply, await writeDocument(services, id, `/documents/p/${id}/${file}`), null, type)
  })
}

function nameOf(file: string): string | null {
  return /^([\w-]{1,60})\.svg$/.exec(file)?.[1] ?? null
}
