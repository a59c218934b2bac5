import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Realm, identityClientId } from '@purlin/contract/identity.ts'
import { decodeJwt } from 'jose'
import type { Provider } from 'oidc-provider'
import type { IdentityContext } from './context.ts'
import { readForm, redirect, sendText } from './http.ts'
import { type SignIn, endSignInOf, findSignInBySid, findSignInOfToken } from './sessions.ts'
import { shopOrigins } from './provider.ts'

export interface LogoutPages {
  /** Asks for confirmation: a visitor without our hint may have been sent by anybody. */
  confirm(state: { redirectTo: string | undefined; uiLocales: string | undefined }): void
  done(uiLocales: string | undefined): void
}

interface LogoutRequest {
  context: IdentityContext
  realm: Realm
  provider: Provider
  request: IncomingMessage
  response: ServerResponse
}

/**
 * RP-initiated logout, as in Keycloak: with an ID token as hint the sign-in it names ends at once, together with the
 * session of its browser, even when the shop's server calls; without one, the browser's own session ends after confirmation.
 * A POST with the client secret and a refresh token ends the sign-in of that token.
 */
export async function logout({ context, realm, provider, request, response }: LogoutRequest, pages: LogoutPages): Promise<void> {
  const form = request.method === 'POST' ? await readForm(request) : new URL(request.url ?? '/', context.url).searchParams
  if (!form) return sendText(response, 400, 'The request is no form')
  const locales = form.get('ui_locales') ?? undefined
  const refreshToken = form.get('refresh_token')
  const end = async (found: SignIn | undefined) => found && endSignInOf(context, realm, found)
  if (request.method === 'POST' && refreshToken) {
    const client = await provider.Client.find(identityClientId)
    if (form.get('client_id') !== identityClientId || !client?.compareClientSecret(form.get('client_secret') ?? ''))
      return sendText(response, 401, JSON.stringify({ error: 'invalid_client' }), 'application/json')
    await end(await findSignInOfToken(provider, refreshToken))
    response.writeHead(204).end()
    return
  }
  const redirectTo = leadsToShop(context, form.get('post_logout_redirect_uri'), form.get('state'))
  if (redirectTo === 'refused') return sendText(response, 400, 'post_logout_redirect_uri is not an address of the shop')
  const own = await provider.Session.get(provider.createContext(request, response))
  const hint = form.get('id_token_hint')
  const claims = hint ? await validHint(provider, hint) : undefined
  if (hint && !claims) return sendText(response, 400, 'id_token_hint is not ours')
  if (claims?.sid) {
    await end(await findSignInBySid(context, realm, claims.sub, claims.sid))
  } else if (own.accountId) {
    return pages.confirm({ redirectTo, uiLocales: locales })
  }
  if (redirectTo) redirect(response, redirectTo)
  else pages.done(locales)
}

/** The claims of an ID token signed by this realm for the shop; it may have expired. */
async function validHint(provider: Provider, hint: string): Promise<{ sub: string; sid?: string } | undefined> {
  const client = await provider.Client.find(identityClientId)
  if (!client) return undefined
  try {
    await provider.IdToken.validate(hint, client)
    const { sub, sid } = decodeJwt<{ sid?: string }>(hint)
    return sub ? { sub, ...(sid && { sid }) } : undefined
  } catch {
    return undefined
  }
}

/** Any page on the shop's own hosts, with the given state. */
export function leadsToShop({ hosts }: Pick<IdentityContext, 'hosts'>, address: string | null, state: string | null): string | undefined {
  if (!address) return undefined
  if (!URL.canParse(address)) return 'refused'
  const url = new URL(address)
  if (!shopOrigins(hosts).includes(url.origin) || url.username || url.password) return 'refused'
  if (state) url.searchParams.set('state', state)
  return url.href
}
