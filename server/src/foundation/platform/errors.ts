import type { HttpStatus } from '@purlin/contract/http-status.ts'

/** Something the operator can mend; its message is the one clear sentence a person reads before exit code 1. */
export class StartError extends Error {
  override name = 'StartError'
}

/** An outcome with a status of its own (401, 404, 410, 422, 424, 429): its message is shown, so it holds nothing internal. */
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

/** The house cannot answer now (queue full, database away): 503 with Retry-After. */
export class UnavailableError extends Error {
  override name = 'UnavailableError'
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds = 1) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No further try will change this: the work becomes a dead letter at once. */
export class PermanentError extends Error {
  override name = 'PermanentError'
}

/** The one sentence for what a person can mend; for a fault of ours where it happened. */
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

/** SQLSTATE or errno of an error, when it has one. */
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

/** The database is away, full, starting or too busy: worth another try later, unlike a mistake of ours. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof UnavailableError) return true
  const code = codeOf(error)
  if (code) return unavailableCodes.has(code)
  const message = error instanceof Error ? error.message : ''
  return /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed|Query read timeout/.test(message)
}

/** A statement ran into its time limit: 504, and the word "timeout" for clients. Source: spec §8. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === '57014'
}
