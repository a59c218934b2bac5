import type { FastifyInstance, FastifyReply } from 'fastify'
import * as v from 'valibot'
import { openFile, sendFile } from '#files'
import { isId, StatusError } from '#platform'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { readLatestRuns, readPayoutsOfRun, readRun } from './payout-store.ts'
import { startRun } from './run-payouts.ts'
import { applyNews } from './send-payout.ts'
import { findOwnPayout } from './show-payouts.ts'

const nothing = () => new StatusError(404, 'NOT_FOUND', 'There is no such file')
const newRun = v.strictObject({ currency: v.picklist(['EUR', 'GBP']), key: v.pipe(v.string(), v.regex(/^[\w.-]{8,60}$/)) })
const news = v.strictObject({
  status: v.picklist(['paid', 'failed', 'returned']),
  /** The bank's reason. */
  code: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/)), 'bank'),
})

/** Statements for sellers; runs, files for the bank and the bank's news for operators. */
export function routes(app: FastifyInstance, services: Services): void {
  const { db, asCommand } = services
  const send = async (key: string | null | undefined, reply: FastifyReply): Promise<FastifyReply> => {
    const opened = key ? await openFile(db, key) : null
    if (!opened) throw nothing()
    return sendFile(reply, opened)
  }
  app.get<{ Params: { id: string; form: string } }>(
    '/api/v1/seller/payouts/:id/:form',
    { config: { action: 'payout.see' } },
    async (request, reply) => {
      const { id, form } = request.params
      const scope = await services.scopeOf(request)?.personal('payout.see')
      const payout = scope && (form === 'pdf' || form === 'csv') ? await findOwnPayout(scope, id) : undefined
      return send(form === 'pdf' ? payout?.pdfFile : payout?.csvFile, reply)
    },
  )

  void app.register(async (inner) => {
    setRoutesAction(inner, 'payout.run')
    inner.get('/api/v1/operator/payout-runs', async () => ({ runs: await readLatestRuns(db) }))
    inner.post('/api/v1/operator/payout-runs', async (request, reply) => {
      const input = v.safeParse(newRun, request.body)
      if (!input.success) return reply.code(400).send({ error: 'currency is EUR or GBP, key 8 to 60 letters, digits, dots, dashes' })
      const { currency, key } = input.output
      const run = await asCommand((scope) => startRun(scope, { key: `operator:${currency}:${key}`, currency, cause: 'operator' }))
      return reply.code(202).send({ run })
    })
    inner.get<{ Params: { id: string }; Querystring: { after?: string } }>('/api/v1/operator/payout-runs/:id', async (request, reply) => {
      const { id } = request.params
      const run = isId(id) ? await readRun(db, id) : undefined
      if (!run) return reply.code(404).send({ error: 'There is no such run' })
      return { run, payouts: await readPayoutsOfRun(db, id, Number(request.query.after ?? 0) || 0, 200) }
    })
    inner.get<{ Params: { id: string } }>('/api/v1/operator/payout-runs/:id/sepa', async ({ params: { id } }, reply) =>
      send(isId(id) ? (await readRun(db, id))?.sepaFile : null, reply),
    )
    inner.post<{ Params: { id: string } }>('/api/v1/operator/payouts/:id/news', async (request, reply) => {
      const { id } = request.params
      const input = v.safeParse(news, request.body)
      if (!input.success) return reply.code(400).send({ error: 'status is paid, failed or returned' })
      const { status, code } = input.output
      const sent = { status, reference: null, failureCode: status === 'paid' ? null : code }
      const isMoved = isId(id) && (await asCommand((scope) => applyNews(scope, id, sent)))
      return isMoved ? { id, status } : reply.code(409).send({ error: 'The payout is unknown, or this cannot follow its state' })
    })
  })
}
