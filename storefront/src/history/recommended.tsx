import type { ReactNode } from 'react'
import {
  RecommendationsDocument,
  type RecommendationPlacement,
  type RecommendationsQuery,
  type RecommendationsQueryVariables,
} from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { Rail } from '../shell/rail.tsx'

export type Recommended = RecommendationsQuery['recommendations']

/** Recommendations of a placement; none when they are unavailable, which must not cost the page. */
export async function loadRecommended(context: ShopContext, wanted: RecommendationsQueryVariables): Promise<Recommended> {
  return context.client.query(RecommendationsDocument, wanted).then(
    ({ recommendations }) => recommendations,
    () => [],
  )
}

interface RecommendedRowsProps {
  placement: RecommendationPlacement
  recommended: Recommended
  context: ShopContext
  /** False where what is popular is so in the whole shop. */
  isOfCategory?: boolean
}

/** A row per reason, which is its title. */
export function RecommendedRows({ placement, recommended, context, isOfCategory = true }: RecommendedRowsProps): ReactNode {
  const { t } = context
  const rows = Map.groupBy(recommended, ({ source }) => source)
  return [...rows].map(([source, all]) => (
    <div key={source} data-recommended={`${placement} ${source}`}>
      <Rail
        title={source === 'popular' && !isOfCategory ? t('history.popular-now') : t(`history.because.${source}`)}
        cards={all.map(({ card }) => card)}
        context={context}
      />
    </div>
  ))
}
