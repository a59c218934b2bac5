import { type BoundedCache, boundedCache, isNear } from '@purlin/server/foundation/platform/index.ts'
import { type PageRequest, fromParameters, show, signInLinks, visitOf } from './visit.ts'

/** The protocol's other requests, exactly: they store nothing for strangers. Any other spelling or path counts as a start. */
const isOther =
  /^\/(?:\.well-known\/(?:openid-configuration|oauth-authorization-server)|protocol\/openid-connect\/(?:token|userinfo|certs|revoke|auth\/[\w-]+))$/

/** Sign-ins that a network may start in ten minutes; a private one may be a proxy that stands for everybody. */
export const startsPerNetwork = { public: 120, near: 3000, windowMs: 10 * 60_000 }

/** Counts by network, in memory: what is refused costs no statement, and what is admitted none either. */
export type StartCounts = BoundedCache<{ count: number; endsAt: number }>

export function startCounts(): StartCounts {
  return boundedCache(50_000)
}

/**
 * Counts the start of a sign-in by its network, before oidc-provider stores anything for it: a visitor who never returns costs a bounded
 * number of rows. True when it was refused, and answered.
 */
export function refuseStart(asked: PageRequest, rest: string): boolean {
  if (isOther.test(rest)) return false
  const { context, request, response } = asked
  const seconds = waitOf(asked)
  if (seconds === undefined) return false
  const { searchParams } = new URL(request.url ?? '/', context.url)
  const visit = visitOf(asked, fromParameters(context, Object.fromEntries(searchParams)))
  const { t } = visit
  response.setHeader('retry-after', String(seconds))
  const text = t('identity.start.text', { minutes: Math.ceil(seconds / 60) })
  show(visit, 429, { title: t('identity.start.title'), blocks: [{ kind: 'text', text }, ...signInLinks(visit)] })
  return true
}

/** Seconds until the network may start another sign-in; undefined for now. */
function waitOf({ context, address }: PageRequest): number | undefined {
  const { starts } = context
  const now = Date.now()
  const known = starts.get(address)
  const current = known && known.endsAt > now ? known : { count: 0, endsAt: now + startsPerNetwork.windowMs }
  if (current.count >= (isNear(address) ? startsPerNetwork.near : startsPerNetwork.public)) return Math.ceil((current.endsAt - now) / 1000)
  starts.set(address, { ...current, count: current.count + 1 })
  return undefined
}
