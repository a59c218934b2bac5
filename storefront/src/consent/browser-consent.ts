import { isCrawler } from '@purlin/contract/crawlers.ts'
import { isVisitorIdFree, readConsent, readVisitorId, type Consent, type ConsentPurpose } from '@purlin/contract/consent.ts'

/** Consent in the browser. Everything that stores or sends more than the page needs asks here first. */

const changed = 'shop:consent'

declare global {
  interface Navigator {
    globalPrivacyControl?: boolean
  }
}

const isProgram = isCrawler(navigator.userAgent)

/** A crawler agrees to nothing, whatever cookies it was given. */
export function browserConsent(): Consent {
  const consent = readConsent(document.cookie, navigator.globalPrivacyControl === true)
  return isProgram ? { ...consent, purposes: [], allows: () => false } : consent
}

/** Runs now if the purpose is allowed, else as soon as the visitor allows it on this page; never twice. */
export function whenAllowed(purpose: ConsentPurpose, run: () => void): void {
  if (browserConsent().allows(purpose)) return run()
  const later = () => {
    if (!browserConsent().allows(purpose)) return
    document.removeEventListener(changed, later)
    run()
  }
  document.addEventListener(changed, later)
}

/** Notifies everything that waits for consent, or must stop after a withdrawal. */
export function consentChanged(): void {
  document.dispatchEvent(new Event(changed))
}

/** Ids of the server say so in their version (RFC 9562): experiments and recommendations count no others. */
const isIssued = (id: string | null) => id?.[14] === '8'

/**
 * Tells the server where cookies and consent do not fit. It issues the visitor id, sets its cookie, and removes it again together with
 * what it names: where the choice has lapsed, or the browser objects to what it allowed. Its objection is said in the body as well, since
 * the header may get lost on its way.
 */
export function settleVisitor(): void {
  const { purposes } = browserConsent()
  const known = readVisitorId(document.cookie)
  const isKept = purposes.length > 0 || isVisitorIdFree(document.documentElement.dataset['market'])
  const isOverruled = readConsent(document.cookie, false).purposes.length > purposes.length
  if (!isProgram && (isOverruled || (isKept ? !isIssued(known) : known)))
    fetch('/api/v1/consent/visitor', { method: 'POST', body: isOverruled ? 'gpc' : '', signal: AbortSignal.timeout(5000) }).catch(
      () => undefined,
    )
}

/** The visitor id: stored for a year with consent; without it, nothing remembers the one that is returned. */
export const visitorId = (): string => readVisitorId(document.cookie) ?? crypto.randomUUID()
