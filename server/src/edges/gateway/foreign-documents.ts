import { Agent, type ClientRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as callHttp } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { metrics } from '../../foundation/platform/metrics.ts'
import { traceHeader } from '../../foundation/platform/tracing.ts'
import { countRefusals } from './count-refusals.ts'
import { createDocumentPlaces, type DocumentPlace } from './document-places.ts'
import { failed, send } from './graphql-answers.ts'
import type { InnerAnswer } from './execute.ts'
import { limits } from './limits.ts'
import { isNestedDeeperThan, tooDeep } from './nesting.ts'
import { ownDocumentOf } from './persisted.ts'
import { mayBringDocuments, parametersOf, stepOf } from './request-kind.ts'
import { hopelessness } from './scan-document.ts'

/** Where documents of strangers are executed: a process of lower priority, which knows those who may ask it by a secret. */
export interface DocumentsProcess {
  port: number
  secret: string
}

/** Tells the documents process that a request comes from a web process. */
export const secretHeader = 'x-purlin-documents'
/** A query may take eight seconds; before, it waits for its turn. */
const patienceMs = limits.queryMs + 4000
/** Between two attempts to reach a process that is starting. */
const restMs = 100
/** Headers that are about the client's connection, or that only a proxy of ours may set. */
const notPassedOn =
  /^(?:connection|keep-alive|expect|upgrade|te|trailer|transfer-encoding|content-|accept-encoding|forwarded|x-forwarded-|traceparent|x-purlin-)/

type Asked = { query?: unknown; operationName?: unknown; extensions?: unknown } | null

/**
 * Sends requests with documents of strangers to the process that executes them, before they take a turn here. What is refused
 * anyway is refused here, and counted: documents that nobody may send, those that are hopeless at a glance, and those that are too large or
 * too expensive once they are read. A short step of a purchase stays.
 */
export function forwardForeign(
  app: FastifyInstance,
  {
    port,
    secret,
    leaveForeground,
    refuseAtOnce,
  }: DocumentsProcess & {
    leaveForeground: (request: FastifyRequest) => void
    /** The answer to a document that is too large or too expensive. */
    refuseAtOnce: (query: string, operationName: unknown) => InnerAnswer | null
  },
): void {
  // Connections that rest are closed here first, so that none is used in the moment in which the other side closes it.
  const places = createDocumentPlaces()
  const agent = new Agent({ keepAlive: true, maxSockets: places.most, timeout: 30_000 })
  app.addHook('onClose', async () => agent.destroy())

  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.url !== '/graphql' || !isForeign(request)) return undefined
    leaveForeground(request)
    const refusal = await countRefusals(request.ip, () => refusalOf(request))
    if (refusal !== null) return send(reply, refusal)
    const place = places.take(request.ip, reply.raw)
    if (!place) {
      metrics.refused.inc({ by: 'queue', name: 'documents' })
      return send(reply, failed('Too many documents at once, try again later', 'UNAVAILABLE', 503))
    }
    return forward(request, reply, place)
  })

  /** Those of a batch that are too large or too expensive are refused one by one. */
  function refusalOf(request: FastifyRequest): InnerAnswer | null {
    if (askedIn(request).some((each) => isNestedDeeperThan(limits.nesting, each))) return failed(tooDeep, 'BAD_REQUEST', 400)
    const problem = problemOf(request)
    if (problem !== null) return failed(problem, 'GRAPHQL_VALIDATION_FAILED', 400)
    const asked = request.method === 'POST' ? (request.body as Asked | Asked[]) : parametersOf(request)
    return !Array.isArray(asked) && typeof asked?.query === 'string' ? refuseAtOnce(asked.query, asked.operationName) : null
  }

  function forward(request: FastifyRequest, reply: FastifyReply, place: DocumentPlace): Promise<FastifyReply> {
    const { method } = request
    const body = method === 'POST' ? JSON.stringify(request.body) : undefined
    const headers = { ...passedOn(request.headers), 'x-forwarded-for': request.ip, [secretHeader]: secret, ...traceHeader() }
    const startedAt = performance.now()
    let isAnswered = false
    return new Promise((resolve) => {
      let call: ClientRequest
      // Nobody waits for the answer any more.
      reply.raw.once('close', () => reply.raw.writableFinished || call.destroy())
      const attempt = () => {
        if (reply.raw.destroyed) return resolve(reply)
        call = callHttp({
          host: '127.0.0.1',
          port,
          agent,
          method,
          path: request.url,
          setHost: false,
          timeout: patienceMs,
          headers: {
            ...headers,
            ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        })
        const fail = (status: number, code: string) => {
          if (isAnswered) return
          isAnswered = true
          resolve(send(reply, failed('Not available at the moment, try again', code, status)))
        }
        call.on('response', (answer) => {
          const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, date: ____, ...given } = answer.headers
          const parts: Buffer[] = []
          let bytes = 0
          answer.on('data', (part: Buffer) => {
            parts.push(part)
            bytes += part.length
            if (bytes > limits.answerBytes) call.destroy()
          })
          answer.on('error', () => fail(503, 'UNAVAILABLE'))
          answer.on('end', () => {
            if (isAnswered || reply.raw.destroyed) return resolve(reply)
            isAnswered = true
            place.leave(bytes)
            reply.code(answer.statusCode ?? 502).headers(given)
            resolve(reply.send(Buffer.concat(parts)))
          })
        })
        call.on('timeout', () => {
          fail(504, 'GATEWAY_TIMEOUT_ERROR')
          call.destroy()
        })
        call.on('error', (error: NodeJS.ErrnoException) => {
          // While it starts, nobody listens there.
          if (error.code === 'ECONNREFUSED' && performance.now() - startedAt < patienceMs) setTimeout(attempt, restMs)
          else fail(503, 'UNAVAILABLE')
        })
        call.end(body)
      }
      attempt()
    })
  }
}

/** Whether a document is a stranger's that is not refused here at once. */
function isForeign(request: FastifyRequest): boolean {
  if (!mayBringDocuments(request)) return false
  return askedIn(request).some(
    (asked) =>
      typeof asked === 'object' &&
      asked !== null &&
      (typeof asked.query === 'string' || Boolean(asked.extensions)) &&
      ownDocumentOf(asked.query, asked.extensions) === null &&
      !(typeof asked.query === 'string' && asked.query.length < 8 * limits.textLength && stepOf(asked.query)),
  )
}

/** The requests of a batch that is not too long, or the one request. */
function askedIn(request: FastifyRequest): Asked[] {
  const asked = request.method === 'POST' ? (request.body as Asked | Asked[]) : parametersOf(request)
  if (!Array.isArray(asked)) return [asked]
  return asked.length <= limits.batch ? asked : []
}

function problemOf(request: FastifyRequest): string | null {
  for (const asked of askedIn(request)) {
    const problem = typeof asked?.query === 'string' ? hopelessness(asked.query) : null
    if (problem !== null) return problem
  }
  return null
}

function passedOn(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !notPassedOn.test(name)))
}
