import type { MenuQuery } from '../generated/documents.ts'

export type PlatformConfig = MenuQuery['platformConfig']

/** The config of a page that could not read it: every key is off. */
export const failedConfig: PlatformConfig = {
  state: 'failed',
  version: 0,
  salesPeriod: null,
  b2b: null,
  loyaltyProgram: null,
  freeReturnsB2b: null,
  coupon: null,
  mainPrice: null,
  welcomeOffer: null,
}
