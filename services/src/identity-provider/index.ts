import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Realm, isRealm, realms } from '@purlin/contract/identity.ts'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import { type Log, createPool, identitySizes } from '@purlin/server/foundation/platform/index.ts'
import { adminApi, adminPath } from './admin.ts'
import { accountPages } from './account-pages.ts'
import { commonPasswords, rangeApi } from './breached.ts'
import { openPages } from './build.ts'
import { clientAddress, nearestAddress } from './client-address.ts'
import { type IdentityContext, isSecure } from './context.ts'
import { continueChanges } from './continue-changes.ts'
import { secureCookies, sendText } from './http.ts'
import { purgeDevices } from './devices.ts'
import { interact } from './interaction.ts'
import { openServer } from '../open-server.ts'
import { LaterError } from './later.ts'
import { openLink } from './links.ts'
import { migrateIdentity } from './migrate.ts'
import { purge } from './purge.ts'
import { type RealmServer, openRealm } from './realm.ts'
import { removeDueSteps } from './second-step-removal.ts'
import { factorKeyOf, sealStoredSecrets } from './sealed-secret.ts'
import { keptSecret } from './secrets.ts'
import { type SeededPerson, seedPeople } from './seed.ts'
import { signOut, signOutConfirmed } from './sign-out-pages.ts'
import { startCounts } from './start-counts.ts'
import { refuseStart } from './starts.ts'
import { type PageRequest, showError, showLater, visitOf } from './visit.ts'

export interface IdentityProviderOptions {
  port: number
  databaseUrl: string
  /** Base address for browsers, with which issuers begin. */
  url: string
  hosts: SiteHosts
  clientSecret: string
  /** The setting IDENTITY_DATA_KEY. */
  dataKey: string
  log: Log
  /** People of the demo shop. */
  people?: readonly SeededPerson[]
  trustProxy?: string | undefined
  /** A range API of breached passwords, in addition to the package's list. */
  breachedPasswordsUrl?: string | undefined
}

export interface IdentityProviderServer {
  port: number
  /** Resolves when everything deferred until after the responses is done. */
  settled(): Promise<void>
  close(): Promise<void>
}

const keysEveryMs = 30_000
const purgeEveryMs = 60_000
const changesEveryMs = 60_000
const purgeDevicesEveryMs = 600_000

/** The embedded identity provider: an OpenID provider for each realm, with its own data in Postgres. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProviderServer> {
  const { databaseUrl, url, hosts, clientSecret, dataKey, log, people = [], trustProxy, breachedPasswordsUrl } = options
  const pool = createPool({ connectionString: databaseUrl, name: 'purlin identity', sizes: identitySizes })
  await migrateIdentity(pool)
  const tell = (error: unknown) => log.error({ reason: error instanceof Error ? error.stack : String(error) }, 'identity provider')
  const underWay = new Set<Promise<void>>()
  const later = (work: () => Promise<void>) => {
    const done = new Promise<void>((resolve) => setImmediate(resolve)).then(work).catch(tell)
    underWay.add(done)
    void done.finally(() => underWay.delete(done))
  }
  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  const common = commonPasswords()
  const breached = breachedPasswordsUrl ? rangeApi(breachedPasswordsUrl, common) : common
  const cookieSecret = await keptSecret(pool.db, 'cookies')
  const factorKey = factorKeyOf(dataKey)
  await sealStoredSecrets(pool.db, factorKey)
  const pages = await openPages()
  const secrets = { clientSecret, cookieSecret, factorKey }
  const starts = startCounts()
  const context: IdentityContext = { pool, log, url, hosts, ...secrets, pages, breached, trustProxy, starts, later }
  await seedPeople(context, people)
  const servers = new Map<Realm, RealmServer>()
  for (const realm of realms) servers.set(realm, await openRealm(context, realm))

  const refresh = () => Promise.all([...servers.values()].map((server) => server.refreshKeys()))
  const closing = new AbortController()
  const oneAtATime = (work: () => Promise<void>) => {
    let isRunning = false
    return () => {
      if (isRunning) return
      isRunning = true
      later(() => work().finally(() => (isRunning = false)))
    }
  }
  const timers = [
    setInterval(() => void refresh().catch(tell), keysEveryMs),
    setInterval(
      oneAtATime(() => purge(pool.db, closing.signal)),
      purgeEveryMs,
    ),
    setInterval(
      oneAtATime(() => continueChanges(context, closing.signal)),
      changesEveryMs,
    ),
    setInterval(
      oneAtATime(() => removeDueSteps(context)),
      changesEveryMs,
    ),
    setInterval(() => void purgeDevices(pool.db).catch(tell), purgeDevicesEveryMs),
  ]
  const server = openServer(
    (request, response) => {
      void answer(context, servers, request, response).catch((error: unknown) => {
        tell(error)
        if (response.headersSent) response.destroy()
        else sendText(response, 500, 'Something went wrong. Please try again in a moment.')
      })
    },
    { addressOf: (request) => nearestAddress(request, forwardedFor(request), trustProxy) },
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, () => resolve())
  })
  return {
    port: (server.address() as AddressInfo).port,
    settled,
    close: async () => {
      closing.abort()
      for (const timer of timers) clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await settled()
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
  const address = clientAddress(request, forwardedFor(request), context.trustProxy)
  trustOnly(context, request)
  if (isSecure(context.url)) secureCookies(response)
  const target = request.url ?? '/'
  const [path = '/'] = target.split('?')
  if (path === '/health') return sendText(response, 200, '{"ok":true}', 'application/json')
  if (context.pages.assets(request, response, path)) return
  const [, adminRealm, accountId = '', what = ''] = adminPath.exec(path) ?? []
  const administered = isRealm(adminRealm) ? servers.get(adminRealm) : undefined
  if (administered) {
    const call = { context, server: administered, id: accountId, what, request, response }
    return adminApi(call).catch((error: unknown) => refuseLater(response, error))
  }
  const [, name, rest = ''] = /^\/realms\/([a-z0-9]+)(\/.*)$/.exec(path) ?? []
  const server = isRealm(name) ? servers.get(name) : undefined
  if (!server) return sendText(response, 404, 'There is nothing at this address')
  const asked: PageRequest = { context, server, request, response, path, address }
  try {
    if ((await ownPage(asked, rest)) || refuseStart(asked, rest)) return
  } catch (error) {
    if (response.headersSent) throw error
    if (error instanceof LaterError) return showLater(visitOf(asked, {}), error)
    context.log.error({ reason: error instanceof Error ? error.stack : String(error) }, 'identity provider')
    return showError(visitOf(asked, {}), 500, 'identity.error.server')
  }
  Object.assign(request, { originalUrl: target })
  request.url = target.slice(`/realms/${server.realm}`.length)
  await server.handle()(request, response)
}

/** A program reads the reason as JSON. */
function refuseLater(response: ServerResponse, error: unknown): void {
  if (!(error instanceof LaterError)) throw error
  response.setHeader('retry-after', String(error.seconds))
  sendText(response, error.status, JSON.stringify({ error: 'busy' }), 'application/json')
}

/** Pages for people; everything else is the protocol. */
async function ownPage(asked: PageRequest, rest: string): Promise<boolean> {
  const link = /^\/link\/([\w-]{43})$/.exec(rest)?.[1]
  const account = /^\/account(?:\/(.*))?$/.exec(rest)
  if (rest.startsWith('/interaction/')) await interact(asked)
  else if (link) await openLink(asked, link)
  else if (account) await accountPages(asked, account[1] ?? '', new URL(asked.request.url ?? '/', asked.context.url).searchParams)
  else if (rest === '/protocol/openid-connect/logout') await signOut(asked)
  else if (rest === '/sign-out') await signOutConfirmed(asked)
  else return false
  return true
}

function forwardedFor({ headers }: IncomingMessage): string | undefined {
  const forwarded = headers['x-forwarded-for']
  return Array.isArray(forwarded) ? forwarded.join() : forwarded
}

/** Addresses come from the settings, never from a request's headers. */
function trustOnly({ url }: IdentityContext, request: IncomingMessage): void {
  const { host, protocol } = new URL(url)
  for (const name of Object.keys(request.headers)) if (name.startsWith('x-forwarded-')) delete request.headers[name]
  request.headers.host = host
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
}
