import { boundedCache } from './bounded-cache.ts'

export interface RateLimit {
  /** Requests at once, after a pause. */
  burst: number
  /** Requests per second in the long run. */
  perSecond: number
}

/** A token bucket per sender, in this process. Returns whether a request of this sender is within the limit. */
export function rateLimiter({ burst, perSecond }: RateLimit, maxSenders = 50_000): (sender: string, now: number) => boolean {
  const buckets = boundedCache<{ tokens: number; at: number }>(maxSenders)
  return (sender, now) => {
    const { tokens, at } = buckets.get(sender) ?? { tokens: burst, at: now }
    const left = Math.min(burst, tokens + ((now - at) / 1000) * perSecond)
    buckets.set(sender, { tokens: left >= 1 ? left - 1 : left, at: now })
    return left >= 1
  }
}
