import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { openFile, sendFile } from '#files'
import { noOrderId } from '#orders'
import { asCommand, isId, logForged, logOf, StatusError } from '#platform'
import type { Services } from '../../edges/gateway/services.ts'
import { webhookPath } from './aggregator-carrier.ts'
import { carrierOfShop } from './carrier-of-shop.ts'
import { ForgedNews } from './carrier.ts'
import { findSale } from './find-sale.ts'
import { receiveNews } from './receive-news.ts'
import { readParcel } from './store.ts'

/** A tracker with all its events. */
const maxBodyLength = 200_000

/** The carrier's messages, authenticated by their signature alone, and the labels of the sellers' parcels. */
export function routes(app: FastifyInstance, { pool, db, scopeOf }: Services): void {
  void app.register((inner, _options, done) => {
    // The signature covers the bytes as sent.
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBodyLength }, (_request, body, parsed) => parsed(null, body))
    const verify: FastifyContextConfig['verify'] = ({ body, headers }) => carrierOfShop()?.verify(String(body), headers, new Date())
    inner.post(webhookPath, { config: { action: 'parcel.report', verify } }, async (request, reply) => {
      const carrier = carrierOfShop()
      if (!carrier) throw new StatusError(404, 'NOT_FOUND', 'This shop has no carrier')
      try {
        const received = await asCommand(pool, ({ db, emit }) => {
          const scope = { now: new Date(), db, emit, requestId: request.id, log: logOf({ requestId: request.id }) }
          return receiveNews(scope, carrier, String(request.body), request.headers)
        })
        return reply.code(200).send({ received })
      } catch (error) {
        if (!(error instanceof ForgedNews)) throw error
        logForged('a forged message of the carrier was refused', { address: request.ip, reason: error.message })
        return reply.code(400).send({ error: 'signature' })
      }
    })
    done()
  })

  app.get<{ Params: { id: string } }>(
    '/api/v1/seller/parcels/:id/label',
    { config: { action: 'sellerOrder.handle' } },
    async (request, reply) => {
      const { id } = request.params
      const scope = await scopeOf(request)?.personal('sellerOrder.handle')
      const parcel = scope && isId(id) ? await readParcel(db, id) : undefined
      // As many statements for an unknown parcel as for another seller's.
      const sale = scope && (await findSale(scope, 'sellerOrder.handle', parcel?.sellerOrderId ?? `${noOrderId}-1`))
      const opened = sale && parcel?.labelFile != null ? await openFile(db, parcel.labelFile) : null
      // The same for another seller's parcel, one with a carrier of the seller's own, and one that is not booked yet.
      if (!opened) throw new StatusError(404, 'NOT_FOUND', 'There is no such label')
      return sendFile(reply, opened)
    },
  )
}
