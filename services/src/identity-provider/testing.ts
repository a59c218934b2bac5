import {
  type Realm,
  authProviders,
  callbackPath,
  identityClientId,
  identityScope,
  isAuthProvider,
  issuerOf,
} from '@purlin/contract/identity.ts'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { logOf } from '@purlin/server/foundation/platform/log.ts'
import { type TestDatabase, testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import * as oidc from 'openid-client'
import { ensurePages } from './build.ts'
import { type IdentityProviderOptions, type IdentityProviderServer, startIdentityProvider } from './index.ts'

/** For tests: the provider on a free port, the shop's side of the protocol, and a browser without scripts. */

const clientSecret = 'secret-of-the-tests'
export const hosts = createSiteHosts({ port: 3000 })
export const url = 'http://id.localhost:3002'

export interface TestIdentity {
  database: TestDatabase
  server: IdentityProviderServer
  /** Sends a request for `url` to the port in use. */
  fetch: typeof fetch
  shop(realm: Realm): Promise<oidc.Configuration>
}

export const ann = {
  realms: ['b2c', 'unified'] as const,
  sub: '0199c0de-0000-7000-8000-000000000a01',
  email: 'ann@example.com',
  password: 'correct horse battery',
  givenName: 'Ann',
  familyName: 'Lee',
  locale: 'en-GB',
}

export async function startTestIdentity(options: Partial<IdentityProviderOptions> = {}, database?: TestDatabase): Promise<TestIdentity> {
  await ensurePages()
  const used = database ?? (await testDatabase({ upTo: 'identity' }))
  const server = await startIdentityProvider({
    port: 0,
    databaseUrl: used.connectionString,
    url,
    hosts,
    clientSecret,
    dataKey: 'data-key-of-the-tests',
    log: logOf({ test: true }),
    people: [ann],
    ...options,
  })
  const reach: typeof fetch = (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input)
    return fetch(`http://127.0.0.1:${server.port}${address.pathname}${address.search}`, init)
  }
  return {
    database: used,
    server,
    fetch: reach,
    shop: (realm) =>
      oidc.discovery(new URL(issuerOf(url, realm)), identityClientId, clientSecret, undefined, {
        execute: [oidc.allowInsecureRequests],
        [oidc.customFetch]: reach as oidc.CustomFetch,
      }),
  }
}

/** A browser that follows redirects within the provider, keeps cookies and submits forms. */
export function testBrowser({ fetch: reach }: Pick<TestIdentity, 'fetch'>, headers: Record<string, string> = {}) {
  const jar = new Map<string, { value: string; path: string }>()
  const ask = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(address, url)
    const sent = [...jar].filter(([, { path }]) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
    const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ')
    const all = { ...headers, ...(init.headers as Record<string, string> | undefined), ...(cookie && { cookie }) }
    const response = await reach(new URL(address, url), { ...init, redirect: 'manual', headers: all })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/)
      const at = pair.indexOf('=')
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/'
      const isGone = attributes.some((attribute) => /^(?:max-age=0|expires=Thu, 01 Jan 1970)/i.test(attribute))
      if (isGone) jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), { value: pair.slice(at + 1), path })
    }
    return response
  }
  return {
    jar,
    ask,
    /** Follows redirects as long as they stay at the provider. */
    async follow(address: string, init: RequestInit = {}): Promise<{ address: string; status: number; html: string }> {
      let next = address
      let response = await ask(next, init)
      for (let hops = 0; response.status >= 300 && response.status < 400 && hops < 10; hops++) {
        next = new URL(response.headers.get('location') ?? '', new URL(next, url)).href
        if (!next.startsWith(url)) return { address: next, status: response.status, html: '' }
        response = await ask(next)
      }
      return { address: next, status: response.status, html: await response.text() }
    },
    /** Submits the first form of a page that has all these fields. */
    async send(page: { address: string; html: string }, fields: Record<string, string>) {
      const form = formsOf(page.html).find(({ names }) => Object.keys(fields).every((name) => names.has(name)))
      if (!form) throw new Error(`No form with ${Object.keys(fields).join(', ')} in: ${page.html.slice(0, 3000)}`)
      const body = new URLSearchParams({ ...form.hidden, ...fields })
      const origin = new URL(url).origin
      const target = new URL(form.action, new URL(page.address, url)).href
      return this.follow(target, {
        method: 'POST',
        body: body.toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      })
    },
  }
}
export type TestBrowser = ReturnType<typeof testBrowser>

export function formsOf(html: string): { action: string; names: Set<string>; hidden: Record<string, string> }[] {
  return [...html.matchAll(/<form\b[^>]*?(?:action="([^"]*)")?[^>]*>(.*?)<\/form>/gs)].map(([whole, , body = '']) => {
    const action = /<form\b[^>]*\baction="([^"]*)"/.exec(whole)?.[1] ?? ''
    const inputs = [...body.matchAll(/<(?:input|select|textarea|button)\b[^>]*>/g)].map(([tag]) => ({
      name: /\bname="([^"]*)"/.exec(tag)?.[1] ?? '',
      value: unescape(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? ''),
      isHidden: /\btype="hidden"/.test(tag),
    }))
    const hidden = Object.fromEntries(inputs.filter(({ isHidden, name }) => isHidden && name).map(({ name, value }) => [name, value]))
    return { action: unescape(action), names: new Set(inputs.map(({ name }) => name)), hidden }
  })
}

function unescape(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** The shop's authorisation request, and its handling of the response. */
export async function startSignIn(
  config: oidc.Configuration,
  realm: Realm,
  more: Record<string, string> = {},
  host = 'http://gb.localhost:3000',
) {
  const provider =
    Object.keys(authProviders)
      .filter(isAuthProvider)
      .find((each) => authProviders[each] === realm) ?? 'keycloak'
  const verifier = oidc.randomPKCECodeVerifier()
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
  const redirectUri = `${host}${callbackPath(provider)}`
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: identityScope,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  })
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
  return { address: address.href, redirectUri, take: (callback: string) => oidc.authorizationCodeGrant(config, new URL(callback), checks) }
}

/** A page without the id of its sign-in, to be compared with that of another one. */
export function withoutIds(html: string): string {
  return html.replace(/\/interaction\/[\w-]+/g, '')
}

/** A complete sign-in with a password. */
export async function signInAt(
  identity: TestIdentity,
  realm: Realm,
  person: Pick<typeof ann, 'email' | 'password'> = ann,
  browser = testBrowser(identity),
) {
  const config = await identity.shop(realm)
  const begun = await startSignIn(config, realm)
  const page = await browser.follow(begun.address)
  const end = await browser.send(page, { email: person.email, password: person.password })
  return { config, browser, page, end, tokens: await begun.take(end.address) }
}

/** Mails to an address, oldest first, with their one-time links. */
export async function mailsTo(
  { database, server }: TestIdentity,
  email: string,
): Promise<{ template: string; text: string; link: string }[]> {
  await server.settled()
  const read = 'select template, body_text as text from mail.mail where recipient = $1 order by created_at, id'
  const { rows } = await database.pool.query<{ template: string; text: string }>(read, [email])
  return rows.map(({ template, text }) => ({ template, text, link: /http:\/\/id\.localhost\S+\/link\/[\w-]+/.exec(text)?.[0] ?? '' }))
}

/** A browser on the sign-in page. */
export async function openStep(identity: TestIdentity, realm: Realm, step = '', browser = testBrowser(identity)) {
  const begun = await startSignIn(await identity.shop(realm), realm)
  const start = await browser.follow(begun.address)
  const page = step ? await browser.follow(`${start.address}/${step}`) : start
  return { browser, begun, start, page }
}
