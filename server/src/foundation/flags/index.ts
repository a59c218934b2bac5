/** Feature flags, through OpenFeature, and the platform config: what operators switch while the shop runs. */
export { connectCoupons, type AnnouncedCoupon } from './announced-codes.ts'
export { flagValue, type FlagScope } from './flag-value.ts'
export { platformConfig } from './show-config.ts'
export { forgetSwitches, switchesTag } from './switches.ts'
export { setConfig, setFlag, shellTags } from './change-switches.ts'
