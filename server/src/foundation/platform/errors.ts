import type { HttpStatus } from '@purlin/contract/http-status.ts'

/** An error the operator can fix; its message is the one sentence printed before exit code 1. */
export class StartError extends Error {
  override name = 'StartError'
}

/** An error with an HTTP status of its own (401, 404, 410, 422, 424, 429): its message is shown, so it contains nothing internal. */
export class StatusError extends Error {
  override name = 'StatusError'
  readonly status: HttpStatus
  readonly code: string
  constructor(status: HttpStatus, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** A sender has used up a quota: 429 with Retry-After. */
export class TooManyError extends StatusError {
  override name = 'TooManyError'
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super(429, 'TOO_MANY_REQUESTS', 'Too many requests, try again later')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The shop cannot answer now (queue full, database down): 503 with Retry-After. */
export class UnavailableError extends Error {
  override name = 'UnavailableError'
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds = 1) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No retry will change this: the work becomes a dead letter at once. */
export class PermanentError extends Error {
  override name = 'PermanentError'
}

/** One sentence for an error the operator can fix; for a bug of ours, the stack. */
export function startSentence(error: unknown, dataDir: string): string {
  if (error instanceof StartError) return error.message
  const text = error instanceof Error ? error.message : String(error)
  if (codeOf(error) === 'ENOSPC' || codeOf(error) === '53100' || /ENOSPC|No space left on device/.test(text)) {
    return `The disk is full: the shop needs room in ${dataDir}.`
  }
  const refused = ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '') ? (error as { path?: unknown }).path : undefined
  if (typeof refused === 'string')
    return `This user may not write ${refused}: start as the owner of that folder, or from a copy of your own.`
  return error instanceof Error ? (error.stack ?? text) : text
}

/** SQLSTATE or errno of an error, if it has one. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EAGAIN',
  'ENOTFOUND',
  '57P01',
  '57P02',
  '57P03',
  '53100',
  '53200',
  '53300',
  '55P03',
  '25P03',
  '08000',
  '08003',
  '08006',
  '25006',
])

/** The database is down, full, starting or too busy: worth a retry, unlike a bug of ours. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof UnavailableError) return true
  const code = codeOf(error)
  if (code) return unavailableCodes.has(code)
  const message = error instanceof Error ? error.message : ''
  return /Connection terminated|timeout expired|timeout exceeded when trying to connect|not queryable|Client was closed|Query read timeout/.test(
    message,
  )
}

/** A text with a character that Postgres cannot store (NUL, half of a surrogate pair): the sender's mistake. */
export function isUnstorable(error: unknown): boolean {
  return ['22021', '22P05'].includes(codeOf(error) ?? '')
}

/** A statement exceeded its time limit: 504, and the word "timeout" for clients. Source: spec §8. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === '57014'
}
