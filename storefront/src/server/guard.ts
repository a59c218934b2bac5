import { actions, isAnonymous, reachOf, type Grants, type PersonalAction } from '@purlin/contract/actions.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import type { Outcome } from '@purlin/web/outcomes.ts'
import { notFound, redirect } from '@purlin/web/outcomes.ts'
import { forOtherRoles } from '../errors/for-other-roles.ts'
import { paths } from '../paths.ts'
import type { ShopRoute } from '../routes.ts'
import type { ShopContext } from '../shell/context.ts'

/** The response for a visitor who may not see a page; null when they may. Source: spec §4, §6, decision 4. */
export async function guard(route: ShopRoute, context: ShopContext): Promise<Outcome | null> {
  if (isAnonymous(route.action)) return null
  const principal = await context.principal()
  const may = (action: PersonalAction) => reachOf(principal, action, context.market) !== null
  if (may(route.action)) return null
  // A mail link opens its order to a session, which it starts: the page exchanges the token and shows nothing without it.
  const takesLinks = ['orderDetails', 'conversation', 'onlineSupportDispute', 'onlineSupportInvoice'].includes(route.name)
  if (takesLinks && typeof context.query['access'] === 'string' && may('order.open-link')) return null
  return insteadOf(route, route.action, principal, context)
}

function insteadOf(route: ShopRoute, action: PersonalAction, principal: Principal, context: ShopContext): Outcome {
  const isForCompanies = !('customer' in actions[action])
  if (principal.kind === 'customer' && isForCompanies) return redirect(302, paths.conversionFromB2c2B2b({}, { from: context.pathname }))
  if (principal.kind === 'member' && isForRoles(action)) return notFound(forOtherRoles)
  if (principal.kind !== 'guest') return notFound()
  return isForCompanies && context.mode === 'b2c' ? notFound() : toSignIn(route, context)
}

/** Whether some members of a company may take an action and others not. */
function isForRoles(action: PersonalAction): boolean {
  const { member } = actions[action] as Grants
  return typeof member === 'object'
}

/** In the funnel visitors sign in, or continue as guests, without leaving it. A POST cannot be replayed, so it returns as a GET. */
function toSignIn(route: ShopRoute, context: ShopContext): Outcome {
  const query = { callbackUrl: context.prefix + context.pathname + context.search }
  return redirect(302, route.layout === 'funnel' ? paths.funnelLogin({}, query) : paths.login({}, query))
}
