import { Button, ButtonLink, EmptyState } from '@purlin/ui'
import { Enhance } from '@purlin/web/enhance.tsx'
import type { ReactNode } from 'react'
import { cartField } from '../cart/cart-form.ts'
import { MyAdvantagesDocument, type LoyaltyFragment, type OwnCouponFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { AccountFrame } from './account-frame.tsx'
import { LoyaltyStanding, tierCase, type Tier } from './loyalty-standing.tsx'
import styles from './account.module.css'

export async function load(context: ShopContext) {
  const { myCoupons: coupons, myWelcomeOffer: offer, customerSegments, loyalty } = await context.client.query(MyAdvantagesDocument)
  return {
    data: {
      coupons,
      // Unknown while the segments are unavailable: that must not read as none.
      tier: customerSegments?.loyalty_level ?? null,
      loyalty,
      offer,
    },
    title: context.t('advantages.title'),
    robots: 'noindex',
  }
}

/** A customer's savings: the offer to customers of high value, personal and public coupons, and their loyalty tier. */
export function Page({ data: { coupons, tier, loyalty, offer }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <AccountFrame context={context} here="myAdvantages" title={t('advantages.title')}>
      {offer && (
        <section className={styles.part} aria-labelledby="offer">
          <h2 id="offer">{t('advantages.offer')}</h2>
          <p className={styles.card}>{t('advantages.offer.text', { code: offer.code, percent: String(offer.percent) })}</p>
        </section>
      )}
      <section className={styles.part} aria-labelledby="coupons">
        <h2 id="coupons">{t('advantages.coupons')}</h2>
        {coupons.length === 0 ? (
          <EmptyState
            icon="tag"
            heading="h3"
            title={t('advantages.none')}
            actions={<ButtonLink href={paths.goodDeals()}>{t('shell.deals')}</ButtonLink>}
          >
            <p>{t('advantages.none.text')}</p>
          </EmptyState>
        ) : (
          <ul className={styles.cards}>
            {coupons.map((coupon) => (
              <Coupon key={coupon.code} coupon={coupon} context={context} />
            ))}
          </ul>
        )}
      </section>
      <TierPart loyalty={loyalty} tier={tier} context={context} />
    </AccountFrame>
  )
}

interface TierProps {
  loyalty: LoyaltyFragment | null
  tier: Tier | null
  context: ShopContext
}

/** The customer's tier and the way to the next one; nothing while it is unknown. */
function TierPart({ loyalty, tier, context }: TierProps): ReactNode {
  const { t, mode } = context
  const standing = loyalty ? (
    <LoyaltyStanding loyalty={loyalty} context={context} />
  ) : (
    tier && (
      <div className={styles.card}>
        <p className={styles.total}>{t('advantages.tier.name', { tier: tierCase(tier) })}</p>
        {tier === 'UNDEFINED' && <p>{t('advantages.tier.start')}</p>}
        <p className={styles.quiet}>{t('advantages.tier.text')}</p>
      </div>
    )
  )
  if (!standing) return null
  return (
    <section className={styles.part} aria-labelledby="tier">
      <h2 id="tier">{t('advantages.tier')}</h2>
      {standing}
      {mode === 'b2b' && (
        <p>
          <a href={paths.loyaltyLanding()}>{t('loyalty.more')}</a>
        </p>
      )}
    </section>
  )
}

function Coupon({ coupon, context: { t } }: { coupon: OwnCouponFragment; context: ShopContext }): ReactNode {
  const { code, label, isPersonal, isForFirstOrder, isScarce, minimum, category, seller, endsOn, usesLeft } = coupon
  return (
    <li className={styles.card}>
      {(isPersonal || isScarce) && (
        <p className={styles.marks}>
          {isPersonal && <span className={`${styles.state} ${styles.runs}`}>{t('advantages.personal')}</span>}
          {isScarce && <span className={`${styles.state} ${styles.waits}`}>{t('advantages.scarce')}</span>}
        </p>
      )}
      <h3 className={styles.benefit}>{label}</h3>
      <ul className={styles.conditions}>
        {category === null && seller === null && <li>{t('advantages.all')}</li>}
        {category !== null && <li>{t('advantages.category', { category })}</li>}
        {seller !== null && <li>{t('advantages.seller', { seller })}</li>}
        {isForFirstOrder && <li>{t('advantages.first-order')}</li>}
        {minimum && <li>{t('advantages.minimum', { amount: minimum.formatted })}</li>}
        <li>{t('advantages.left', { count: usesLeft })}</li>
        <li>{t('advantages.until', { date: endsOn })}</li>
      </ul>
      <dl className={styles.code}>
        <dt>{t('advantages.code')}</dt>
        <dd>
          <code>{code}</code>
        </dd>
      </dl>
      <div className={styles.cardActions}>
        <form method="post" action={paths.cart()}>
          <input type="hidden" name={cartField('code')} value={code} />
          <Button look="secondary" size="s" name={cartField('do')} value="coupon" aria-label={t('advantages.use-of', { code })}>
            {t('advantages.use')}
          </Button>
        </form>
        <Enhance with="copy-code" when="idle">
          <Button
            type="button"
            look="quiet"
            size="s"
            hidden
            data-code={code}
            data-copied={t('advantages.copied', { code })}
            aria-label={t('advantages.copy-of', { code })}
          >
            {t('advantages.copy')}
          </Button>
        </Enhance>
      </div>
    </li>
  )
}
