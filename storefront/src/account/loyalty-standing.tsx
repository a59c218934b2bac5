import type { ReactNode } from 'react'
import type { LoyaltyFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './account.module.css'

export type Tier = LoyaltyFragment['tier']

/** The case of a message for a tier. */
export function tierCase(tier: Tier): 'GOLD' | 'SILVER' | 'BRONZE' | 'other' {
  return tier === 'UNDEFINED' ? 'other' : tier
}

/** A customer's tier, the purchases it follows from, and what is missing for the next one. */
export function LoyaltyStanding({ loyalty, context: { t } }: { loyalty: LoyaltyFragment; context: Pick<ShopContext, 't'> }): ReactNode {
  const { tier, orders, spent, next } = loyalty
  const level = next && loyalty.levels.find((one) => one.tier === next.tier)
  return (
    <div className={styles.card}>
      <p className={styles.total}>{t('advantages.tier.name', { tier: tierCase(tier) })}</p>
      <p>{t('loyalty.year', { count: orders, amount: spent.formatted })}</p>
      {next === null || !level ? (
        <p>{t('loyalty.top')}</p>
      ) : (
        <>
          <meter
            className={styles.meter}
            aria-label={t('loyalty.progress', { tier: nextCase(next.tier) })}
            min={0}
            max={level.orders}
            value={Math.min(orders, level.orders)}
          />
          <p>
            {t('loyalty.next', {
              tier: nextCase(next.tier),
              missing: missingOf(next),
              count: next.ordersMissing,
              amount: next.spentMissing?.formatted ?? '',
            })}
          </p>
        </>
      )}
      <p className={styles.quiet}>{t('advantages.tier.text')}</p>
    </div>
  )
}

function nextCase(tier: Tier): 'GOLD' | 'SILVER' | 'other' {
  return tier === 'GOLD' || tier === 'SILVER' ? tier : 'other'
}

function missingOf({ ordersMissing, spentMissing }: NonNullable<LoyaltyFragment['next']>): 'both' | 'orders' | 'value' | 'other' {
  if (ordersMissing > 0) return spentMissing ? 'both' : 'orders'
  return spentMissing ? 'value' : 'other'
}
