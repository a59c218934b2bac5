import type { GatewayError } from '@purlin/contract/gateway.ts'
import type { GraphQLError } from 'graphql'
import { type Log, StatusError, TooManyError, UnavailableError, isTimeout, isUnavailable, isUnstorable, lineQuota } from '#platform'

interface Thrown {
  message: string
  path?: readonly (string | number)[]
  originalError?: unknown
}

/** A field of a module that the shop can do without has failed; whoever queries more than this may go on with the rest (decision 104). */
export class OptionalFailure extends Error {
  override name = 'OptionalFailure'
  constructor(cause: unknown) {
    super('A module that the shop can do without has failed', { cause })
  }
}

const mayLogUnstorable = lineQuota()

/**
 * The single place that converts thrown errors into error responses. Mistakes in the document and errors with a status
 * keep their messages; everything else becomes a reference to the log. Source: spec §8.
 */
export function errorAnswer(thrown: unknown, { requestId, log }: { requestId: string; log: Log }): GatewayError {
  const { path } = thrown as Thrown
  const cause = (thrown as Thrown).originalError ?? thrown
  if (cause instanceof OptionalFailure) {
    const { extensions, ...said } = errorAnswer({ path, originalError: cause.cause }, { requestId, log })
    return { ...said, extensions: { ...extensions, isOptional: true } }
  }
  const at = path ? { path } : {}
  if (cause instanceof TooManyError)
    return { message: cause.message, ...at, extensions: { code: cause.code, status: cause.status, retryAfter: cause.retryAfterSeconds } }
  if (cause instanceof StatusError) return { message: cause.message, ...at, extensions: { code: cause.code, status: cause.status } }
  if (isTimeout(cause)) {
    log.warn({ requestId, path }, 'a statement ran into its time limit')
    return {
      message: `The query took too long (timeout). Reference: ${requestId}`,
      ...at,
      extensions: { code: 'GATEWAY_TIMEOUT_ERROR', status: 504 },
    }
  }
  if (isUnavailable(cause)) {
    log.warn({ requestId, path, reason: String((cause as Error).message) }, 'unavailable')
    return {
      message: `Not available at the moment, try again. Reference: ${requestId}`,
      ...at,
      extensions: { code: 'UNAVAILABLE', status: 503, retryAfter: cause instanceof UnavailableError ? cause.retryAfterSeconds : 1 },
    }
  }
  if (isUnstorable(cause)) {
    if (mayLogUnstorable()) log.warn({ requestId, path }, 'a text with a character that cannot be stored was refused')
    return { message: 'A text contains a character that cannot be stored', ...at, extensions: { code: 'BAD_REQUEST', status: 400 } }
  }
  const { stack, message } = cause instanceof Error ? cause : { stack: undefined, message: String(cause) }
  log.error({ requestId, path, reason: message, stack }, 'a request failed')
  return { message: `Something went wrong. Reference: ${requestId}`, ...at, extensions: { code: 'INTERNAL_ERROR', status: 500 } }
}

/** A mistake in the document or its variables, for the caller to fix, with graphql-js's message. */
export function documentError({ message }: GraphQLError): GatewayError {
  return { message, extensions: { code: 'GRAPHQL_VALIDATION_FAILED', status: 400 } }
}

export function tooExpensive(cost: number, limit: number): GatewayError {
  return { message: `The query costs ${cost}, more than the limit of ${limit}`, extensions: { code: 'TOO_EXPENSIVE', status: 400 } }
}

/** HTTP status of a response: with data it is 200, whatever errors it also has. */
export function statusOf({ data, errors }: { data?: Record<string, unknown> | null; errors?: readonly GatewayError[] }): number {
  if (!errors?.length) return 200
  if (data && Object.values(data).some((value) => value !== null)) return 200
  return errors[0]?.extensions?.status ?? 500
}
