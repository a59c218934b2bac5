import { Container, Section } from '@purlin/ui'
import { canonicalSlug, notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { EntryView } from '../advice/entry-view.tsx'
import { loadedEntry, previewOf } from '../advice/load-entry.ts'
import { EntryOfKeyDocument, type EntryKind } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { loadAreLinked } from '../shell/linked-storefronts.ts'
import { ProActions } from './pro-actions.tsx'

/** Kind of entry by the first part of the address. */
const kinds: Partial<Record<string, EntryKind>> = { trade: 'trade', industry: 'industry', product: 'family' }

/** A page of a trade, an industry or a product family; its slug in another language leads to this market's. */
export async function load(context: ShopContext) {
  const { pageType = '', slug = '' } = context.params
  const kind = kinds[pageType]
  if (!kind) return notFound()
  const { entryOfKey } = await context.client.query(EntryOfKeyDocument, { kind, key: slug, preview: previewOf(context) })
  if (!entryOfKey) return notFound()
  const moved = entryOfKey.url ? canonicalSlug(context, entryOfKey.url) : null
  if (moved) return moved
  const loaded = loadedEntry(context, entryOfKey, {}, { label: 'shell.to-pros', href: paths.proLanding() })
  return { ...loaded, data: { ...loaded.data, isLinked: await loadAreLinked(context) } }
}

export function Page({ data, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <>
      <EntryView {...data} context={context} />
      <Container>
        <Section title={t('pro.call')}>
          <p>{t('pro.call.text')}</p>
          <ProActions context={context} isLinked={data.isLinked} />
        </Section>
      </Container>
    </>
  )
}
