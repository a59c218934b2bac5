import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from 'oidc-provider'
import type { IdentityContext } from './context.ts'
import { formKey, isOwnForm } from './forms.ts'
import { readForm, sendPage } from './http.ts'
import { languageOf, siteOfAddress } from './language.ts'
import { type PageFacts, errorPage, signInPage } from './pages.ts'
import { shopOrigins } from './provider.ts'
import type { RealmServer } from './realm.ts'
import { signIn } from './sign-in.ts'

interface InteractionRequest {
  context: IdentityContext
  server: RealmServer
  request: IncomingMessage
  response: ServerResponse
  path: string
}

/** The pages between the shop's request and its answer: who are you? */
export async function interact({ context, server, request, response, path }: InteractionRequest): Promise<void> {
  const provider = server.provider()
  const details = await provider.interactionDetails(request, response).catch((error: unknown) => {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  })
  const params = details?.params ?? {}
  const site = siteOfAddress(context.hosts, params['redirect_uri'])
  const language = languageOf(params['ui_locales'], site, request)
  if (!details) return sendPage(response, 400, errorPage({ language, shop: undefined }))
  const facts = (): PageFacts => ({ language, shop: site?.origin, action: path, formKey: formKey(context, request, response, path) })
  const hint = typeof params['login_hint'] === 'string' ? params['login_hint'] : ''
  const targets = shopOrigins(context.hosts)
  if (request.method !== 'POST') return sendPage(response, 200, signInPage(facts(), { email: hint }), targets)

  const form = await readForm(request)
  if (!form || !isOwnForm(context, request, form, path))
    return sendPage(response, 403, signInPage(facts(), { email: form?.get('email') ?? '', wrong: 'form.old' }), targets)
  const email = form.get('email') ?? ''
  const account = await signIn(context, server.realm, { email, password: form.get('password') ?? '' })
  if (!account) return sendPage(response, 401, signInPage(facts(), { email, wrong: 'signIn.wrong' }), targets)
  await provider.interactionFinished(request, response, { login: { accountId: account.id, amr: ['pwd'] }, create: {} })
}
