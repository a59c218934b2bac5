import type { GatewayAnswer, GatewayError, GatewayExecute } from '@purlin/contract/gateway.ts'
import { appSettingsNotFound, type SiteHosts } from '@purlin/contract/site-settings.ts'
import type { FastifyInstance } from 'fastify'
import { type ExecutionResult, GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql'
import mercurius from 'mercurius'
import { type Pool, UnavailableError, settings } from '#platform'
import { metrics } from '../../foundation/platform/metrics.ts'
import { errorAnswer } from './error-answer.ts'
import { limits, withinLimits } from './limits.ts'
import { loadResolvers, loadSdl } from './load-schema.ts'
import { type RequestScope, requestScope } from './request-scope.ts'
import { createSharedAnswers, sharedKey } from './shared-answers.ts'

export interface ExecuteOptions {
  app: FastifyInstance
  pool: Pool
  hosts: SiteHosts
  /** Resolvers by module, for tests; default: every module's graphql.ts. */
  edges?: Parameters<typeof loadResolvers>[1]
  schema?: string
}

/** An answer with what only our own house may know of it. */
export interface InnerAnswer extends GatewayAnswer {
  /** SQL statements sent for this request, BEGIN and COMMIT included. */
  statements: number
  /** Written out already, `data` and all; only for those who asked for it so. */
  text?: Buffer
}

type InnerExecute = (
  request: Parameters<GatewayExecute>[0] & {
    /** The answer is wanted as text: one that others share need not be made again. */
    asText?: boolean
  },
) => Promise<InnerAnswer>

/** Requests under way at the same time; more are told to come back (F4, F5). */
const mostAtOnce = 400

/** The pipeline of every GraphQL request, from HTTP or from a page in this process: no socket, no JSON. */
export async function createExecute({ app, pool, hosts, edges, schema = loadSdl() }: ExecuteOptions): Promise<InnerExecute> {
  await app.register(mercurius, {
    schema,
    resolvers: await loadResolvers(pool, edges),
    jit: 1,
    cache: 500,
    routes: false,
    graphql: { parseOptions: { maxTokens: limits.tokens, noLocation: true } },
    validationRules: settings().isPublic ? [withinLimits, NoSchemaIntrospectionCustomRule] : [withinLimits],
    errorFormatter: (execution: ExecutionResult) => ({ statusCode: 200, response: execution }),
  })
  await app.after()
  let underWay = 0
  const shared = createSharedAnswers()

  return async ({ query, variables, operationName, headers, remoteAddress, asText = false }) => {
    const scope = requestScope(pool, hosts, { headers, remoteAddress })
    if (!scope) return { ...refused(appSettingsNotFound, 'NOT_FOUND', 404), statements: 0 }
    const problem = problemWith(query, operationName)
    if (problem) return { ...refused(problem, 'BAD_REQUEST', 400), statements: 0 }
    const key = asText ? sharedKey(scope, query, variables, operationName) : null
    const known = shared.find(key)
    if (known) return { data: null, text: known, setCookies: [], statements: 0 }
    underWay++
    try {
      if (underWay > mostAtOnce) throw new UnavailableError('Too many requests at once')
      // Compiled queries are kept by text alone; two operations of one document must not share one.
      const source = operationName ? `${query}\n#${operationName}` : query
      const { data, errors } = await app.graphql(source, scope as never, variables ?? {}, operationName)
      const made = answer(
        scope,
        data ?? null,
        errors?.map((error) => errorAnswer(error, scope)),
      )
      const text = errors?.length ? undefined : shared.keep(key, scope, { data })
      return text ? { ...made, text } : made
    } catch (error) {
      const known = (error as { errors?: readonly unknown[] }).errors
      const told = known?.length ? known : [error]
      return answer(
        scope,
        null,
        told.slice(0, 10).map((each) => errorAnswer(asDocumentError(each, known), scope)),
      )
    } finally {
      underWay--
      if (scope.statements) metrics.statements.inc(scope.statements)
    }
  }
}

function answer(scope: RequestScope, data: Record<string, unknown> | null, errors: GatewayError[] | undefined): InnerAnswer {
  return { data, ...(errors?.length && { errors }), setCookies: scope.setCookies, statements: scope.statements }
}

function refused(message: string, code: string, status: number): GatewayAnswer {
  return { data: null, errors: [{ message, extensions: { code, status } }] }
}

const isJson = /^\s*(?:\{\s*["}]|["[\d-]|(?:true|false|null)\s*$)/

function problemWith(query: unknown, operationName: unknown): string | null {
  if (typeof query !== 'string' || !query) return 'A request has a query'
  // What does not parse would be tried as the JSON of a syntax tree, past the limit on tokens.
  if (isJson.test(query)) return 'Syntax Error: this is JSON, not GraphQL'
  if (operationName !== undefined && operationName !== null && !/^[_A-Za-z]\w{0,99}$/.test(String(operationName)))
    return 'Not an operation name'
  return null
}

/** What mercurius collects while it parses and validates is about the document, whatever its class. */
function asDocumentError(error: unknown, known: readonly unknown[] | undefined): unknown {
  if (!known || error instanceof GraphQLError) return error
  return new GraphQLError(error instanceof Error ? error.message : String(error))
}
