import { Icon, type IconName } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './landing.module.css'

interface Benefit {
  key: string
  icon: IconName
  title: string
  text: ReactNode
  /** Where it is used or explained. */
  href?: string | undefined
}

/** Everything that Purlin Pro is, each part with its page; pages of Purlin Pro do not exist on the consumers' storefront. */
export function Benefits({ days, context }: { days: number | undefined; context: ShopContext }): ReactNode {
  return (
    <ul className={styles.benefits}>
      {benefitsOf(days, context).map(({ key, icon, title, text, href }) => (
        <li key={key}>
          <Icon name={icon} size={28} />
          <h3>{href ? <a href={href}>{title}</a> : title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  )
}

type PlainBenefit = 'prices' | 'quick' | 'again' | 'lists' | 'quotes' | 'company' | 'invoices' | 'punch-out'

function benefitsOf(days: number | undefined, { t, mode }: ShopContext): Benefit[] {
  const isPro = mode === 'b2b'
  const plain = (key: PlainBenefit, icon: IconName, href?: string): Benefit => ({
    key,
    icon,
    title: t(`pro.benefit.${key}`),
    text: t(`pro.benefit.${key}.text`),
    href: isPro ? href : undefined,
  })
  const financing = (words: ReactNode) => (isPro ? <a href={paths.financing()}>{words}</a> : words)
  return [
    plain('prices', 'tag'),
    plain('quick', 'bolt', paths.quickOrder()),
    plain('again', 'cart', paths.buyAgain()),
    plain('lists', 'heart', paths.wishlists()),
    plain('quotes', 'search', paths.quotes()),
    plain('company', 'person', paths.companyBudgets()),
    plain('invoices', 'document', paths.proServicesInvoices()),
    {
      key: 'pay',
      icon: 'clock',
      title: t('pro.benefit.pay'),
      text: t.rich('pro.benefit.pay.text', { financing }),
      href: isPro ? paths.billie() : undefined,
    },
    plain('punch-out', 'store', paths.companyPunchOut()),
    { key: 'subscription', icon: 'truck', title: t('subscription.title'), text: t('subscription.lead'), href: paths.subscriptionPublic() },
    {
      key: 'loyalty',
      icon: 'good',
      title: t('loyalty.title'),
      text: t('loyalty.lead'),
      href: isPro ? paths.loyaltyLanding() : undefined,
    },
    ...(days === undefined
      ? []
      : [{ key: 'returns', icon: 'return' as const, title: t('pro.benefit.returns'), text: t('pro.benefit.returns.text', { days }) }]),
  ]
}
