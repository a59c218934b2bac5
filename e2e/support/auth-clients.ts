import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import type { AuthState } from '../../storefront/src/session/auth-state.ts'
import { build, type Rolldown } from 'vite'

/** Clients of the session service, each in a page of its own on the shop's origin: next-auth's, as it is published, and ours. */
export const authClients = ['next-auth', 'ours'] as const
export type AuthClient = (typeof authClients)[number]

/** Controls of a page that runs one of the clients. */
export interface Harness {
  /** "loading", "authenticated", "unauthenticated", in the order they came. */
  history: string[]
  session: { user?: { email?: string }; error?: string; provider?: string } | null
  providers(): Promise<string[]>
  signIn(provider?: string, callbackUrl?: string): Promise<void>
  signOut(): Promise<string>
  /** Signs out and goes where it is sent. */
  leave(callbackUrl: string): Promise<void>
  update(data: object): Promise<unknown>
}

/** Our own client alone: requests about the customer. */
interface CustomerHarness {
  state(): AuthState
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

/** Puts the page with the client in it at an address of every host of the shop; everything else is the shop's. */
export async function serveClient(context: BrowserContext, client: AuthClient): Promise<void> {
  const script = await bundleOf(client)
  const root = '<html data-market="gb" data-mode="b2c" data-timeout="10000" data-version="under-test">'
  await context.route(`**${harnessPath}*`, async (route) => {
    const isScript = new URL(route.request().url()).pathname.endsWith('.js')
    const body = isScript ? script : `<!doctype html>${root}<body><script type="module" src="${harnessPath}.js"></script></body></html>`
    await route.fulfill({ contentType: isScript ? 'text/javascript' : 'text/html', body })
  })
}

/** Waits until the client has made up its mind. */
export async function statusOf(page: Page): Promise<string> {
  await page.waitForFunction(() => window.harness !== undefined && !['loading', undefined].includes(window.harness.history.at(-1)))
  return page.evaluate(() => window.harness.history.at(-1) ?? '')
}
