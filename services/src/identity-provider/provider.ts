import { randomBytes } from 'node:crypto'
import { type Realm, authProviders, callbackPath, identityClientId, isAuthProvider, issuerOf } from '@purlin/contract/identity.ts'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import { type Configuration, type JWK, type KoaContextWithOIDC, Provider, interactionPolicy } from 'oidc-provider'
import { findAccount } from './accounts.ts'
import { artifactAdapter } from './artifacts.ts'
import { claimsAbout, claimsOf } from './claims.ts'
import { type IdentityContext, accountClientId, sessionCookie, sessionDays } from './context.ts'
import { rememberDevice } from './devices.ts'
import { contentPolicy, pageHeaders } from './http.ts'
import { languageOf, shopOf, signInLink, siteOfAddress } from './language.ts'
import { wordsOf } from './words.ts'

const minute = 60
const day = 86_400

/** The OpenID provider of one realm, at the same addresses as a Keycloak. */
export function createRealmProvider(context: IdentityContext, realm: Realm, keys: readonly JWK[]): Provider {
  const provider = new Provider(issuerOf(context.url, realm), configurationOf(context, realm, keys))
  // Addresses derive from the issuer, whatever a request claims: index.ts sets the headers that are trusted here.
  provider.proxy = true
  // Like Keycloak, ID tokens name the session: a logout with the hint ends it without a cookie.
  Object.defineProperty(provider.Client.prototype, 'includeSid', { value: () => true })
  provider.on('server_error', (_ctx, error) => context.log.error({ realm, reason: error.stack }, 'identity provider'))
  provider.on('authorization.success', (ctx) => {
    const { session } = ctx.oidc
    const id = session?.accountId
    if (session && id) context.later(() => rememberDevice(context.pool.db, { realm, id }, session.uid, ctx.get('user-agent')))
  })
  return provider
}

function configurationOf(context: IdentityContext, realm: Realm, keys: readonly JWK[]): Configuration {
  const base = `/realms/${realm}`
  return {
    adapter: (model) => artifactAdapter(context.pool.db, realm, model),
    clients: [shopClient(context, realm), accountClient(context, realm)],
    jwks: { keys: [...keys] },
    routes: {
      authorization: '/protocol/openid-connect/auth',
      token: '/protocol/openid-connect/token',
      userinfo: '/protocol/openid-connect/userinfo',
      jwks: '/protocol/openid-connect/certs',
      end_session: '/protocol/openid-connect/logout',
      revocation: '/protocol/openid-connect/revoke',
    },
    // `forgotten`: the page for a forgotten password comes first. A Keycloak ignores it and shows its sign-in page.
    extraParams: ['purlin_step'],
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    claims: claimsOf(realm),
    // Like Keycloak, the ID token contains the claims of the scopes as well.
    conformIdTokenClaims: false,
    responseTypes: ['code', 'none'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    pkce: { required: () => true },
    features: {
      // For the admin API (admin.ts).
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      userinfo: { enabled: true },
    },
    cookies: {
      keys: [context.cookieSecret],
      names: {
        session: sessionCookie(context.url, realm),
        interaction: `purlin-id-${realm}-interaction`,
        resume: `purlin-id-${realm}-resume`,
      },
      long: { signed: true, httpOnly: true, sameSite: 'lax', path: '/' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      Interaction: 60 * minute,
      AuthorizationCode: minute,
      AccessToken: 5 * minute,
      ClientCredentials: minute,
      IdToken: 60 * minute,
      // A cookie of a session that has ended begins another one, which is nobody's.
      Session: (_ctx, session) => (session.accountId ? sessionDays * day : 10 * minute),
      Grant: sessionDays * day,
      RefreshToken: sessionDays * day,
    },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // Tokens of an earlier sign-in survive the next one in the same browser; sessions.ts ends what a sign-out must end.
    expiresWithSession: async () => false,
    findAccount: async (_ctx, id) => {
      const account = await findAccount(context.pool.db, realm, id)
      return account && { accountId: account.id, claims: async () => ({ ...claimsAbout(account) }) }
    },
    loadExistingGrant: firstPartyGrant,
    interactions: { policy: policyOf(), url: (_ctx, { uid }) => `${base}/interaction/${uid}` },
    renderError: (ctx) => showError(context, realm, ctx),
  }
}

/** The page of an error that cannot be returned to the shop, because the redirect address is not verified. */
function showError({ pages, hosts }: IdentityContext, realm: Realm, ctx: KoaContextWithOIDC): void {
  const { redirect_uri: back, ui_locales: uiLocales } = ctx.oidc?.params ?? {}
  const site = siteOfAddress(hosts, back)
  const language = languageOf(uiLocales, site, ctx.req)
  const t = wordsOf(language)
  const words = {
    back: t('identity.page.back'),
    skip: t('identity.page.skip'),
    errors: t('identity.page.errors'),
    optional: '',
    home: t('identity.page.home'),
  }
  ctx.type = 'html'
  for (const [name, value] of Object.entries(pageHeaders)) ctx.set(name, value)
  ctx.set('content-security-policy', contentPolicy([]))
  const shop = shopOf(hosts, { site, language, realm })
  const blocks = [{ kind: 'text' as const, text: t('identity.error.text') }, ...signInLink(realm, shop, t)]
  ctx.body = pages.render({ language, isPro: realm === 'b2b', title: t('identity.error.title'), shop, words, blocks })
}

/** `prompt=create` requests the registration page. */
function policyOf(): ReturnType<typeof interactionPolicy.base> {
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'create', requestable: true }), 0)
  return policy
}

function shopClient({ hosts, clientSecret }: IdentityContext, realm: Realm): NonNullable<Configuration['clients']>[number] {
  const providers = Object.keys(authProviders).filter(isAuthProvider)
  const ours = providers.filter((provider) => authProviders[provider] === realm)
  return {
    client_id: identityClientId,
    client_secret: clientSecret,
    redirect_uris: shopOrigins(hosts).flatMap((origin) => ours.map((provider) => `${origin}${callbackPath(provider)}`)),
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_method: 'client_secret_basic',
    id_token_signed_response_alg: 'RS256',
    // Like Keycloak, every ID token says when its owner last proved who they are.
    require_auth_time: true,
  }
}

/** Signs in to the provider's own pages: no code, no token, only a session. */
function accountClient({ url }: IdentityContext, realm: Realm): NonNullable<Configuration['clients']>[number] {
  return {
    client_id: accountClientId,
    redirect_uris: [`${issuerOf(url, realm)}/account`],
    response_types: ['none'],
    grant_types: [],
    token_endpoint_auth_method: 'none',
  }
}

/** Origins to which browsers may be redirected: on real domains, only those. */
export function shopOrigins(hosts: SiteHosts): string[] {
  const origins = hosts.all.map(({ origin }) => origin)
  const real = origins.filter((origin) => origin.startsWith('https:'))
  return [...new Set(real.length > 0 ? real : origins)]
}

/**
 * The shop is a first-party client: no consent is requested. Each sign-in has its own grant and
 * `sid`, even within one browser: signing out of one revokes its tokens and leaves those of its siblings.
 */
async function firstPartyGrant(ctx: KoaContextWithOIDC) {
  const { client, session, provider, params } = ctx.oidc
  if (!client || !session?.accountId) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope(typeof params?.['scope'] === 'string' ? params['scope'] : 'openid')
  await grant.save()
  session.sidFor(client.clientId, randomBytes(16).toString('base64url'))
  return grant
}
