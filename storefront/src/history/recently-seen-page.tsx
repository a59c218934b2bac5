import type { ReactNode } from 'react'
import { HomeRowsDocument, RecentlySeenDocument, RecommendationsDocument, type CardFragment } from '../generated/documents.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { Rail } from '../shell/rail.tsx'
import { AddedSheet } from './added-sheet.tsx'
import { RecommendedRows, type Recommended } from './recommended.tsx'

const maxIds = 20

interface Rows {
  placement: string
  seenProducts: readonly CardFragment[]
  suggestedFromHistory: readonly CardFragment[]
  recommendations: Recommended
}
const none = { seenProducts: [], suggestedFromHistory: [], recommendations: [] }

/** Rows of products that a script puts into a page: those the browser remembers, and what a placement recommends. */
export async function load(context: ShopContext) {
  const placement = textIn(context, 'placement')
  const productIds = textIn(context, 'ids')
    .split(',')
    .filter((id) => /^\d{1,18}$/.test(id))
    .slice(0, maxIds)
  const data: Rows = { ...none, ...(await rowsFor(context, placement, productIds)), placement }
  return { data, title: context.t('history.title'), robots: 'noindex' }
}

async function rowsFor({ client, ...context }: ShopContext, placement: string, productIds: string[]): Promise<Partial<Rows>> {
  if (placement === 'category_listing') {
    const category = textIn(context, 'category')
    if (!/^\d{1,9}$/.test(category)) return none
    return client.query(RecommendationsDocument, { placement, categoryId: Number(category) })
  }
  if (productIds.length === 0) return none
  if (placement === 'add_to_cart') return client.query(RecommendationsDocument, { placement, productIds: productIds.slice(0, 1) })
  if (placement === 'homepage_b2c') return client.query(HomeRowsDocument, { productIds })
  return client.query(RecentlySeenDocument, { productIds })
}

function textIn({ query }: Pick<ShopContext, 'query'>, name: string): string {
  const given = query[name]
  return typeof given === 'string' ? given : ''
}

export function Page({ data, context }: PageProps<typeof load>): ReactNode {
  const { placement, seenProducts, suggestedFromHistory, recommendations } = data
  const { t } = context
  if (placement === 'add_to_cart') return <AddedSheet recommended={recommendations} context={context} />
  // Recommendations learned from histories replace similar products.
  const isLearned = recommendations.some(({ source }) => source === 'from_history')
  return (
    <>
      {seenProducts.length > 0 && (
        <div data-row="seen">
          <Rail title={t('history.title')} cards={seenProducts} context={context} />
        </div>
      )}
      {!isLearned && suggestedFromHistory.length > 0 && (
        <div data-row="suggested">
          <Rail title={t('history.suggested')} cards={suggestedFromHistory} context={context} />
        </div>
      )}
      {recommendations.length > 0 && (
        <div data-row="recommended">
          <RecommendedRows
            placement={placement === 'category_listing' ? placement : 'homepage_b2c'}
            recommended={recommendations}
            context={context}
            isOfCategory={placement === 'category_listing'}
          />
        </div>
      )}
    </>
  )
}
