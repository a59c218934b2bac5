import { Breadcrumb, ButtonLink, Container, EmptyState, Icon } from '@purlin/ui'
import { ownPath, redirect } from '@purlin/web'
import type { ReactNode } from 'react'
import { SearchDocument, type ListingFragment, type SearchQuery } from '../generated/documents.ts'
import { inputOf, readChoice } from '../listing/listing-address.ts'
import { canonicalRedirect, listingHead } from '../listing/listing-page.ts'
import { ListingView } from '../listing/listing-view.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './search.module.css'
import { Understood } from './understood.tsx'

export async function load(context: ShopContext) {
  const { t } = context
  const query = (context.params['query'] ?? '').replace(/\s+/g, ' ').trim()
  if (query === '') return redirect(307, '/')
  const path = paths.search({ query })
  const choice = readChoice(context.query)
  const { listing, categoryTree } = await context.client.query(SearchDocument, {
    input: inputOf({ kind: 'search', query }, choice),
  })
  if (listing.redirectUrl) return redirect(302, ownPath(listing.redirectUrl))
  const instead = canonicalRedirect(context, path, choice, listing)
  if (instead) return instead
  return {
    data: { query, path, listing, choice, departments: listing.total === 0 ? categoryTree : [] },
    title: t('search.title', { query }),
    ...listingHead(path, choice, listing),
    pageData: { view: { results: listing.total, page: choice.page } },
    robots: 'noindex, follow',
    // Results may contain any product: the page is purged by the cards it shows.
    tags: listing.cards.map(({ productId }) => `card:${productId}`),
  }
}

export function Page({ data: { query, path, listing, choice, departments }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <Container>
      <div className={styles.head}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={t('search.here')} />
        <h1 className={styles.title}>{t('search.heading', { query })}</h1>
        <Corrections listing={listing} context={context} />
        {listing.predictedCategories.length > 0 && (
          <nav aria-label={t('search.in-category')} className={styles.predicted}>
            <span>{t('search.in-category')}</span>
            <ul>
              {listing.predictedCategories.slice(0, 4).map((category) => (
                <li key={category.id}>
                  <a href={category.url}>{category.name}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
      <ListingView
        context={context}
        listing={listing}
        choice={choice}
        path={path}
        what={{ kind: 'search', query }}
        understood={<Understood context={context} listing={listing} choice={choice} path={path} />}
        empty={<NothingFound context={context} query={query} departments={departments} />}
      />
    </Container>
  )
}

/** Announces how the query was corrected. */
function Corrections({ listing, context: { t, formats } }: { listing: ListingFragment; context: ShopContext }): ReactNode {
  const { didYouMean: suggestion, droppedWords } = listing
  if (!suggestion && droppedWords.length === 0) return null
  return (
    <div className={styles.corrections}>
      {suggestion && (
        <p>
          {t.rich(
            'search.did-you-mean',
            { suggestion: (query) => <a href={paths.search({ query: suggestion })}>{query}</a> },
            { query: suggestion },
          )}
        </p>
      )}
      {droppedWords.length > 0 && (
        <p>{t('search.without', { words: formats.list(droppedWords.map((word) => t('search.heading', { query: word }))) })}</p>
      )}
    </div>
  )
}

/** Without results: hints and other links. */
function NothingFound({
  context,
  query,
  departments,
}: {
  context: ShopContext
  query: string
  departments: SearchQuery['categoryTree']
}): ReactNode {
  const { t } = context
  return (
    <>
      <EmptyState
        icon="search"
        title={t('search.nothing', { query })}
        actions={
          <>
            <ButtonLink href={paths.goodDeals()} look="secondary">
              {t('shell.deals')}
            </ButtonLink>
            <ButtonLink href={paths.helpCenter()} look="secondary">
              {t('search.ask-us')}
            </ButtonLink>
          </>
        }
      >
        <ul className={styles.tips}>
          {(['spelling', 'fewer', 'general', 'number'] as const).map((tip) => (
            <li key={tip}>
              <Icon name="check" size={16} />
              {t(`search.tip.${tip}`)}
            </li>
          ))}
        </ul>
      </EmptyState>
      {departments.length > 0 && <h2 className={styles.browse}>{t('search.browse')}</h2>}
      <ul className={styles.departments}>
        {departments.map((department) => (
          <li key={department.id}>
            <a href={department.url}>{department.name}</a>
          </li>
        ))}
      </ul>
    </>
  )
}
