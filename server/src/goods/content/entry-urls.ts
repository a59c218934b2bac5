import { markets, type Market } from '@purlin/contract/markets.ts'
import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { slugOf } from '@purlin/contract/slug.ts'
import type { EntryFacts, EntryKind } from './entry.ts'

/** Pages without a number in their address, by the key of their entry. */
const pages: Partial<Record<string, () => string>> = {
  'you-ve-got-this': () => publicUrl('youHaveGotThis', {}),
  bingo: () => publicUrl('bingo', {}),
  reassurance: () => publicUrl('reassurance', {}),
  'loyalty-program-faq': () => publicUrl('loyaltyProgramFaq', {}),
  klarna: () => publicUrl('klarna', {}),
}

interface AddressedEntry {
  id: number
  key: string
  title: string
  facts: Pick<EntryFacts, 'slugs'>
}

/** The address of an entry's page in a market; null for entries without a page. Only the id matters, the slug is for people. */
export function entryUrl(kind: EntryKind, { id, key, title, facts }: AddressedEntry, market: Market): string | null {
  const { language } = markets[market]
  const at = { slug: slugOf(title, language), id }
  const own = facts.slugs?.[language] ?? key
  switch (kind) {
    case 'guide':
      return publicUrl('guide', at)
    case 'comparison':
      return publicUrl('comparison', at)
    case 'project':
      return publicUrl('project', at)
    case 'landing':
      return publicUrl('landing', at)
    case 'promo':
      return publicUrl('promo', at)
    case 'help':
      return publicUrl('helpArticle', at)
    case 'partner':
      return publicUrl('partner', { id })
    case 'page':
      return pages[key]?.() ?? null
    case 'trade':
    case 'industry':
      return publicUrl('proPage', { pageType: kind, slug: own })
    case 'family':
      return publicUrl('proPage', { pageType: 'product', slug: own })
    case 'banner':
      return null
  }
}
