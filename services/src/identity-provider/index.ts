import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Realm, isRealm, realms } from '@purlin/contract/identity.ts'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import { type Log, createPool } from '@purlin/server/foundation/platform/index.ts'
import { purgeArtifacts } from './artifacts.ts'
import { type IdentityContext, isSecure, sessionCookie } from './context.ts'
import { formKey, isOwnForm } from './forms.ts'
import { readForm, redirect, secureCookies, sendPage, sendText } from './http.ts'
import { interact } from './interaction.ts'
import { languageOf, siteOfAddress } from './language.ts'
import { logout } from './logout.ts'
import { migrateIdentity } from './migrate.ts'
import { errorPage, signOutPage, signedOutPage } from './pages.ts'
import { leadsToShop } from './logout.ts'
import { shopOrigins } from './provider.ts'
import { type RealmServer, openRealm } from './realm.ts'
import { keptSecret } from './secrets.ts'
import { type SeededPerson, seedPeople } from './seed.ts'
import { endSession } from './sessions.ts'

export interface IdentityProviderOptions {
  port: number
  databaseUrl: string
  /** Base address for browsers; issuers begin with it. */
  url: string
  hosts: SiteHosts
  clientSecret: string
  log: Log
  /** People of the demo shop. */
  people?: readonly SeededPerson[]
}

export interface IdentityProviderServer {
  port: number
  close(): Promise<void>
}

const keysEveryMs = 30_000
const purgeEveryMs = 600_000

/** The embedded identity provider: an OpenID provider for each realm, with data of its own in Postgres. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProviderServer> {
  const { databaseUrl, url, hosts, clientSecret, log, people = [] } = options
  const pool = createPool({ connectionString: databaseUrl, name: 'purlin identity', sizes: { commands: 6, single: 6, reports: 1 } })
  await migrateIdentity(pool)
  const context: IdentityContext = { pool, log, url, hosts, clientSecret, cookieSecret: await keptSecret(pool.db, 'cookies') }
  await seedPeople(context, people)
  const showError = (ctx: { req: IncomingMessage; res: ServerResponse; body: unknown; type: string; query?: unknown }) => {
    ctx.type = 'html'
    ctx.body = errorPage({ language: languageOf(undefined, undefined, ctx.req), shop: undefined })
  }
  const servers = new Map<Realm, RealmServer>()
  for (const realm of realms) servers.set(realm, await openRealm(context, realm, showError))

  const refresh = () => Promise.all([...servers.values()].map((server) => server.refreshKeys()))
  const tell = (error: unknown) => log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'identity provider')
  const timers = [
    setInterval(() => void refresh().catch(tell), keysEveryMs),
    setInterval(() => void purgeArtifacts(pool.db).catch(tell), purgeEveryMs),
  ]

  const server = createServer((request, response) => {
    void answer(context, servers, request, response).catch((error: unknown) => {
      log.error({ reason: error instanceof Error ? error.stack : String(error) }, 'identity provider')
      if (response.headersSent) return response.destroy()
      sendPage(response, 500, errorPage({ language: languageOf(undefined, undefined, request), shop: undefined }))
    })
  })
  server.requestTimeout = 10_000
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, () => resolve())
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const timer of timers) clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await pool.end()
    },
  }
}

async function answer(
  context: IdentityContext,
  servers: ReadonlyMap<Realm, RealmServer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  trustOnly(context, request)
  if (isSecure(context.url)) secureCookies(response)
  const target = request.url ?? '/'
  const [path = '/'] = target.split('?')
  if (path === '/health') return sendText(response, 200, '{"ok":true}', 'application/json')
  const [, name, rest = ''] = /^\/realms\/([a-z0-9]+)(\/.*)$/.exec(path) ?? []
  const server = isRealm(name) ? servers.get(name) : undefined
  if (!server) return sendText(response, 404, 'There is nothing at this address')

  if (rest.startsWith('/interaction/')) return interact({ context, server, request, response, path })
  if (rest === '/protocol/openid-connect/logout') return signOut(context, server, request, response, path)
  if (rest === '/sign-out') return signOutConfirmed(context, server, request, response, path)
  const mount = `/realms/${server.realm}`
  Object.assign(request, { originalUrl: target })
  request.url = target.slice(mount.length)
  await server.handle()(request, response)
}

/** Addresses are made of the settings, never of what a request claims. */
function trustOnly({ url }: IdentityContext, request: IncomingMessage): void {
  const { host, protocol } = new URL(url)
  for (const name of Object.keys(request.headers)) if (name.startsWith('x-forwarded-')) delete request.headers[name]
  request.headers.host = host
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
}

function signOut(context: IdentityContext, server: RealmServer, request: IncomingMessage, response: ServerResponse, path: string) {
  const { realm } = server
  const facts = (uiLocales: string | undefined, shop?: string) => {
    const site = siteOfAddress(context.hosts, shop)
    return { language: languageOf(uiLocales, site, request), shop: site?.origin }
  }
  return logout(
    { context, realm, provider: server.provider(), request, response },
    {
      confirm: ({ redirectTo, uiLocales }) => {
        const action = path.replace(/protocol\/openid-connect\/logout$/, 'sign-out')
        const page = { ...facts(uiLocales, redirectTo), action, formKey: formKey(context, request, response, action) }
        sendPage(response, 200, signOutPage(page, redirectTo), shopOrigins(context.hosts))
      },
      done: (uiLocales) => sendPage(response, 200, signedOutPage(facts(uiLocales))),
    },
  )
}

/** The answer to the question: ends the browser's own session. */
async function signOutConfirmed(
  context: IdentityContext,
  { realm, provider }: RealmServer,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const form = request.method === 'POST' ? await readForm(request) : undefined
  if (!form || !isOwnForm(context, request, form, path)) return sendText(response, 403, 'Open the page again and send its form')
  const session = await provider().Session.get(provider().createContext(request, response))
  if (session.accountId) await endSession(context, realm, session.uid)
  response.appendHeader('set-cookie', `${sessionCookie(context.url, realm)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`)
  const redirectTo = leadsToShop(context, form.get('redirect_to'), null)
  if (redirectTo && redirectTo !== 'refused') return redirect(response, redirectTo)
  sendPage(response, 200, signedOutPage({ language: languageOf(undefined, undefined, request), shop: undefined }))
}
