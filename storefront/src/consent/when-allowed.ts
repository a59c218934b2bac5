import type { ConsentPurpose } from '@purlin/contract/consent.ts'

type Run = (consented: typeof import('./consented.ts')) => unknown

/** Runs once the visitor has agreed to the purpose, now or later on this page; what decides and what runs are loaded when they are needed. */
export function onceAllowed(purpose: ConsentPurpose, run: Run): void {
  void deciding().then(({ whenAllowed }) => whenAllowed(purpose, () => runConsented(run)), ignored)
}

/** Runs if the visitor has agreed to the purpose by now: what happened before a choice is told to nobody. */
export function ifAllowed(purpose: ConsentPurpose, run: Run): void {
  void deciding().then(({ browserConsent }) => browserConsent().allows(purpose) && runConsented(run), ignored)
}

/** A script that cannot be loaded measures and remembers nothing. */
export function runConsented(run: Run): void {
  void import('./consented.ts').then(run).catch(ignored)
}

const deciding = () => import('./ask-consent.ts')
const ignored = () => undefined
