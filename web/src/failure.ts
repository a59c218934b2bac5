import type { PageLog } from './pages-options.ts'
import type { Reply } from './reply.ts'

/** An error a page or a call it makes may throw with a status of its own (424, 429, 503, 504). */
export function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : 500
}

/** Seconds to wait before the next attempt, if the error names them. */
export function retryAfterOf(error: unknown): number | undefined {
  const seconds = typeof error === 'object' && error !== null && 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined
  return typeof seconds === 'number' ? seconds : undefined
}

/** A line about a page that could not be made, with the stack of a bug alone; none about a sender beyond a quota. (A44) */
export function logFailure(log: PageLog, error: unknown, { requestId, pathname }: { requestId: string; pathname: string }): void {
  const status = statusOf(error)
  const about = { requestId, pathname: pathname.slice(0, 300) }
  if (status === 500) log.error({ err: error, ...about }, 'A page could not be made')
  else if (status !== 429) log.warn({ reason: String(error).slice(0, 300), status, ...about }, 'A page could not be made')
}

/** A page that takes too long is 504, so that a hanging dependency does not hold up everything else. */
export async function withDeadline<Result>(work: Promise<Result>, maxMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error(`Not made within ${maxMs} ms`), { status: 504 })), maxMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The response to a sender beyond its quota. The rest of a refused body is not read. */
export function tooManyAnswer(body: Reply['body'], headers: Record<string, string>, retryAfter: number): Reply {
  return {
    status: 429,
    body,
    cookies: [],
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...headers,
      'cache-control': 'private, no-store',
      'retry-after': String(retryAfter),
      connection: 'close',
    },
  }
}

/** Values by key, each created at its first use in a minute; one that fails is not kept. */
export function keptForAMinute<Value>(): (key: string, create: () => Promise<Value>) => Promise<Value> {
  const kept = new Map<string, Promise<Value>>()
  return (key, create) => {
    const known = kept.get(key)
    if (known) return known
    const value = create()
    kept.set(key, value)
    const forget = () => void kept.delete(key)
    void value.then(() => setTimeout(forget, 60_000).unref(), forget)
    return value
  }
}
