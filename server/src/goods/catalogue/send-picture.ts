import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FinishedFile } from './finished-files.ts'

const yearSeconds = 31_536_000
const daySeconds = 86_400
const svg = 'image/svg+xml; charset=utf-8'

/** With the current version in its address a picture is immutable; without, it is revalidated after a day. */
export function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  file: FinishedFile | null,
  version: string | null,
  type: string = svg,
): FastifyReply {
  if (!file) return notThere(reply)
  const current = version !== null && version === file.version
  reply
    .header('content-type', type)
    .header('cache-control', current ? `public, max-age=${yearSeconds}, immutable` : `public, max-age=${daySeconds}`)
    .header('x-content-type-options', 'nosniff')
    // Opened on its own, also a picture is a document: it may show itself and nothing else.
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .header('vary', 'accept-encoding')
  if (file.brotli && /\bbr\b/.test(String(request.headers['accept-encoding'] ?? '')))
    return reply.header('content-encoding', 'br').send(file.brotli)
  return reply.send(file.body)
}

export function notThere(reply: FastifyReply): FastifyReply {
  return reply.code(404).header('cache-control', 'public, max-age=60').type('text/plain; charset=utf-8').send('Nothing here')
}
