import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { StatusError, isId, log, withIdempotency, type Scope } from '#platform'
import { errorAnswer } from '../../edges/gateway/error-answer.ts'
import { holderOf, setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { apiKeyInput, createApiKey } from './api-keys.ts'
import { readApiKeys, revokeApiKey } from './api-key-store.ts'
import { basePath, calls } from './calls.ts'
import type { Endpoint, Outcome } from './endpoint.ts'
import { openApiDocument } from './openapi.ts'
import { sendProblem, statusOfRefusal } from './problem.ts'
import { shaped } from './shaped.ts'

/** The sellers' API, for the holders of keys, and its document, for everybody. Operators make the keys of the public API. */
export function routes(app: FastifyInstance, services: Services): void {
  apiKeyRoutes(app, services)
  const documentOf = documentsByOrigin()
  void app.register(
    (inner, _options, ready) => {
      inner.setErrorHandler((error, request, reply) => {
        const status = (error as { statusCode?: number }).statusCode
        // Fastify's errors for requests it could not parse: too large, invalid JSON, unknown type.
        if (status !== undefined && status < 500) return sendProblem(reply, status, codes[status] ?? 'request-invalid')
        const reference = String(request.id)
        const { status: answered = 500, retryAfter, code } = errorAnswer(error, { requestId: reference, log }).extensions ?? {}
        if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter))
        if (error instanceof StatusError) return sendProblem(reply, answered, error.code.toLowerCase().replaceAll('_', '-'))
        return sendProblem(reply, answered, codes[code ?? ''] ?? 'internal-error', { reference })
      })
      inner.setNotFoundHandler((_request, reply) => sendProblem(reply, 404, 'unknown-address'))
      inner.get('/openapi.json', { config: { action: 'site.see' } }, (request, reply) => {
        const scope = services.scopeOf(request)
        if (!scope) return sendProblem(reply, 404, 'unknown-host')
        return reply
          .headers({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' })
          .type('application/json; charset=utf-8')
          .send(documentOf(scope.origin))
      })
      for (const call of calls) mount(inner, services, call)
      ready()
    },
    { prefix: basePath },
  )
}

/** Built once for each of the shop's origins: it costs a millisecond, and anybody may request it. */
function documentsByOrigin(): (origin: string) => string {
  const built = new Map<string, string>()
  return (origin) => {
    const text = built.get(origin) ?? JSON.stringify(openApiDocument(origin))
    built.set(origin, text)
    return text
  }
}

/** By the status of Fastify's own errors, and by the code of the gateway's. */
const codes: Record<string, string> = {
  413: 'body-too-large',
  415: 'not-json',
  GATEWAY_TIMEOUT_ERROR: 'timeout',
  UNAVAILABLE: 'unavailable',
  BAD_REQUEST: 'request-invalid',
}

function mount(app: FastifyInstance, services: Services, call: Endpoint): void {
  const { method, path, scope: keyScope, action, status, result, isKeyed } = call
  const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
  app.route({
    method,
    url,
    config: { action, keyScope },
    handler: async (request, reply) => {
      const holder = holderOf(request)
      const site = services.scopeOf(request)
      if (!holder || !site) return sendProblem(reply, 404, 'unknown-host')
      const key = String(request.headers['idempotency-key'] ?? '')
      const { params, query, body } = request
      const prepared = call.prepare({ params, query, body, key })
      if (!prepared.ok) return sendProblem(reply, 400, 'input-invalid', { errors: prepared.issues })
      const { market, mode, origin } = site
      const about = { market, mode, origin, prefersVat: false, principal: holder.principal, session: null }
      const run = (scope: Scope) => prepared.run({ ...scope, ...about })
      const outcome: Outcome = await (method === 'get'
        ? run({ ...about, now: new Date(), db: services.db, emit: site.emit, requestId: site.requestId, log: site.log })
        : services.asCommand((job) => {
            if (!isKeyed) return run({ ...job, ...about })
            const owner = `seller-api:${holder.principal.sellerId}`
            return withIdempotency(job, { owner, key, body: { call: call.id, params, query, body } }, () => run({ ...job, ...about }))
          }))
      if (!outcome.ok) return sendProblem(reply, statusOfRefusal(outcome.reason), outcome.reason)
      void reply.code(status).header('cache-control', 'no-store')
      return result ? reply.send(shaped(result, outcome.body)) : reply.send()
    },
  })
}

/** `GET` and `POST /api/v1/operator/api-keys`, `DELETE …/{id}`: keys of the public API (docs/public-api.md). */
function apiKeyRoutes(app: FastifyInstance, { db, asCommand }: Services): void {
  void app.register(async (inner) => {
    setRoutesAction(inner, 'apiKey.manage')
    inner.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'))
    const url = '/api/v1/operator/api-keys'
    inner.get(url, async () => ({ keys: await readApiKeys(db) }))
    inner.post(url, async (request, reply) => {
      const input = v.safeParse(apiKeyInput, request.body)
      if (!input.success) {
        const issues = input.issues.map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`)
        return reply.code(400).send({ error: issues.join('; ') })
      }
      const made = await asCommand((scope) => createApiKey(scope, input.output))
      return made
        ? reply.code(201).send(made)
        : reply.code(409).send({ error: 'There are too many valid keys: revoke those that nobody uses' })
    })
    inner.delete<{ Params: { id: string } }>(`${url}/:id`, async ({ params: { id } }, reply) => {
      const isRevoked = isId(id) && (await asCommand((scope) => revokeApiKey(scope.db, id, scope.now)))
      return isRevoked ? reply.code(204).send() : reply.code(404).send({ error: 'There is no such key' })
    })
  })
}
