import { Button, ButtonLink, Field } from '@purlin/ui'
import type { FormFields } from '@purlin/web/form.ts'
import type { ReactNode } from 'react'
import { CostCentreField, SiteField, type OrderTargets } from '../checkout/company-choices.tsx'
import type { ExpressCheckoutFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { cartField } from './cart-form.ts'
import styles from './cart.module.css'

interface Props {
  /** Recipient and means of payment; null if a further step is needed to determine them. */
  express: (ExpressCheckoutFragment & { idempotencyKey: string }) | null
  /** For a member of a company, who names the order. */
  targets: OrderTargets | null
  /** The building site whose list the goods come from. */
  fromList: string | null
  typed: FormFields | undefined
  context: ShopContext
}

/** Continues step by step, or, with the account's data, straight to the page that shows everything and takes the payment. */
export function Order({ express, targets, fromList, typed, context }: Props): ReactNode {
  const { t } = context
  if (!express) {
    return (
      <ButtonLink href={paths.funnelGateway()} size="l" wide>
        {t('cart.order')}
      </ButtonLink>
    )
  }
  const { address, card, idempotencyKey } = express
  const { firstName, lastName, line1, city } = address
  const field = (name: 'purchaseOrder' | 'costCentre' | 'siteId') => ({
    id: name,
    name: cartField(name),
    defaultValue: typed?.get(name) ?? (name === 'siteId' ? (fromList ?? '') : ''),
  })
  return (
    <>
      <form method="post" className={styles.express} aria-labelledby="express">
        <h3 id="express">{t('express.title')}</h3>
        <ul>
          <li>{t('express.to', { name: `${firstName} ${lastName}`, line1, city })}</li>
          <li>{t('express.card', card)}</li>
          {card.state === 'expiring' && <li>{t('express.expiring', card)}</li>}
        </ul>
        {targets && (
          <details className={styles.names} open={typed !== undefined || fromList !== null}>
            <summary>{t('order-reference.title')}</summary>
            <Field {...field('purchaseOrder')} label={t('order-reference.purchase-order')} autoComplete="off" maxLength={40} />
            <SiteField {...field('siteId')} targets={targets} context={context} />
            <CostCentreField {...field('costCentre')} targets={targets} label={t('order-reference.cost-centre')} />
          </details>
        )}
        <input type="hidden" name={cartField('idempotencyKey')} value={idempotencyKey} />
        <Button size="l" wide name={cartField('do')} value="express">
          {t('express.go')}
        </Button>
        <p>{t('express.note')}</p>
      </form>
      <ButtonLink href={paths.firstOrder()} look="secondary" wide>
        {t('express.other')}
      </ButtonLink>
    </>
  )
}
