import type { FastifyReply } from 'fastify'
import * as v from 'valibot'
import type { Issue } from './endpoint.ts'

/** Every error of the sellers' API: problem details (RFC 9457) with a stable code. */
export const problemSchema = v.object({
  type: v.literal('about:blank'),
  title: v.string(),
  status: v.pipe(v.number(), v.integer()),
  code: v.pipe(v.string(), v.description('Stable; the title may change')),
  reference: v.optional(v.pipe(v.string(), v.description('Names the error in our log'))),
  errors: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
})

const titles: Record<number, string> = {
  400: 'The request is invalid',
  401: 'The key is missing, unknown, expired or revoked',
  403: 'The key may not do this',
  404: 'There is no such object',
  405: 'Method not allowed',
  409: 'The present state does not allow this',
  413: 'The body is too large',
  415: 'The body must be JSON',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Not available at the moment, try again',
  504: 'This took too long',
}

interface More {
  reference?: string
  errors?: readonly Issue[]
}

export function sendProblem(reply: FastifyReply, status: number, code: string, more: More = {}): FastifyReply {
  if ((status === 429 || status === 503) && !reply.hasHeader('retry-after')) void reply.header('retry-after', '1')
  const problem = { type: 'about:blank', title: titles[status] ?? 'The request failed', status, code, ...more }
  // As a string: an object would be sent as application/json.
  return reply.code(status).header('cache-control', 'no-store').type('application/problem+json').send(JSON.stringify(problem))
}

const statuses: Record<string, number> = {
  'not-found': 404,
  'unknown-order': 404,
  'unknown-offer': 404,
  'unknown-line': 400,
  'unknown-request': 404,
  'unknown-return': 404,
  'unknown-dispute': 404,
  'unknown-endpoint': 404,
  'unknown-delivery': 404,
  'carrier-invalid': 400,
  'no-carrier': 409,
  'note-too-long': 400,
  'note-missing': 400,
  'input-invalid': 400,
  'amount-invalid': 400,
  'breaks-invalid': 400,
  'unknown-quote': 404,
  'lines-invalid': 400,
  'unknown-company': 400,
  'unknown-group': 400,
  'validity-invalid': 400,
  'list-for-nobody': 400,
  'message-empty': 400,
  'message-invalid': 400,
  'url-refused': 400,
  'idempotency-key-missing': 400,
  'too-many-messages': 429,
}

/** The status of a refused command; most refusals are about the state of things. */
export function statusOfRefusal(reason: string): number {
  return statuses[reason] ?? 409
}
