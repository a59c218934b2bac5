import type { FastifyInstance } from 'fastify'
import { fileHeaders } from './headers.ts'
import { kinds, typeOf } from './kinds.ts'
import { objectStore } from './object-store.ts'

/** Public files at immutable addresses: `/files/{kind}/{random}.{ending}`. */
export function routes(app: FastifyInstance): void {
  app.get<{ Params: { kind: string; file: string } }>('/files/:kind/:file', { config: { action: 'goods.see' } }, async (request, reply) => {
    const { kind, file } = request.params
    const type = typeOf(file)
    const isKnown = Object.entries(kinds).some(([name, { isPublic }]) => name === kind && isPublic)
    const isAsked = isKnown && type && /^[\w-]{22}\.[a-z]{3,4}$/.test(file)
    if (isAsked && request.headers['if-none-match'] === `"${file}"`) return reply.code(304).send()
    const object = isAsked ? await objectStore().get(`public/${kind}/${file}`) : null
    if (!object || !type) return reply.code(404).header('cache-control', 'public, max-age=60').type('text/plain').send('Nothing here')
    return reply
      .headers(fileHeaders({ type, name: null, isPublic: true }))
      .header('etag', `"${file}"`)
      .header('content-length', object.bytes)
      .send(object.stream)
  })
}
