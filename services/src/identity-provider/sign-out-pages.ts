import { sessionCookie } from './context.ts'
import { redirect } from './http.ts'
import { leadsToShop, logout } from './logout.ts'
import { endSession } from './sessions.ts'
import { type PageRequest, formFor, ownForm, show, showError, showSignedOut, visitOf } from './visit.ts'

/** Sign-out requested by the shop, with its pages. */
export function signOut(asked: PageRequest): Promise<void> {
  const { context, server, request, response } = asked
  return logout(
    { context, realm: server.realm, provider: server.provider(), request, response },
    {
      confirm: ({ redirectTo, uiLocales }) => {
        const visit = visitOf(asked, { uiLocales, shop: redirectTo })
        const form = formFor(visit, `${visit.base}/sign-out`, [], visit.t('identity.sign-out.submit'), {
          ...(redirectTo && { hidden: { redirect_to: redirectTo } }),
        })
        show(visit, 200, {
          title: visit.t('identity.sign-out.title'),
          intro: visit.t('identity.sign-out.text'),
          blocks: [{ kind: 'form', form }],
        })
      },
      done: (uiLocales) => {
        const visit = visitOf(asked, { uiLocales })
        showSignedOut(visit)
      },
    },
  )
}

/** After confirmation: ends the browser's own session. */
export async function signOutConfirmed(asked: PageRequest): Promise<void> {
  const { context, server, request, response } = asked
  const form = await ownForm(asked)
  const redirectTo = leadsToShop(context, form?.get('redirect_to') ?? null, null)
  const shop = redirectTo === 'refused' ? undefined : redirectTo
  const visit = visitOf(asked, { shop })
  if (!form) return showError(visit, 403, 'identity.form.old')
  const session = await visit.provider.Session.get(visit.provider.createContext(request, response))
  if (session.accountId) await endSession(context.pool.db, context, { realm: server.realm, id: session.accountId }, session.uid)
  response.appendHeader('set-cookie', `${sessionCookie(context.url, server.realm)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`)
  if (shop) return redirect(response, shop)
  showSignedOut(visit)
}
