/** Consent is asked for once the page is idle; its script is no part of what every page needs first. */
export function enhance(element: HTMLElement): void {
  void import('./ask-consent.ts').then(({ askConsent }) => askConsent(element)).catch(() => undefined)
}
