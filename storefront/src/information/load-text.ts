import { notFound } from '@purlin/web'
import type { ShopContext } from '../shell/context.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import { TextDocument, type TextQuery } from '../generated/documents.ts'
import { textAt, textPages } from './text-pages.ts'

export interface TextData {
  text: NonNullable<TextQuery['text']>
  operator: TextQuery['operator']
}

/** The text at this address: in force, or the earlier version requested by `?version=`. */
export async function loadText(context: ShopContext) {
  const { t, origin, pathname, query, client } = context
  const name = textAt(pathname)
  const asked = query['version']
  const version = asked === undefined ? null : Number(asked)
  if (!name || (version !== null && !(Number.isInteger(version) && version > 0 && version < 10_000))) return notFound()
  const { text, operator } = await client.query(TextDocument, { name, version })
  if (!text) return notFound()
  return {
    data: { text, operator } satisfies TextData,
    title: text.title,
    description: text.description,
    canonical: textPages[name](),
    ...(!text.current && { robots: 'noindex' }),
    jsonLd: [breadcrumbData(origin, t('shell.home'), [{ name: text.title, url: textPages[name]() }])],
  }
}
