import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { fileHeaders } from './headers.ts'
import type { StoredFile } from './store.ts'

/** Sends an opened private file, under its own name unless another is given. */
export function sendFile(reply: FastifyReply, { file, stream }: { file: StoredFile; stream: Readable }, name = file.name): FastifyReply {
  return reply
    .headers(fileHeaders({ type: file.type, name, isPublic: false }))
    .header('content-length', file.bytes)
    .send(stream)
}
