import { Button, ButtonLink } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ExpressCheckoutFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { cartField } from './cart-form.ts'
import styles from './cart.module.css'

interface Props {
  /** Recipient and means of payment; null if a further step is needed to determine them. */
  express: (ExpressCheckoutFragment & { idempotencyKey: string }) | null
  context: ShopContext
}

/** Continues step by step, or, with the account's data, straight to the page that shows everything and takes the payment. */
export function Order({ express, context: { t } }: Props): ReactNode {
  if (!express) {
    return (
      <ButtonLink href={paths.funnelGateway()} size="l" wide>
        {t('cart.order')}
      </ButtonLink>
    )
  }
  const { address, card, idempotencyKey } = express
  const { firstName, lastName, line1, city } = address
  return (
    <>
      <form method="post" className={styles.express} aria-labelledby="express">
        <h3 id="express">{t('express.title')}</h3>
        <ul>
          <li>{t('express.to', { name: `${firstName} ${lastName}`, line1, city })}</li>
          <li>{t('express.card', card)}</li>
          {card.state === 'expiring' && <li>{t('express.expiring', card)}</li>}
        </ul>
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
