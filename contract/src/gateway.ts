/**
 * How an app calls the gateway: in one process a function, otherwise HTTP with the same headers.
 */
export interface GatewayRequest {
  /** The GraphQL document. */
  query?: string
  /** Or the hash of one of our own documents (`ApiDocument.id`). */
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
  extensions?: {
    code?: string
    status?: number
    /** Seconds to wait before the next attempt. */
    retryAfter?: number
    /** Of a system that the shop can do without: the others have their data. */
    isOptional?: boolean
  }
}

export interface GatewayAnswer {
  data?: Record<string, unknown> | null
  errors?: readonly GatewayError[]
  /** Set-Cookie lines to pass on to the browser. */
  setCookies?: readonly string[]
}

export type GatewayExecute = (request: GatewayRequest) => Promise<GatewayAnswer>

/** A file sent with a form, as its bytes arrive. */
export interface GatewayUpload {
  headers: Record<string, string>
  remoteAddress?: string
  /** The file name given by its owner. */
  name: string
  source: AsyncIterable<Uint8Array>
}

/** The reason a file was refused; `too-complex`: takes too long to check, `quota`: too many in one day, `busy`: too many at the moment. */
export type UploadFault = 'wrong-type' | 'damaged' | 'active-content' | 'too-many-pixels' | 'too-complex' | 'too-large' | 'quota' | 'busy'

export type UploadAnswer = { ok: true; id: string; name: string; bytes: number } | { ok: false; reason: UploadFault }

export type GatewayTakeUpload = (upload: GatewayUpload) => Promise<UploadAnswer & { setCookies: readonly string[] }>

export const uploadStatus: Record<UploadFault, number> = {
  'wrong-type': 415,
  damaged: 422,
  'active-content': 422,
  'too-many-pixels': 422,
  'too-complex': 422,
  'too-large': 413,
  quota: 429,
  busy: 503,
}

/** Outcome of a call. Source: spec §8 GraphQL result mapping, R-641…R-647. */
export type ResultCode = 'OK' | 'NO_CONTENT' | 'NOT_FOUND' | 'GATEWAY_TIMEOUT_ERROR' | 'INTERNAL_ERROR'

export interface ResultOptions {
  kind: 'query' | 'mutation'
  /** Accept partial data with errors. */
  acceptPartial?: boolean
}

/** Maps a response to its code; decision 6 defines the meaning of an empty data object. */
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

/** Errors to log: all except those that report something missing. */
export function errorsToLog(errors: readonly GatewayError[] = []): GatewayError[] {
  return errors.filter(({ message }) => !/\b404\b/.test(message))
}
