import type { ReactNode } from 'react'
import { RecentlySeenDocument } from '../generated/documents.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { Rail } from '../shell/rail.tsx'

const maxIds = 20

/** Rows of products that a script puts into a page: those the browser remembers, and what is suggested from them. */
export async function load(context: ShopContext) {
  const given = context.query['ids']
  const productIds = (typeof given === 'string' ? given : '')
    .split(',')
    .filter((id) => /^\d{1,18}$/.test(id))
    .slice(0, maxIds)
  const data = productIds.length > 0 ? await context.client.query(RecentlySeenDocument, { productIds }) : none
  return { data, title: context.t('history.title'), robots: 'noindex' }
}

const none = { seenProducts: [], suggestedFromHistory: [] }

export function Page({ data: { seenProducts, suggestedFromHistory }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <>
      <div data-row="seen">
        <Rail title={t('history.title')} cards={seenProducts} context={context} />
      </div>
      <div data-row="suggested">
        <Rail title={t('history.suggested')} cards={suggestedFromHistory} context={context} />
      </div>
    </>
  )
}
