import { Alert } from '@purlin/ui/alert.tsx'
import { Button, ButtonLink } from '@purlin/ui/button.tsx'
import { namesOf } from '@purlin/web/form-action.ts'
import { text } from '@purlin/web/form-input.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import type { InvoiceSettlement, OrderFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { LookAgain } from '../shell/look-again.tsx'
import styles from './checkout.module.css'

export const paymentForm = v.object({ idempotencyKey: text(100), method: v.picklist(['CARD', 'INVOICE']) })
const field = namesOf(paymentForm)

interface Props {
  idempotencyKey: string
  context: ShopContext
}

/** The choice to pay by invoice; its button is the order button. */
export function InvoiceChoice({ settlement, idempotencyKey, context: { t } }: Props & { settlement: InvoiceSettlement }): ReactNode {
  return (
    <section className={styles.panel} aria-labelledby="invoice">
      <h2 id="invoice">{t('credit.pay.title')}</h2>
      <p>{t('credit.pay.text')}</p>
      {settlement !== 'EACH' && <p>{t(settlement === 'MONTHLY' ? 'credit.pay.monthly' : 'credit.pay.debit')}</p>}
      <MethodForm method="INVOICE" idempotencyKey={idempotencyKey}>
        <Button size="l" wide>
          {t('credit.pay.button')}
        </Button>
      </MethodForm>
      <p>
        <a href={paths.billie()}>{t('credit.pay.more')}</a>
      </p>
    </section>
  )
}

function MethodForm({
  method,
  idempotencyKey,
  children,
}: {
  method: 'CARD' | 'INVOICE'
  idempotencyKey: string
  children: ReactNode
}): ReactNode {
  return (
    <form method="post">
      <input type="hidden" name={field('idempotencyKey')} value={idempotencyKey} />
      <input type="hidden" name={field('method')} value={method} />
      {children}
    </form>
  )
}

/** An order that is being paid by invoice: the decision of the credit partner, and the way back to the card. */
export function InvoiceProgress({
  payment,
  idempotencyKey,
  context,
}: Props & { payment: NonNullable<OrderFragment['payment']> }): ReactNode {
  const { t } = context
  const isDeclined = payment.state === 'FAILED'
  return (
    <section className={styles.panel} aria-labelledby="invoice">
      <h2 id="invoice">{t('credit.pay.title')}</h2>
      {isDeclined ? (
        <Alert severity="danger" title={t('credit.pay.declined')} announces>
          {payment.failure && <p>{payment.failure}</p>}
          <p>{t('credit.pay.declined.text')}</p>
        </Alert>
      ) : payment.frameUrl ? (
        <>
          <p>
            <strong>{t('credit.pay.question')}</strong>
          </p>
          <p>{t('credit.pay.question.text')}</p>
          <p>
            <ButtonLink href={payment.frameUrl}>{t('credit.pay.question.button')}</ButtonLink>
          </p>
        </>
      ) : (
        <div className={styles.preparing} role="status">
          <LookAgain seconds={2} />
          <p>{t('credit.pay.waiting')}</p>
        </div>
      )}
      <MethodForm method="CARD" idempotencyKey={idempotencyKey}>
        <Button look={isDeclined ? 'primary' : 'secondary'} size={isDeclined ? 'l' : 'm'} wide={isDeclined}>
          {t('credit.pay.card')}
        </Button>
      </MethodForm>
    </section>
  )
}
