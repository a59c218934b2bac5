import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { uploadStatus } from '@purlin/contract/gateway.ts'
import { fileHeaders, kinds, openFile } from '#files'
import { StatusError } from '#platform'
import { isOwnOrigin } from '../../edges/gateway/own-origin.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { findUsed } from './store.ts'
import { takeUpload } from './take-upload.ts'
import { isSigned } from './upload-link.ts'

const isId = /^[0-9a-f-]{36}$/

/** User files: uploaded at /api/v1/uploads, opened by a signed link or with the operators' key. */
export async function routes(app: FastifyInstance, services: Services): Promise<void> {
  const { maxBytes } = kinds.upload
  await app.register(multipart, { limits: { files: 1, fields: 0, parts: 1, headerPairs: 20, fileSize: maxBytes + 1 } })

  app.post(
    '/api/v1/uploads',
    { config: { action: 'file.upload', takesFiles: true }, bodyLimit: maxBytes + 10_000 },
    async (request, reply) => {
      const scope = services.scopeOf(request)
      if (!scope) throw new StatusError(404, 'NOT_FOUND', 'No site is known for this host')
      if (!isOwnOrigin(request, scope.site)) throw new StatusError(403, 'FORBIDDEN', 'This request does not come from our own pages')
      const part = request.isMultipart() ? await request.file() : undefined
      if (!part) throw new StatusError(415, 'BAD_REQUEST', 'Send one file as multipart/form-data')
      const answer = await takeUpload(await scope.personal(), { name: part.filename, source: part.file })
      // The rest of a refused file is drained so that the client can read the response.
      part.file.resume()
      for (const line of scope.setCookies) reply.header('set-cookie', line)
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      if (answer.ok) return reply.code(201).send({ id: answer.id, name: answer.name, bytes: answer.bytes })
      return reply.code(uploadStatus[answer.reason]).send({ error: answer.reason })
    },
  )

  app.get<{ Params: { id: string }; Querystring: { until?: unknown; signature?: unknown } }>(
    '/uploads/:id',
    { config: { action: 'file.open-link' } },
    async ({ params: { id }, query: { until, signature } }, reply) =>
      isId.test(id) && isSigned(id, until, signature, new Date()) ? send(id, reply) : nothing(reply),
  )
  app.get<{ Params: { id: string } }>(
    '/api/v1/operator/uploads/:id',
    { config: { action: 'file.see' } },
    async ({ params: { id } }, reply) => (isId.test(id) ? send(id, reply) : nothing(reply)),
  )

  async function send(id: string, reply: FastifyReply): Promise<FastifyReply> {
    const upload = await findUsed(services.db, id)
    const opened = upload && (await openFile(services.db, upload.fileKey))
    if (!opened) return nothing(reply)
    const { type, name, bytes } = opened.file
    return reply
      .headers(fileHeaders({ type, name, isPublic: false }))
      .header('content-length', bytes)
      .send(opened.stream)
  }
}

function nothing(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .type('text/plain')
    .send('Nothing here')
}
