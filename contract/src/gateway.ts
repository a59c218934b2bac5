/**
 * How an app calls the gateway: in one process it is a function, split it is HTTP with the same headers.
 */
export interface GatewayRequest {
  /** The GraphQL document. */
  query?: string
  /** Or the hash of one of our own (`ApiDocument.id`). */
  documentId?: string
  variables?: Record<string, unknown>
  operationName?: string
  /** As they would be sent over HTTP: host, cookie, x-request-id, idempotency-key and so on; lower case. */
  headers: Record<string, string>
  remoteAddress?: string
}

export interface GatewayError {
  message: string
  path?: readonly (string | number)[]
  extensions?: { code?: string; status?: number }
}

export interface GatewayAnswer {
  data?: Record<string, unknown> | null
  errors?: readonly GatewayError[]
  /** Set-Cookie lines to hand on to the browser. */
  setCookies?: readonly string[]
}

export type GatewayExecute = (request: GatewayRequest) => Promise<GatewayAnswer>

/** What became of a call. Source: spec §8 GraphQL result mapping, R-641…R-647. */
export type ResultCode = 'OK' | 'NO_CONTENT' | 'NOT_FOUND' | 'GATEWAY_TIMEOUT_ERROR' | 'INTERNAL_ERROR'

export interface ResultOptions {
  kind: 'query' | 'mutation'
  /** Take data that came with errors. */
  acceptPartial?: boolean
}

/** Maps an answer to its code; decision 6 says what an empty data object is. */
export function resultCode(
  { data, errors = [] }: Pick<GatewayAnswer, 'data' | 'errors'>,
  { kind, acceptPartial = false }: ResultOptions,
): ResultCode {
  const hasData = data !== null && data !== undefined && Object.keys(data).length > 0
  const saysSomething = hasData && Object.values(data).some((value) => value !== null)
  if (errors.length > 0 && !(acceptPartial && saysSomething)) {
    return errors.some(({ message }) => /timeout/i.test(message)) ? 'GATEWAY_TIMEOUT_ERROR' : 'INTERNAL_ERROR'
  }
  if (hasData) return 'OK'
  return kind === 'mutation' ? 'NO_CONTENT' : 'NOT_FOUND'
}

/** Errors worth a line in the log: all but those that say something was not there. */
export function errorsToLog(errors: readonly GatewayError[] = []): GatewayError[] {
  return errors.filter(({ message }) => !/\b404\b/.test(message))
}
