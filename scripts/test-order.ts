/** Journeys of more than a minute, longest first: one of them started last would run alone at the end. */
const longJourneys = [
  'account-accessibility',
  'accessibility',
  'listing',
  'two-clicks',
  'after-the-order',
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

/** Files that run for twenty seconds or more, most of it waiting for timers or browsers; they occupy no core meanwhile. */
const patient = [
  'people/auth/overdue-session',
  'people/auth/session-refresh',
  'web/src/parts',
  'conformance/instantsearch',
  'identity-provider/lock-out',
  'foundation/mail/sending',
  'integrations/integrations',
  'people/auth/session-attacks',
]

export function isPatient(file: string): boolean {
  return patient.some((name) => file.includes(name))
}

/** Files that kill processes and measure how long a whole shop takes to recover: each runs alone, after all the others. */
const alone = ['start/start', 'start/shared-port', 'e2e/faults/', 'e2e/upgrade/', 'e2e/whole-shop/provider-outage']

export function runsAlone(file: string): boolean {
  return alone.some((name) => file.startsWith(name))
}
