import { Breadcrumb, Container } from '@purlin/ui'
import { canonicalSlug, notFound } from '@purlin/web'
import type { ReactNode } from 'react'
import { ListingDocument, PopularQueryDocument } from '../generated/documents.ts'
import { inputOf, readChoice } from '../listing/listing-address.ts'
import { canonicalRedirect, listingHead } from '../listing/listing-page.ts'
import { ListingView } from '../listing/listing-view.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import styles from './discovery.module.css'

export async function load(context: ShopContext) {
  const { client, t, origin } = context
  const slug = (context.params['query'] ?? '').toLowerCase()
  const path = paths.massLanding({ query: slug })
  const moved = canonicalSlug(context, path)
  if (moved) return moved
  const { popularQuery } = await client.query(PopularQueryDocument, { slug })
  if (!popularQuery) return notFound()
  const { query, label: title } = popularQuery
  const choice = readChoice(context.query)
  const { listing } = await client.query(ListingDocument, { input: inputOf({ kind: 'search', query }, choice) })
  if (listing.available && listing.total === 0 && Object.keys(choice.filters).length + Object.keys(choice.ranges).length === 0)
    return notFound()
  const instead = canonicalRedirect(context, path, choice, listing)
  if (instead) return instead
  return {
    data: { query, title, path, listing, choice },
    title: t('discovery.landing.title', { query: title }),
    description: t('discovery.landing.description', { query: title, count: listing.total }),
    ...listingHead(path, choice, listing),
    // Each market searches in its own words.
    alternates: choice.page > 1 ? {} : { [context.market]: path },
    tags: listing.cards.map(({ productId }) => `card:${productId}`),
    jsonLd: [breadcrumbData(origin, t('shell.home'), [{ name: title, url: path }])],
  }
}

/** the results of a popular query, at an address of their own. */
export function Page({ data: { query, title, path, listing, choice }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const [category] = listing.predictedCategories
  return (
    <Container>
      <div className={styles.head}>
        <Breadcrumb
          label={t('shell.breadcrumb')}
          crumbs={[{ label: t('shell.home'), href: '/' }, ...(category ? [{ label: category.name, href: category.url }] : [])]}
          here={title}
        />
        <h1>{title}</h1>
        {listing.available && <p className={styles.lead}>{t('discovery.landing.description', { query: title, count: listing.total })}</p>}
      </div>
      {listing.predictedCategories.length > 0 && (
        <nav aria-label={t('search.in-category')}>
          <ul className={styles.chips}>
            {listing.predictedCategories.map(({ id, name, url }) => (
              <li key={id}>
                <a href={url}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <ListingView context={context} listing={listing} choice={choice} path={path} what={{ kind: 'search', query }} />
    </Container>
  )
}
