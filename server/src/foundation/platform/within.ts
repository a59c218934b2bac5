import { UnavailableError } from './errors.ts'

/** What others can do without: its result if it comes in time. It goes on in the background, and its late failure is nobody's. */
export function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  work.catch(() => undefined)
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new UnavailableError(`No answer within ${ms} ms`)), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
