import { countStart } from './start-counts.ts'
import { type PageRequest, fromParameters, show, signInLinks, visitOf } from './visit.ts'

/** The protocol's other requests, exactly: they store nothing for strangers. Any other spelling or path counts as a start. */
const isOther =
  /^\/(?:\.well-known\/(?:openid-configuration|oauth-authorization-server)|protocol\/openid-connect\/(?:token|userinfo|certs|revoke|auth\/[\w-]+))$/

/**
 * Counts the start of a sign-in by its network, before oidc-provider stores anything for it: a visitor who never returns costs a bounded
 * number of rows. True when it was refused, and answered.
 */
export function refuseStart(asked: PageRequest, rest: string): boolean {
  if (isOther.test(rest)) return false
  const { context, request, response, address } = asked
  const seconds = countStart(context.starts, address)
  if (seconds === undefined) return false
  const { searchParams } = new URL(request.url ?? '/', context.url)
  const visit = visitOf(asked, fromParameters(context, Object.fromEntries(searchParams)))
  const { t } = visit
  response.setHeader('retry-after', String(seconds))
  const text = t('identity.start.text', { minutes: Math.ceil(seconds / 60) })
  show(visit, 429, { title: t('identity.start.title'), blocks: [{ kind: 'text', text }, ...signInLinks(visit)] })
  return true
}
