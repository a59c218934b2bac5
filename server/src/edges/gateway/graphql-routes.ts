import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ApiKeyDoor } from '#integrations'
import { settings } from '#platform'
import type { InnerAnswer, createExecute } from './execute.ts'
import { countRefusals } from './count-refusals.ts'
import { failed, send, sendBatch } from './graphql-answers.ts'
import { limits } from './limits.ts'
import { isNestedDeeperThan, tooDeep } from './nesting.ts'
import { isOwnOrigin } from './own-origin.ts'
import { persistedQuery } from './persisted.ts'
import { costLimit } from './price-query.ts'

interface RequestOptions {
  query?: unknown
  variables?: unknown
  operationName?: unknown
  extensions?: unknown
}

interface RunOptions {
  queriesOnly?: boolean
  asText?: boolean
  mayCost?: number
}

export interface GraphqlRoutesOptions {
  execute: Awaited<ReturnType<typeof createExecute>>['execute']
  hosts: SiteHosts
  /** Finds the holder of a key of the public API. */
  admitApiKey: ApiKeyDoor
  /** Called for documents that are not the shop's own: other requests go before them. */
  leaveForeground(request: FastifyRequest): void
  /** Ends the request's turn before it is answered. */
  leaveTurn(request: FastifyRequest): void
}

/** GraphQL over HTTP: POST for everything, GET for queries, by text or by hash. */
export function graphqlRoutes(
  app: FastifyInstance,
  { execute, hosts, admitApiKey, leaveForeground, leaveTurn }: GraphqlRoutesOptions,
): void {
  app.post('/graphql', { config: { action: 'graphql.ask' } }, async (request, reply) => {
    const site = hosts.siteOf(request.headers.host)
    if (site && !isOwnOrigin(request, site))
      return send(reply, await refuse(request, 'This request does not come from our own pages', 'FORBIDDEN', 403))
    const body = request.body as RequestOptions | RequestOptions[] | null
    if (!Array.isArray(body)) return send(reply, await run(request, body, { asText: true }))
    if (body.length === 0 || body.length > limits.batch)
      return send(reply, await refuse(request, `A batch holds 1 to ${limits.batch} requests`, 'BAD_REQUEST', 400))
    const answers: InnerAnswer[] = []
    let mayCost = costLimit
    for (const each of body) {
      const made = await run(request, each, { mayCost })
      mayCost -= made.cost ?? 0
      answers.push(made)
    }
    return sendBatch(reply, answers)
  })

  app.get('/graphql', { config: { action: 'graphql.ask' } }, async (request, reply) => {
    const asked = request.query as Record<string, unknown>
    const variables = fromJson(asked.variables)
    const extensions = fromJson(asked.extensions)
    if (variables === undefined || extensions === undefined)
      return send(reply, await refuse(request, 'variables and extensions are JSON', 'BAD_REQUEST', 400))
    return send(reply, await run(request, { ...asked, variables, extensions }, { queriesOnly: true, asText: true }))
  })

  function refuse({ ip }: FastifyRequest, ...why: Parameters<typeof failed>): Promise<InnerAnswer> {
    return countRefusals(ip, () => failed(...why))
  }

  function run(request: FastifyRequest, asked: RequestOptions | null, options: RunOptions = {}): Promise<InnerAnswer> {
    return countRefusals(request.ip, () => answer(request, asked, options))
  }

  async function answer(request: FastifyRequest, asked: RequestOptions | null, options: RunOptions): Promise<InnerAnswer> {
    if (typeof asked !== 'object' || asked === null) return failed('A request is an object', 'BAD_REQUEST', 400)
    if (isNestedDeeperThan(limits.nesting, asked)) return failed(tooDeep, 'BAD_REQUEST', 400)
    const { publicApi } = settings()
    const presented = publicApi === 'keyed' ? request.headers['x-api-key'] : undefined
    const apiKey = presented === undefined ? null : await admitApiKey(String(presented), request.ip)
    if (presented !== undefined && !apiKey) return failed('This API key is unknown, expired or revoked', 'API_KEY_INVALID', 401)
    const found = persistedQuery(asked.query, asked.extensions, { isPublicApi: publicApi === 'open' || apiKey !== null })
    if (!found) return failed('A request has a query', 'BAD_REQUEST', 400)
    if (publicApi === 'keyed' && 'problem' in found && found.code === 'UNKNOWN_DOCUMENT')
      return failed('Documents that are not of this shop need an API key in the header x-api-key', 'API_KEY_MISSING', 401)
    if ('problem' in found) return failed(found.problem, found.code, found.code === 'PERSISTED_QUERY_NOT_FOUND' ? 200 : 400)
    const { variables } = asked
    if (variables !== undefined && variables !== null && (typeof variables !== 'object' || Array.isArray(variables))) {
      return failed('variables is an object', 'BAD_REQUEST', 400)
    }
    const operationName = typeof asked.operationName === 'string' && asked.operationName ? asked.operationName : undefined
    if ('query' in found) leaveForeground(request)
    return execute({
      ...found,
      ...(variables ? { variables: variables as Record<string, unknown> } : {}),
      ...(operationName ? { operationName } : {}),
      headers: apiKey ? withoutCookies(request.headers) : (request.headers as Record<string, string>),
      remoteAddress: request.ip,
      isCounted: true,
      leaveTurn: () => leaveTurn(request),
      ...(apiKey && { apiKey }),
      ...options,
      // A key says which program asks, and gives nobody's rights.
      ...(apiKey && { queriesOnly: true }),
    })
  }
}

function withoutCookies({ cookie: _, ...headers }: FastifyRequest['headers']): Record<string, string> {
  return headers as Record<string, string>
}

/** An object or null from a query parameter; undefined when it is not a JSON object. */
function fromJson(value: unknown): object | null | undefined {
  if (value === undefined || value === '') return null
  try {
    const parsed: unknown = JSON.parse(String(value))
    return typeof parsed === 'object' && !Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
