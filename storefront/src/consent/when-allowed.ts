type Decide = typeof import('./with-consent.ts')
type Arguments = Parameters<Decide['whenConsented']>

/** Runs once the visitor has agreed to the purpose, now or later on this page; what decides and what runs are loaded when they are needed. */
export const onceAllowed = (...which: Arguments): void => decide('whenConsented', which)

/** Runs if the visitor has agreed to the purpose by now. */
export const ifAllowed = (...which: Arguments): void => decide('ifConsented', which)

function decide(how: 'whenConsented' | 'ifConsented', which: Arguments): void {
  void import('./ask-consent.ts').then((loaded) => loaded[how](...which)).catch(() => undefined)
}
