import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './find-tests.ts'

/** Journeys of more than a minute, longest first: one of them started last would run alone at the end. */
const longJourneys = [
  'account-accessibility',
  'accessibility',
  'listing',
  'two-clicks',
  'after-the-order',
  'from-order-to-return',
  'from-order-to-refund',
  'keyboard',
  'small-and-large',
  'guest-buys',
  'auth-clients',
  'consent',
  'search',
  'erasure',
]

export function longestFirst(journeys: readonly string[]): string[] {
  const place = (file: string) => {
    const found = longJourneys.findIndex((name) => file.endsWith(`/${name}.test.ts`))
    return found === -1 ? longJourneys.length : found
  }
  return journeys.toSorted((a, b) => place(a) - place(b))
}

/** Files that run for fifteen seconds or more, most of it waiting for timers or browsers; they occupy no core meanwhile. */
const patient = [
  'people/auth/overdue-session',
  'people/auth/session-refresh',
  'web/src/parts',
  'conformance/instantsearch',
  'identity-provider/lock-out',
  'foundation/mail/sending',
  'platform/waiting-queues',
  'gateway/connections',
  'integrations/integrations',
  'people/auth/session-attacks',
]

export function isPatient(file: string): boolean {
  return patient.some((name) => file.includes(name))
}

/**
 * Files that kill processes and measure how long a whole shop takes to recover, after all the others. The first takes as long as the
 * rest together, and two at a time leave each of them a core.
 */
const wholeShops = ['start/start', 'e2e/faults/', 'e2e/upgrade/', 'e2e/whole-shop/provider-outage', 'start/shared-port']

export function measuresWholeShop(file: string): boolean {
  return wholeShops.some((name) => file.startsWith(name))
}

export function wholeShopsLongestFirst(files: readonly string[]): string[] {
  const place = (file: string) => wholeShops.findIndex((name) => file.startsWith(name))
  return files.filter(measuresWholeShop).toSorted((a, b) => place(a) - place(b))
}

/** Rule tests need neither a database, a service, a browser nor a process, by themselves or through a helper. */
export function isRule(file: string): boolean {
  if (/^(start|e2e|bench)\//.test(file)) return false
  return !/testDatabase|testGateway|test-shop|startTestIdentity|chromium|playwright|node:child_process|startShop|launchPostgres/.test(
    withHelpers(file),
  )
}

/** The text of a test file and of the helpers for tests it imports; what the platform's offer, a file names itself. */
function withHelpers(file: string, read = new Set<string>()): string {
  read.add(file)
  const text = readFileSync(join(root, file), 'utf8')
  const helpers = [...text.matchAll(/from '(\.[\w./-]*?\/(?:test-[\w-]+|testing)\.tsx?)'/g)]
    .map(([, path = '']) => join(dirname(file), path).replaceAll('\\', '/'))
    .filter((helper) => !read.has(helper) && !helper.endsWith('/platform/testing.ts') && existsSync(join(root, helper)))
  return text + helpers.map((helper) => withHelpers(helper, read)).join('')
}

/**
 * Files with a process of their own: a builder keeps its settings in its package; a second thread that renders pictures crashes the
 * process; alerts look at the memory of their process, to which earlier files would have added.
 */
const ownProcess = ['storefront/src/server/build', 'web/src/build', 'server/src/goods/catalogue/draw-raster', 'start/alerts']

/** Whether a file shares its process with others, so that packages are loaded once (decisions 076 and 078). */
export function sharesProcess(file: string): boolean {
  return !measuresWholeShop(file) && !isPatient(file) && !ownProcess.some((name) => file.startsWith(name))
}
