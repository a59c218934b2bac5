import { Icon, Section, type IconName } from '@purlin/ui'
import type { ReactNode } from 'react'
import { WorkAtAGlanceDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from '../home/home.module.css'

export async function load(context: ShopContext) {
  const { myOrders, waiting, answered, loyalty, myCredit } = await context.client.query(WorkAtAGlanceDocument)
  const due = myCredit?.claims.filter(({ state }) => state === 'OPEN' || state === 'LATE').length ?? 0
  const data = {
    orders: myOrders.total,
    waiting: waiting.total,
    answered: answered.total,
    tier: loyalty?.tier ?? null,
    due,
    available: myCredit?.reason === null ? myCredit.available : null,
  }
  return { data, title: context.t('glance.title'), robots: 'noindex' }
}

const tiers: Partial<Record<string, 'gold' | 'silver' | 'other'>> = { GOLD: 'gold', SILVER: 'silver', BRONZE: 'other' }

/** A professional's own work, as a part of the cached pages of Purlin Pro: a script puts it there. */
export function Page({ data, context: { t } }: PageProps<typeof load>): ReactNode {
  const { orders, waiting, answered, tier, due, available } = data
  const known = tier === null ? undefined : tiers[tier]
  const links: { icon: IconName; href: string; words: string }[] = [
    { icon: 'bolt', href: paths.quickOrder(), words: t('quick-order.title') },
    { icon: 'cart', href: paths.buyAgain(), words: t('again.title') },
    { icon: 'heart', href: paths.wishlists(), words: t('wishlist.title') },
    ...(orders > 0 ? [{ icon: 'box' as const, href: paths.myOrders(), words: t('glance.orders', { count: orders }) }] : []),
    ...(waiting > 0 ? [{ icon: 'good' as const, href: paths.approvals(), words: t('glance.approvals', { count: waiting }) }] : []),
    { icon: 'document', href: paths.quotes(), words: t('glance.quotes', { count: answered }) },
    ...(due > 0 ? [{ icon: 'document' as const, href: paths.billie(), words: t('glance.due', { count: due }) }] : []),
    ...(available ? [{ icon: 'card' as const, href: paths.billie(), words: t('glance.available', { amount: available.formatted }) }] : []),
    ...(known ? [{ icon: 'tag' as const, href: paths.loyaltyLanding(), words: t('glance.tier', { tier: known }) }] : []),
  ]
  return (
    <div data-glance-card>
      <Section title={t('glance.title')} id="glance">
        <ul className={styles.shortcuts}>
          {links.map(({ icon, href, words }) => (
            <li key={words}>
              <a href={href}>
                <Icon name={icon} size={20} />
                {words}
              </a>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}
