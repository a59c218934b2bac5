import { clickCookie, visitCookie } from './consent.ts'
import { experimentsCookie } from './experiments.ts'

/** The part of the register (browser-storage.ts) that needs consent, without lifetimes and descriptions: every page carries it, to delete what is not allowed. The visitor id is not in it: the server removes that, with what it names. */
export const consentedStorage = [
  { name: 'product-history', in: 'local', purposes: ['userPreferences'] },
  { name: 'product-history-auth-status', in: 'local', purposes: ['userPreferences'] },
  { name: 'list-choices', in: 'session', purposes: ['userPreferences'] },
  { name: 'push-prompt', in: 'local', purposes: ['userPreferences'] },
  { name: 'mm_referer_id', in: 'local', purposes: ['statistics'] },
  { name: clickCookie, in: 'cookie', purposes: ['personalisedAdvertising'] },
  { name: visitCookie, in: 'cookie', purposes: ['statistics'] },
  { name: experimentsCookie, in: 'cookie', purposes: ['statistics'] },
] as const
