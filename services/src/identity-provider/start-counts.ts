import { type BoundedCache, boundedCache, isNear } from '@purlin/server/foundation/platform/index.ts'

/** Sign-ins that a network may start in ten minutes; a private one may be a proxy that stands for everybody. */
export const startsPerNetwork = { public: 120, near: 3000, windowMs: 10 * 60_000 }

/** Counts by network, in memory: what is refused costs no statement, and what is admitted none either. */
export type StartCounts = BoundedCache<{ count: number; endsAt: number }>

export function startCounts(): StartCounts {
  return boundedCache(50_000)
}

/** Counts a start. Seconds until the network may start another sign-in, if it is refused. */
export function countStart(starts: StartCounts, address: string): number | undefined {
  const now = Date.now()
  const known = starts.get(address)
  const current = known && known.endsAt > now ? known : { count: 0, endsAt: now + startsPerNetwork.windowMs }
  if (current.count >= (isNear(address) ? startsPerNetwork.near : startsPerNetwork.public)) return Math.ceil((current.endsAt - now) / 1000)
  starts.set(address, { ...current, count: current.count + 1 })
  return undefined
}
