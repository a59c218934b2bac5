import { clickCookie, consentCookie, consentPurposes, visitCookie, visitorCookie, type ConsentPurpose } from './consent.ts'
import { consentedStorage } from './consented-storage.ts'
import { experimentsCookie } from './experiments.ts'
import { storefrontCookie } from './site-settings.ts'

/**
 * Everything the shop stores in a browser, with purpose and lifetime: cookies, storage keys, and caches of the service worker. A name that is not here
 * fails a test; what is not needed is removed by the browser as soon as its purpose is refused.
 */
export interface StoredThing {
  /** As browsers list it, without the prefix `__Host-`; `*` stands for a variable part. */
  name: string
  in: 'cookie' | 'local' | 'session' | 'cache'
  /** `needed` works without consent; otherwise any one of the purposes allows it. */
  purposes: 'needed' | readonly ConsentPurpose[]
  /** Days; 0 ends with the tab or the browser, null lasts until it is cleared. */
  days: number | null
  /** Key of its description: `consent.stored.<is>`. */
  is:
    | 'session'
    | 'sign-in'
    | 'staff'
    | 'display'
    | 'storefront'
    | 'message'
    | 'consent'
    | 'visitor'
    | 'visit'
    | 'experiments'
    | 'place'
    | 'tabs'
    | 'modal'
    | 'own-prices'
    | 'history'
    | 'list-choices'
    | 'referer'
    | 'ad-click'
    | 'flags'
    | 'push'
    | 'offline'
    | 'offline-basket'
}

const hours = (count: number) => count / 24
const needed = 'needed'

const keptBy: Readonly<Record<(typeof consentedStorage)[number]['name'], Pick<StoredThing, 'days' | 'is'>>> = {
  'product-history': { days: 90, is: 'history' },
  'product-history-auth-status': { days: null, is: 'history' },
  'list-choices': { days: 0, is: 'list-choices' },
  'push-prompt': { days: null, is: 'push' },
  mm_referer_id: { days: null, is: 'referer' },
  [clickCookie]: { days: 90, is: 'ad-click' },
  [visitCookie]: { days: hours(1 / 2), is: 'visit' },
  [experimentsCookie]: { days: 60, is: 'experiments' },
}

export const browserStorage: readonly StoredThing[] = [
  { name: 'purlin', in: 'cookie', purposes: needed, days: 60, is: 'session' },
  { name: 'purlin-staff', in: 'cookie', purposes: needed, days: 60, is: 'staff' },
  { name: 'purlin-csrf', in: 'cookie', purposes: needed, days: 1, is: 'sign-in' },
  { name: 'sign-in-*', in: 'cookie', purposes: needed, days: hours(1 / 6), is: 'sign-in' },
  { name: 'signed-out', in: 'cookie', purposes: needed, days: 60, is: 'sign-in' },
  { name: 'exchange', in: 'cookie', purposes: needed, days: hours(1 / 30), is: 'sign-in' },
  { name: 'purlin_new_session', in: 'cookie', purposes: needed, days: hours(1 / 6), is: 'sign-in' },
  { name: 'purlin_flash', in: 'cookie', purposes: needed, days: hours(1 / 60), is: 'message' },
  { name: 'mm_vat_display', in: 'cookie', purposes: needed, days: 365, is: 'display' },
  { name: storefrontCookie, in: 'cookie', purposes: needed, days: 365, is: 'storefront' },
  { name: consentCookie, in: 'cookie', purposes: needed, days: 365, is: 'consent' },
  { name: 'listing-place', in: 'session', purposes: needed, days: 0, is: 'place' },
  { name: 'purlin.callback', in: 'session', purposes: needed, days: 0, is: 'sign-in' },
  { name: 'purlin.session', in: 'local', purposes: needed, days: null, is: 'tabs' },
  { name: 'purlin.b2b_*', in: 'session', purposes: needed, days: 0, is: 'modal' },
  { name: 'purlin.own-prices', in: 'local', purposes: needed, days: null, is: 'own-prices' },
  { name: 'mm_flag_overrides', in: 'cookie', purposes: needed, days: 0, is: 'flags' },
  { name: 'offline-page', in: 'cache', purposes: needed, days: null, is: 'offline' },
  { name: 'offline-basket', in: 'cache', purposes: needed, days: null, is: 'offline-basket' },
  { name: visitorCookie, in: 'cookie', purposes: consentPurposes, days: 365, is: 'visitor' },
  ...consentedStorage.map(({ purpose, ...thing }) => ({ ...thing, purposes: [purpose], ...keptBy[thing.name] })),
]

/** Whether a name found in a browser is registered for the place it was found in. */
export function storedThing(place: StoredThing['in'], name: string): StoredThing | undefined {
  const bare = place === 'cookie' ? name.replace(/^__(?:Host|Secure)-/, '') : name
  return browserStorage.find((thing) => thing.in === place && fits(thing.name, bare))
}

function fits(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
}
