import { join } from 'node:path'
import type { AuthProvider } from '@purlin/contract/identity.ts'
import type { BrowserContext, Page } from 'playwright-core'
import type { AuthState } from '../../storefront/src/session/auth-state.ts'
import { build, type Rolldown } from 'vite'

/** Clients of the session service, each on a page of its own on the shop's origin: the published next-auth client, and ours. */
export const authClients = ['next-auth', 'ours'] as const
export type AuthClient = (typeof authClients)[number]

/** Controls of a page that runs one of the clients. */
export interface Harness {
  /** "loading", "authenticated", "unauthenticated", in order of occurrence. */
  history: string[]
  session: { user?: { email?: string }; error?: string; provider?: string } | null
  providers(): Promise<string[]>
  signIn(provider?: string, callbackUrl?: string): Promise<void>
  signOut(): Promise<string>
  /** Signs out and follows the redirect. */
  leave(callbackUrl: string): Promise<void>
  update(data: object): Promise<unknown>
}

/** Our own client alone: requests about the customer. */
interface CustomerHarness {
  /** The state before the first answer. */
  initial: AuthState
  state(): AuthState
  /** A call of the API client; the error's message if there was no answer. */
  call(address: string, options?: { timeoutMs?: number; idempotencyKey?: string; exchangeToken?: string }): Promise<string>
  /** A query of the GraphQL client: its data's fields, or the code of its failure. */
  ask(timeoutMs?: number): Promise<string>
  updateSegments(patch: object): Promise<boolean>
  profile(): Promise<{ email: string | null; steps: string[]; error: string | null }>
}

declare global {
  interface Window {
    harness: Harness
    customer: CustomerHarness
    dataLayer?: object[]
  }
}

const entries: Record<AuthClient, string> = { 'next-auth': 'next-auth-harness.ts', ours: 'own-client-harness.ts' }
const bundles = new Map<AuthClient, Promise<string>>()

function bundleOf(client: AuthClient): Promise<string> {
  const known = bundles.get(client)
  if (known) return known
  const made = build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}' },
    build: { write: false, modulePreload: false, rolldownOptions: { input: join(import.meta.dirname, entries[client]) } },
  }).then((built) => (built as Rolldown.RolldownOutput).output[0].code)
  bundles.set(client, made)
  return made
}

export const harnessPath = '/auth-client-under-test'

/**
 * Serves the page with the client at an address on every host of the shop; everything else comes from the shop. `isOffice`: the client is
 * that of the offices, whose session is a cookie of its own.
 */
export async function serveClient(context: BrowserContext, client: AuthClient, { isOffice = false } = {}): Promise<void> {
  const script = await bundleOf(client)
  const root = `<html data-market="gb" data-mode="b2c" data-timeout="10000" data-version="under-test"${isOffice ? ' data-office' : ''}>`
  if (isOffice) await leadToOffice(context)
  await context.route(`**${harnessPath}*`, async (route) => {
    const isScript = new URL(route.request().url()).pathname.endsWith('.js')
    const body = isScript ? script : `<!doctype html>${root}<body><script type="module" src="${harnessPath}.js"></script></body></html>`
    await route.fulfill({ contentType: isScript ? 'text/javascript' : 'text/html', body })
  })
}

const staff: AuthProvider = 'keycloak-staff'

/** The clients know no session but the storefront's: their calls get the parameter of the offices, and the provider that customers are not shown. */
async function leadToOffice(context: BrowserContext): Promise<void> {
  for (const call of ['/api/auth/session', '/api/auth/signout', '/api/v1/logout'])
    await context.route(`**${call}`, (route) => route.continue({ url: `${route.request().url()}?office=staff` }))
  await context.route('**/api/auth/providers', (route) =>
    route.fulfill({ contentType: 'application/json', body: JSON.stringify({ [staff]: { id: staff, name: staff, type: 'oauth' } }) }),
  )
  // Scripts of the shop's own pages would take this session for a customer's.
  await context.route(
    ({ pathname }) => pathname.endsWith('.js'),
    (route) => route.abort(),
  )
}

/** Waits until the client has finished loading. */
export async function statusOf(page: Page): Promise<string> {
  await page.waitForFunction(() => window.harness !== undefined && !['loading', undefined].includes(window.harness.history.at(-1)))
  return page.evaluate(() => window.harness.history.at(-1) ?? '')
}
