import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'

/** The place of products seen before. A script fills it, with consent; without it, it takes no room. */
export function HistoryPlace({ productId }: { productId?: string }): ReactNode {
  return (
    <Enhance with="history" when="idle">
      <div hidden data-history data-product={productId} />
    </Enhance>
  )
}
