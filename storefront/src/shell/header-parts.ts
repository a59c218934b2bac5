import type { MenuQuery } from '../generated/documents.ts'

/** What operators put into the header. The pre-header starts as not fetched. */
export type HeaderParts = Pick<MenuQuery['header'], 'quickLinks' | 'banners'> & {
  preHeader: { state: MenuQuery['header']['preHeader']['state'] | 'not-fetched'; items: MenuQuery['header']['preHeader']['items'] }
}

export const noParts: HeaderParts = { quickLinks: { items: [] }, banners: { items: [] }, preHeader: { state: 'not-fetched', items: [] } }
