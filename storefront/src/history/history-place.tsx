import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import type { RecommendationPlacement } from '../generated/documents.ts'

interface HistoryPlaceProps {
  productId?: string
  placement?: RecommendationPlacement
}

/** The place of products seen before. A script fills it, with consent; without it, it takes no room. */
export function HistoryPlace({ productId, placement }: HistoryPlaceProps): ReactNode {
  return (
    <Enhance with="history" when="idle">
      <div hidden data-history data-product={productId} data-placement={placement} />
    </Enhance>
  )
}

/** The place of a category's recommendations, the same for everybody: requested once it is near. */
export function CategoryPlace({ categoryId }: { categoryId: number }): ReactNode {
  return (
    <Enhance with="history" when="visible">
      <div data-history data-category={categoryId} />
    </Enhance>
  )
}
