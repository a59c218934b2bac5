import type { Market } from '@purlin/contract/markets.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as v from 'valibot'
import { openFile, sendFile } from '#files'
import { isId, StatusError } from '#platform'
import { findUpload } from '#uploads'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { closeReports, readOpenReports } from './judge-store.ts'
import { findPart, operatorsPart } from './find-order.ts'
import { isFileOf, readMessages } from './store.ts'
import { withoutContacts } from './without-contacts.ts'
import { appendAs } from './write-message.ts'

/** Files of a conversation for its parties, and the operator's calls: read, join in, see and close reports. */
export function routes(app: FastifyInstance, services: Services): void {
  for (const [path, action] of [
    ['/api/v1/conversations', 'conversation.see'],
    ['/api/v1/seller/conversations', 'conversation.serve'],
  ] as const)
    app.get<{ Params: { orderId: string; id: string } }>(`${path}/:orderId/files/:id`, { config: { action } }, async (request, reply) => {
      const { orderId, id } = request.params
      const scope = await services.scopeOf(request)?.personal(action)
      const seen = scope && isId(id) ? await findPart(scope, action, orderId) : undefined
      if (!seen || !(await isFileOf(services.db, orderId, id))) throw nothing()
      return sendAttachment(services, id, seen.order.market, reply)
    })
  void app.register(async (inner) => {
    setRoutesAction(inner, 'conversation.mediate')
    operatorRoutes(inner, services)
  })
}

const nothing = () => new StatusError(404, 'NOT_FOUND', 'There is no such file')

async function sendAttachment({ db }: Services, id: string, market: Market, reply: FastifyReply): Promise<FastifyReply> {
  const upload = await findUpload(db, id)
  const opened = upload && (await openFile(db, upload.fileKey))
  if (!opened) throw nothing()
  const { name } = opened.file
  return sendFile(reply, opened, name && withoutContacts(name, market).text)
}

const messageInput = v.strictObject({ text: v.pipe(v.string(), v.minLength(1)) })
const statusOf = {
  'unknown-order': 404,
  'message-empty': 400,
  'message-invalid': 400,
  'too-many-messages': 429,
  'attachment-gone': 409,
} as const

function operatorRoutes(app: FastifyInstance, { db, asCommand }: Services): void {
  const base = '/api/v1/operator/conversations/:orderId'
  app.get<{ Params: { orderId: string } }>(base, async ({ params: { orderId } }) => ({
    orderId,
    messages: await readMessages(db, orderId, 2_147_483_647, 200),
  }))
  // The operator joins the conversation; both parties are told.
  app.post<{ Params: { orderId: string } }>(`${base}/messages`, async (request, reply) => {
    const input = v.safeParse(messageInput, request.body)
    if (!input.success) return reply.code(400).send({ error: 'text is missing' })
    const done = await asCommand(async (scope) => {
      const seen = await operatorsPart(scope, request.params.orderId)
      if (!seen) return { ok: false, reason: 'unknown-order' } as const
      return appendAs({ ...scope, market: seen.order.market }, seen, input.output, async () => [])
    })
    return done.ok ? reply.code(201).send({ seq: done.seq }) : reply.code(statusOf[done.reason]).send({ error: done.reason })
  })
  app.get('/api/v1/operator/message-reports', async () => ({ reports: await readOpenReports(db) }))
  app.post<{ Params: { messageId: string } }>(
    '/api/v1/operator/message-reports/:messageId/close',
    async ({ params: { messageId } }, reply) => {
      const isClosed = isId(messageId) && (await asCommand((scope) => closeReports(scope.db, messageId, scope.now)))
      return isClosed ? { closed: true } : reply.code(404).send({ error: 'There is no such open report' })
    },
  )
}
