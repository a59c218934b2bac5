import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { EntryOfKeyDocument } from '../generated/documents.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { EntryView } from './entry-view.tsx'
import { loadedEntry, previewOf } from './load-entry.ts'

/** A written page by the last word of its address: `/static/bingo`, `/klarna`. */
export async function load(context: ShopContext) {
  const key = context.pathname.split('/').at(-1) ?? ''
  const { entryOfKey } = await context.client.query(EntryOfKeyDocument, { kind: 'page', key, preview: previewOf(context) })
  return entryOfKey ? loadedEntry(context, entryOfKey, {}, null) : notFound()
}

export function Page({ data, context }: PageProps<typeof load>): ReactNode {
  return <EntryView {...data} context={context} />
}
