import { Alert, Button } from '@purlin/ui'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import * as v from 'valibot'
import type { ReactNode } from 'react'
import { OrderAgainDocument, SaveOrderReferenceDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { referenceForm } from './order-reference.tsx'
import type { ShopContext } from '../shell/context.ts'

const againForm = v.object({ do: v.literal('again') })
const form = v.variant('do', [againForm, referenceForm])
const field = namesOf(againForm)

/** The forms of an order's page. */
export const orderAction = formAction(form, async (context: ShopContext, input) => {
  const { customerOrderId = '' } = context.params
  if (input.do === 'again') return orderAgain(context, customerOrderId)
  const { purchaseOrder, costCentre } = input
  const refusal = (await context.client.mutate(SaveOrderReferenceDocument, { customerOrderId, purchaseOrder, costCentre }))?.result.refusal
  return refusal ? refuse(refusal) : redirect(303, context.pathname, { severity: 'success', key: 'flash.order-reference-saved' })
})

/** Adds everything from the order to the cart and leads there; what is no longer on sale is left out, and the cart says so. Source: R-139. */
async function orderAgain(context: ShopContext, customerOrderId: string) {
  const added = (await context.client.mutate(OrderAgainDocument, { customerOrderId }))?.result
  if (!added) return notFound()
  if (added.refusal) return refuse(added.refusal)
  const isWhole = added.left.length === 0
  return redirect(303, paths.cart(), {
    severity: isWhole ? 'success' : 'warning',
    key: isWhole ? 'flash.list-added' : 'flash.list-added-in-part',
  })
}

/** The button that buys an order once more. */
export function OrderAgain({ refusal, context: { t } }: { refusal: RefusalFragment | undefined; context: ShopContext }): ReactNode {
  return (
    <form method="post">
      {refusal && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      <Button look="secondary" icon="cart" name={field('do')} value="again">
        {t('again.order')}
      </Button>
    </form>
  )
}
