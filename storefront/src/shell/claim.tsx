import { Enhance } from '@purlin/web'
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
  const brand = t(isOn(flags, 'enableMfRebranding') ? 'announcement.brand' : mode === 'b2b' ? 'shell.claim-pro' : 'shell.claim')
  if (!loyaltyProgram?.isAnnounced) return brand
  // Guests have no advantages yet: the link would lead them to the sign-in page.
  return (
    <Enhance with="audience" when="load">
      <span data-audience="guests">{brand}</span>
      <a href={paths.myAdvantages()} data-audience="customers" hidden>
        {t('announcement.loyalty')}
      </a>
    </Enhance>
  )
}
