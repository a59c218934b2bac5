/**
 * Exported functions and values used only by tests and index files (`index.ts`): tested code without a caller (V-62).
 * knip counts a test as a user; this does not. Any mention in another file of the shop counts as a use.
 */
import type { Source } from './walls.ts'

const isShop = /^(?:start\.ts|(?:start|contract|server|storefront|services|web)\/)/
const isProof = /\.test\.tsx?$|\/test-[a-z-]+\.ts$|(?:^|\/)testing(?:\/|\.ts$)|\/(?:fixture|generated)\/|-for-tests\.ts$/
const declared = /^export (?:async )?(?:function\*?|const|class) ([A-Za-z_$][\w$]*)/gm

/** An index file re-exports names, which is not a use. */
const passedOn = /^export (?:type )?(?:\*|\{[^}]*\})\s*from\s*['"][^'"]+['"]/gm

/** Exports still waiting for their first caller, each with a reason. */
export const waiting: Readonly<Record<string, string>> = {
  storedThing: 'tests look up in the register what they find in code and in a browser',
  brokenRules: 'the rules of EN 16931, applied by tests to every invoice they issue',
  modelOfUbl: 'reads an invoice back, for the same tests',
  modelOfCii: 'reads an invoice back, for the same tests',
  parseUrl: 'the path helper of the specification (R-284), used by pages with patterns of their own',
  createDevStorefront: 'loaded by name when the shop runs from its sources',
  unbalancedBookings: 'the check of the books, run by tests and the checker of invariants',
  accountBalances: 'the check of the books, run by tests and the checker of invariants',
  frozenMigrations: 'lets a test see that a migration of a release was changed',
  useAuthConfiguration: 'lets a test run with other auth providers',
  useCreditProvider: 'lets a test run with another provider',
  useSmsProvider: 'lets a test run with another provider of text messages',
  useCarrier: 'lets a test run with another carrier',
  usePointFinder: 'lets a test run with another directory of pick-up points',
  useSlotDirectory: 'lets a test run with another calendar of deliveries',
  useVatServices: 'lets a test run with other registers of VAT numbers',
  brandOf: 'tells tests the brand of a card number',
  startStripeFake: 'stands in for Stripe in tests',
  startMeasurementFake: 'stands in for the services that receive events in tests',
  fakeS3: 'stands in for S3 in tests',
}

export function findUnused(sources: readonly Source[], exempt: Readonly<Record<string, string>> = waiting): string[] {
  const shop = sources.filter(({ path }) => isShop.test(path) && !isProof.test(path))
  const users = sources
    .filter(({ path }) => !isProof.test(path) && path !== 'scripts/unused-code.ts')
    .map(({ text }) => ({ text: text.replaceAll(passedOn, '') }))
  const words = new Map<string, number>()
  for (const { text } of users) for (const word of text.match(/[A-Za-z_$][\w$]*/g) ?? []) words.set(word, (words.get(word) ?? 0) + 1)
  const found = shop.flatMap(({ path, text }) =>
    [...text.matchAll(declared)]
      .map(([, name]) => name ?? '')
      .filter((name) => (words.get(name) ?? 0) <= 1 && !isLoaded(path, name))
      .map((name) => ({ path, name })),
  )
  return found
    .filter(({ name }) => !Object.hasOwn(exempt, name))
    .map(
      ({ path, name }) => `${path}: nothing but tests uses ${name}. Call it, delete it, or say in scripts/unused-code.ts what it waits for`,
    )
}

/** Loaded by name: pages, edges, islands and scripts of pages. */
function isLoaded(path: string, name: string): boolean {
  if (path.startsWith('server/')) return /\/(?:graphql|rest|jobs)\.ts$/.test(path)
  return /(?:-page|\.island|\.enhance)\.tsx?$/.test(path) && /^(?:load|action|Page|enhance|[A-Z]\w*)$/.test(name)
}
