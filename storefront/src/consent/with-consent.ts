import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import { browserConsent, whenAllowed } from './browser-consent.ts'

type Run = (consented: typeof import('./consented.ts')) => unknown

/** Runs what needs consent. A script that cannot be loaded measures and remembers nothing. */
export function runConsented(run: Run): void {
  void import('./consented.ts').then(run).catch(() => undefined)
}

/** Once the visitor has agreed to the purpose, now or later on this page. */
export const whenConsented = (purpose: ConsentPurpose, run: Run) => whenAllowed(purpose, () => runConsented(run))

/** If the visitor has agreed to the purpose by now: what happened before a choice is told to nobody. */
export const ifConsented = (purpose: ConsentPurpose, run: Run) => browserConsent().allows(purpose) && runConsented(run)
