import type { ConsentPurpose } from '@purlin/contract/consent.ts'

/** Runs once the visitor has agreed to the purpose, now or later on this page; what decides is loaded when it is needed. */
export function onceAllowed(purpose: ConsentPurpose, run: () => void): void {
  void import('./browser-consent.ts').then(({ whenAllowed }) => whenAllowed(purpose, run)).catch(() => undefined)
}
