import { clickCookie, visitCookie } from './consent.ts'
import { experimentsCookie } from './experiments.ts'

/** The part of the register (browser-storage.ts) that needs consent, without lifetimes and descriptions: every page carries it, to delete what is not allowed. The visitor id is not in it: the server removes that, with what it names. */
export const consentedStorage = [
  { name: 'product-history', in: 'local', purpose: 'userPreferences' },
  { name: 'product-history-auth-status', in: 'local', purpose: 'userPreferences' },
  { name: 'list-choices', in: 'session', purpose: 'userPreferences' },
  { name: 'push-prompt', in: 'local', purpose: 'userPreferences' },
  { name: 'mm_referer_id', in: 'local', purpose: 'statistics' },
  { name: clickCookie, in: 'cookie', purpose: 'personalisedAdvertising' },
  { name: visitCookie, in: 'cookie', purpose: 'statistics' },
  { name: experimentsCookie, in: 'cookie', purpose: 'statistics' },
] as const
