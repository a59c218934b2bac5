import type { GatewayAnswer, GatewayError, GatewayExecute } from '@purlin/contract/gateway.ts'
import { appSettingsNotFound, type SiteHosts } from '@purlin/contract/site-settings.ts'
import type { ExecutionResult } from 'graphql'
import type { ApiKeyHolder } from '#integrations'
import { type Pool, StatusError, TooManyError, UnavailableError, settings, takeQuota } from '#platform'
import { metrics } from '../../foundation/platform/metrics.ts'
import { traced } from '../../foundation/platform/tracing.ts'
import { executableSchema } from './build-schema.ts'
import { documentError, errorAnswer, tooExpensive } from './error-answer.ts'
import { limits } from './limits.ts'
import { loadResolvers, loadSdl } from './load-schema.ts'
import { createOperations } from './operations.ts'
import { costLimit, foreignCostLimit } from './price-query.ts'
import { type RequestScope, requestScope } from './request-scope.ts'
import { createSharedAnswers, sharedKey } from './shared-answers.ts'
import { createTimeSlices } from './time-slices.ts'

export interface ExecuteOptions {
  pool: Pool
  hosts: SiteHosts
  /** Resolvers by module, for tests; default: every module's graphql.ts. */
  edges?: Parameters<typeof loadResolvers>[0]
  schema?: string
  /** The number of requests under way that documents of strangers give way to. */
  othersUnderWay?: () => number
}

/** A result with details that only our own processes may see. */
export interface InnerAnswer extends GatewayAnswer {
  /** SQL statements sent for this request, BEGIN and COMMIT included. */
  statements: number
  /** The estimated cost of the operation. */
  cost?: number
  /** Refused before anything was executed, for what it is rather than for how much was sent. */
  isRefused?: boolean
  /** Already serialised, including `data`; only if requested as text. */
  text?: Buffer
}

type InnerExecute = (
  request: Parameters<GatewayExecute>[0] & {
    /** Requests the result as text, so that a shared result need not be serialised again. */
    asText?: boolean
    /** A GET request must not change anything. */
    queriesOnly?: boolean
    /** The remaining cost limit, for the later operations of a batch. */
    mayCost?: number
    /** From outside, so that its cost counts against the sender's quota, or against the budget of the key that was presented. */
    isCounted?: boolean
    apiKey?: ApiKeyHolder
    /** Called before a long document of a stranger is executed in the background, and by what waits: from then on neither needs a turn among requests. */
    leaveTurn?: () => void
  },
) => Promise<InnerAnswer>

/** Maximum number of concurrent requests; any more are refused with a Retry-After (F4, F5). */
const maxAtOnce = 400
/** Documents of strangers that cost more are executed in slices; this takes one or two milliseconds. */
const maxCostAtOnce = 500

/** The pipeline of every GraphQL request, over HTTP or from a page in this process: no socket, no JSON. */
export async function createExecute({
  pool,
  hosts,
  edges,
  schema = loadSdl(),
  othersUnderWay = () => 0,
}: ExecuteOptions): Promise<{ execute: InnerExecute; refuseAtOnce(query: string, operationName: unknown): InnerAnswer | null }> {
  const operations = createOperations(executableSchema(schema, await loadResolvers(edges)), { isPublic: settings().isPublic })
  let underWay = 0
  const shared = createSharedAnswers()
  const timeSlices = createTimeSlices({ othersUnderWay })

  /** The answer to a foreign document that is refused whatever its variables and its sender are, and whether or not it is valid. */
  const refuseAtOnce = (query: string, operationName: unknown): InnerAnswer | null => {
    const problem = problemWith(query, operationName)
    if (problem) return refused(problem, 'BAD_REQUEST', 400)
    const errors = operations.refusalOf(query, typeof operationName === 'string' && operationName ? operationName : undefined)
    return errors && refusedFor(errors)
  }

  const execute: InnerExecute = async ({
    query = '',
    documentId,
    variables = {},
    operationName,
    headers,
    remoteAddress,
    asText = false,
    queriesOnly = false,
    mayCost = costLimit,
    isCounted = false,
    apiKey,
    leaveTurn,
  }) => {
    const scope = requestScope(pool, hosts, { headers, remoteAddress })
    if (!scope) return refused(appSettingsNotFound, 'NOT_FOUND', 404)
    if (leaveTurn) scope.leaveTurn = leaveTurn
    const problem = documentId === undefined ? problemWith(query, operationName) : null
    if (problem) return refused(problem, 'BAD_REQUEST', 400)
    const isForeign = isCounted && documentId === undefined
    if (isForeign) await timeSlices.giveWay()
    const prepared = documentId === undefined ? operations.prepare(query, operationName, isForeign) : operations.prepareKnown(documentId)
    if (!prepared.ok) return refusedFor(prepared.errors)
    const { operation } = prepared
    if (queriesOnly && !operation.isQuery) return refused('Only queries are executed by GET and with an API key', 'METHOD_NOT_ALLOWED', 405)
    const checked = operation.check(variables)
    if (!checked.ok) return refusedFor(checked.errors.map(documentError))
    const cost = operation.price(checked.coerced)
    // What the operations of a batch before this one have cost counts against either limit.
    const maxCost = isForeign ? mayCost - (costLimit - foreignCostLimit) : mayCost
    if (cost > maxCost) return refusedFor([tooExpensive(cost, maxCost)])
    const counted = apiKey
      ? await takeQuota('public-api', { key: apiKey.id }, cost, apiKey.costPerMinute)
      : isCounted
        ? await takeQuota('query', { address: remoteAddress }, cost)
        : null
    if (counted?.ok === false) return answer(scope, null, [errorAnswer(new TooManyError(counted.retryAfterSeconds), scope)])
    // A document of ours has one operation, whatever name the client gives it.
    const key = asText ? sharedKey(scope, documentId ?? query, checked.coerced, documentId === undefined ? operationName : '') : null
    const known = shared.find(key)
    if (known) return { data: null, text: known, setCookies: [], statements: 0, cost }
    underWay++
    try {
      if (underWay > maxAtOnce) throw new UnavailableError('Too many requests at once')
      // A client may call its operation anything: only the names of our own documents are told.
      const name = `${operation.isQuery ? 'query' : 'mutation'} ${(documentId !== undefined && operationName) || 'anonymous'}`
      const { data, errors } = await traced(name, { attributes: { 'purlin.cost': cost } }, async () => {
        if (isForeign && operation.isQuery && cost > maxCostAtOnce) {
          leaveTurn?.()
          return timeSlices.run(
            async (slices) => inTime(Promise.resolve(operation.runInSlices(scope, checked.declared, slices))),
            remoteAddress,
          )
        }
        const running = operation.run(scope, checked.declared)
        return operation.isQuery && running instanceof Promise ? inTime(running) : running
      })
      const told = errors?.slice(0, 10).map((error) => errorAnswer(error, scope))
      const text = errors?.length ? undefined : shared.keep(key, scope, { data })
      return { ...answer(scope, data ?? null, told), cost, ...(text && { text }) }
    } catch (error) {
      return answer(scope, null, [errorAnswer(error, scope)])
    } finally {
      underWay--
      if (scope.statements) metrics.statements.inc(scope.statements)
    }
  }
  return { execute, refuseAtOnce }
}

/** A query may take too long as a whole even though each part is within its limit; a command is left to finish. */
async function inTime(running: Promise<ExecutionResult>): Promise<ExecutionResult> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StatusError(504, 'GATEWAY_TIMEOUT_ERROR', 'The query took too long (timeout)')), limits.queryMs)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
  }
}

function answer(scope: RequestScope, data: Record<string, unknown> | null, errors: GatewayError[] | undefined): InnerAnswer {
  return { data, ...(errors?.length && { errors }), setCookies: scope.setCookies, statements: scope.statements }
}

function refused(message: string, code: string, status: number): InnerAnswer {
  return { data: null, errors: [{ message, extensions: { code, status } }], statements: 0, isRefused: true }
}

function refusedFor(errors: readonly GatewayError[]): InnerAnswer {
  return { data: null, errors: errors.slice(0, 10), statements: 0, isRefused: true }
}

const isJson = /^\s*(?:\{\s*["}]|["[\d-]|(?:true|false|null)\s*$)/

function problemWith(query: unknown, operationName: unknown): string | null {
  if (typeof query !== 'string' || !query) return 'A request has a query'
  if (isJson.test(query)) return 'Syntax Error: this is JSON, not GraphQL'
  if (operationName !== undefined && operationName !== null && !/^[_A-Za-z]\w{0,99}$/.test(String(operationName)))
    return 'Not an operation name'
  return null
}
