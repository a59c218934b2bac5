import { Alert, Button } from '@purlin/ui'
import { queryText } from '@purlin/web/query-text.ts'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import type { CartQuery } from '../generated/documents.ts'
import { cartField } from './cart-form.ts'
import { packOf, removedField, splitPack } from './pack.ts'

/** Undoes the removal the address names; works without script, and once: what is back needs no undoing. (V-39) */
export function PutBack({ cart, context: { t, query } }: { cart: CartQuery['cart']; context: ShopContext }): ReactNode {
  const { offerId, quantity } = splitPack(queryText(query, removedField))
  const isBack = cart.sellers.some(({ lines }) => lines.some((line) => line.offerId === offerId))
  if (quantity === null || isBack) return null
  return (
    <Alert severity="info" title={t('cart.removed')} announces>
      <form method="post" action={paths.cart()}>
        <input type="hidden" name={cartField('do')} value="add" />
        <input type="hidden" name={cartField('offerId')} value={packOf(offerId, quantity)} />
        <Button look="secondary">{t('cart.undo')}</Button>
      </form>
    </Alert>
  )
}
