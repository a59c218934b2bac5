import type { Outcome } from '@purlin/web/outcomes.ts'
import { notFound, redirect } from '@purlin/web/outcomes.ts'
import { paths } from '../paths.ts'
import type { ShopRoute } from '../routes.ts'
import type { ShopContext } from '../shell/context.ts'

/** What a visitor gets instead of a page they may not see; null when they may. Source: spec §4, §6, decision 4. */
export async function guard(route: ShopRoute, context: ShopContext): Promise<Outcome | null> {
  if (route.name === 'notFound') return notFound()
  if (route.access === 'public') return null
  const { viewer, isGuest, hasSession } = await context.visitor()
  if (route.access === 'b2b') {
    if (viewer.kind === 'b2b') return null
    if (viewer.kind === 'b2c') return redirect(302, paths.conversionFromB2c2B2b({}, { from: context.pathname }))
    return context.mode === 'b2b' ? toSignIn(route, context) : notFound()
  }
  if (viewer.kind !== 'guest' || (route.guests && isGuest)) return null
  // The link of a mail lets a session see its order: the page exchanges the link, then asks whether this order may be seen.
  if (route.name === 'orderDetails' && (hasSession || typeof context.query['access'] === 'string')) return null
  return toSignIn(route, context)
}

/** In the funnel one signs in, or goes on as a guest, without leaving it. A posted form cannot be replayed, so it comes back as a question. */
function toSignIn(route: ShopRoute, context: ShopContext): Outcome {
  const query = { callbackUrl: context.pathname + context.search }
  return redirect(302, route.layout === 'funnel' ? paths.funnelLogin({}, query) : paths.login({}, query))
}
