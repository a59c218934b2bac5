import type { SiteScope } from '#platform'
import { onlyRunning } from './announced-codes.ts'
import { configOf, type ConfigValues, type PlatformConfig } from './platform-config.ts'
import { holdsSwitches, switches } from './switches.ts'

/** A request's site, or a storefront that a job asks about. */
type ConfigScope = Pick<SiteScope, 'db' | 'log' | 'market' | 'mode' | 'share'>

/** The platform config of a storefront, from memory, without codes that no running coupon stands behind. One that has not come in time has the state `loading` until its read ends; one that cannot be read, `failed`. */
export async function platformConfig(scope: ConfigScope): Promise<PlatformConfig> {
  const { config, coupons, isBeingRead } = await switches(scope)
  scope.share?.(holdsSwitches())
  const read: PlatformConfig = config ? configOf(config, scope) : { state: isBeingRead ? 'loading' : 'failed' }
  return read.state === 'set' ? { ...read, values: onlyRunning(read.values, scope.market, coupons) } : read
}

const off: ConfigValues = {
  'sales-period': null,
  b2b: null,
  'loyalty-program': null,
  'main-price': null,
  'free-returns-b2b': null,
  coupon: null,
  'welcome-offer': null,
  'welcome-offer-hvc': null,
}

/** In the shape of the API, which everybody may read: `welcome-offer-hvc` is shown to its customers alone (segments/show-welcome-offer.ts). */
export async function showConfig(scope: SiteScope) {
  const config = await platformConfig(scope)
  const values = config.state === 'set' ? config.values : off
  return {
    state: config.state,
    version: config.state === 'set' ? config.version : 0,
    salesPeriod: values['sales-period'],
    b2b: values.b2b,
    loyaltyProgram: values['loyalty-program'],
    mainPrice: values['main-price'],
    freeReturnsB2b: values['free-returns-b2b'],
    coupon: values.coupon,
    welcomeOffer: values['welcome-offer'],
  }
}
