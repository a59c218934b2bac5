import { Pagination } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from './context.ts'

/** The page of a list that the address names (`?page=2`); the first one if it names none, or nonsense. */
export function pageIn({ query: { page } }: Pick<ShopContext, 'query'>): number {
  return typeof page === 'string' && /^[1-9]\d{0,2}$/.test(page) ? Number(page) : 1
}

/** Links to the other pages of a list. */
export function Pages({ page, pages, context: { t, pathname } }: { page: number; pages: number; context: ShopContext }): ReactNode {
  return (
    <Pagination
      page={page}
      pages={pages}
      hrefOf={(to) => (to === 1 ? pathname : `${pathname}?page=${to}`)}
      words={{
        label: t('listing.pages'),
        previous: t('listing.previous'),
        next: t('listing.next'),
        page: (number) => t('listing.page', { page: number }),
      }}
    />
  )
}
