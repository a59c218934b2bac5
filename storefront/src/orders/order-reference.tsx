import { Button, Facts, Field } from '@purlin/ui'
import { fieldsOf } from '@purlin/web/form-action.ts'
import { optionalText } from '@purlin/web/form-input.ts'
import type { FormFields } from '@purlin/web/form.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import styles from '../checkout/checkout.module.css'
import { CostCentreField, type OrderTargets } from '../checkout/company-choices.tsx'
import type { OrderReferenceQuery, RefusalFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { FormRefusal } from '../shell/form-refusal.tsx'

/** A company's own names for an order. */
export const referenceFields = { purchaseOrder: optionalText(40), costCentre: optionalText(40) }
/** With the building site that the order is charged to; not sent by companies without sites. */
export const chargedFields = { ...referenceFields, siteId: v.optional(optionalText(40)) }
export const referenceForm = v.object({ do: v.literal('refer'), ...referenceFields })

interface Props {
  reference: NonNullable<OrderReferenceQuery['orderReference']>
  /** The company's cost centres, and whether others may be named. */
  targets: OrderTargets | null
  refusal: RefusalFragment | undefined
  typed: FormFields | undefined
  context: ShopContext
}

/** Purchase-order number and cost centre of a company's order: a form for whoever may change them. */
export function OrderReferencePart({ reference, targets, refusal, typed, context: { t } }: Props): ReactNode {
  const isTyped = typed?.get('do') === 'refer'
  const field = fieldsOf(referenceForm, {
    ...(isTyped && { typed, refusal }),
    known: (name) => (name === 'do' ? '' : (reference[name] ?? '')),
  })
  // Refused as a whole: an approval that was requested or given in the meantime holds the order as it is.
  const isRefused = isTyped && refusal?.fields.length === 0
  const labels = { purchaseOrder: t('order-reference.purchase-order'), costCentre: t('order-reference.cost-centre') }
  if (!reference.canChange && !isRefused && reference.purchaseOrder === null && reference.costCentre === null && reference.site === null)
    return null
  return (
    <section className={styles.panel} aria-labelledby="references">
      <h2 id="references">{t('order-reference.title')}</h2>
      <FormRefusal refusal={isTyped ? refusal : undefined} />
      {reference.site !== null && <p>{t('order-reference.site', { site: reference.site })}</p>}
      {reference.canChange ? (
        <form method="post">
          <p className={styles.quiet}>{t('order-reference.text')}</p>
          <Field {...field('purchaseOrder')} label={labels.purchaseOrder} autoComplete="off" width="half" />
          <CostCentreField {...field('costCentre')} targets={targets} label={labels.costCentre} known={reference.costCentre} />
          <Button look="secondary" name={field('do').name} value="refer">
            {t('order-reference.save')}
          </Button>
        </form>
      ) : (
        <Facts
          facts={(['purchaseOrder', 'costCentre'] as const).flatMap((name) =>
            reference[name] === null ? [] : [{ label: labels[name], value: reference[name] }],
          )}
        />
      )}
    </section>
  )
}
