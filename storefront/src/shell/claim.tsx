import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from './context.ts'
import { isOn, type FlagSetting } from './flag-settings.ts'
import type { PlatformConfig } from './platform-config.ts'

interface ClaimProps {
  context: ShopContext
  flags: readonly FlagSetting[]
  config: PlatformConfig
}

/** The line at the top of every page: what the platform config announces, the most urgent first, else the brand's claim. */
export function Claim({ context, flags, config }: ClaimProps): ReactNode {
  const { t, mode } = context
  const { salesPeriod, coupon, welcomeOffer, freeReturnsB2b, loyaltyProgram } = config
  if (salesPeriod) return <a href={paths.goodDeals()}>{t('announcement.sales', { until: salesPeriod.until })}</a>
  if (coupon) return t('announcement.coupon', { code: coupon.code, percent: String(coupon.percent) })
  if (welcomeOffer) return t('announcement.welcome', { code: welcomeOffer.code, percent: String(welcomeOffer.percent) })
  if (mode === 'b2b' && freeReturnsB2b) return t('announcement.free-returns', { days: freeReturnsB2b.days })
  if (loyaltyProgram?.isAnnounced) return <a href={paths.myAdvantages()}>{t('announcement.loyalty')}</a>
  if (isOn(flags, 'enableMfRebranding')) return t('announcement.brand')
  return t(mode === 'b2b' ? 'shell.claim-pro' : 'shell.claim')
}
