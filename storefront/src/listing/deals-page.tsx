import { Breadcrumb, Container } from '@purlin/ui'
import type { ReactNode } from 'react'
import styles from '../category/category.module.css'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { inputOf, readChoice } from './listing-address.ts'
import { ListingDocument } from '../generated/documents.ts'
import { canonicalRedirect, listingHead } from './listing-page.ts'
import { ListingView } from './listing-view.tsx'

/** Everything currently reduced in this market. */
export async function load(context: ShopContext) {
  const choice = readChoice(context.query)
  const { listing } = await context.client.query(ListingDocument, { input: inputOf({ kind: 'deals' }, choice) })
  const instead = canonicalRedirect(context, paths.goodDeals(), choice, listing)
  if (instead) return instead
  return {
    data: { listing, choice },
    title: context.t('deals.title'),
    description: context.t('deals.text'),
    ...listingHead(paths.goodDeals(), choice, listing, { mayBeEmpty: true }),
    // Another market has as many pages as it has goods: a later page stands for itself. (V-36)
    ...(choice.page > 1 && { alternates: {} }),
    tags: ['deals'],
  }
}

export function Page({ data: { listing, choice }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <Container>
      <div className={styles.head}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={t('deals.title')} />
        <h1>{t('deals.title')}</h1>
        <p>{t('deals.text')}</p>
      </div>
      <ListingView context={context} listing={listing} choice={choice} path={paths.goodDeals()} what={{ kind: 'deals' }} />
    </Container>
  )
}
