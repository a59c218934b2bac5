import { clickCookie } from './ad-click.ts'
import { consentPurposes, visitCookie, visitorCookie } from './consent.ts'
import { experimentsCookie } from './experiments.ts'

/** The part of the register (browser-storage.ts) that needs consent; every page carries it, to delete what is not allowed. */
export const consentedStorage = [
  { name: 'product-history', in: 'local', purposes: ['userPreferences'], days: 90, is: 'history' },
  { name: 'product-history-auth-status', in: 'local', purposes: ['userPreferences'], days: null, is: 'history' },
  { name: 'push-prompt', in: 'local', purposes: ['userPreferences'], days: null, is: 'push' },
  { name: 'mm_referer_id', in: 'local', purposes: ['statistics'], days: null, is: 'referer' },
  { name: clickCookie, in: 'cookie', purposes: ['personalisedAdvertising'], days: 90, is: 'ad-click' },
  { name: visitCookie, in: 'cookie', purposes: ['statistics'], days: 1 / 48, is: 'visit' },
  { name: experimentsCookie, in: 'cookie', purposes: ['statistics'], days: 60, is: 'experiments' },
  { name: visitorCookie, in: 'cookie', purposes: consentPurposes, days: 365, is: 'visitor' },
] as const
