import { Breadcrumb, Container, cx, Section } from '@purlin/ui'
import { notFound } from '@purlin/web'
import type { ReactNode } from 'react'
import { EntryCards } from '../advice/entry-cards.tsx'
import { CategoryPlace } from '../history/history-place.tsx'
import { countOf, inputOf, readChoice } from '../listing/listing-address.ts'
import { CategoryListingDocument } from '../generated/documents.ts'
import { canonicalRedirect, idOf, listingHead } from '../listing/listing-page.ts'
import { ListingView, SkipToResults } from '../listing/listing-view.tsx'
import { paths } from '../paths.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './category.module.css'

export async function load(context: ShopContext) {
  const { t, origin } = context
  const choice = readChoice(context.query)
  const id = idOf(context)
  if (id === null) return notFound()
  const { category, listing, guides } = await context.client.query(CategoryListingDocument, {
    id,
    input: inputOf({ kind: 'category', id }, choice),
  })
  if (!category) return notFound()
  const instead = canonicalRedirect(context, category.url, choice, listing)
  if (instead) return instead
  const trail = [...category.parents, category]
  return {
    data: { category, listing, choice, guides },
    title: choice.page > 1 ? t('listing.title-page', { title: category.name, page: choice.page }) : category.name,
    description: category.text ?? t('category.description', { name: category.name, count: listing.total }),
    ...listingHead(category.url, choice, listing),
    // Another market has as many pages as it has goods: a later page stands for itself. (V-36)
    alternates: choice.page > 1 ? {} : Object.fromEntries(category.alternates.map(({ market, url }) => [market, url])),
    pageData: { view: { results: listing.total }, custom: { categoryId: category.id } },
    tags: [`category:${category.id}`, 'content'],
    jsonLd: [breadcrumbData(origin, t('shell.home'), trail)],
  }
}

export function Page({ data: { category, listing, choice, guides }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  // A department's picture does not describe its subcategories.
  const hasPictures = new Set(category.children.map((child) => child.pictureUrl)).size > 1
  const isFirst = choice.page === 1 && countOf(choice) === 0
  return (
    <Container>
      {listing.total > 0 && <SkipToResults context={context} />}
      <div className={styles.head}>
        <Breadcrumb
          label={t('shell.breadcrumb')}
          crumbs={[{ label: t('shell.home'), href: '/' }, ...category.parents.map(({ name, url }) => ({ label: name, href: url }))]}
          here={category.name}
        />
        <h1>{category.name}</h1>
      </div>
      {category.children.length > 0 && (
        <nav aria-label={t('category.inside', { name: category.name })}>
          <ul className={cx(styles.children, !hasPictures && styles.compact)}>
            {category.children.map((child, index) => (
              <li key={child.id}>
                <a href={child.url}>
                  {hasPictures && <img src={child.pictureUrl} width={96} height={96} alt="" loading={index > 7 ? 'lazy' : undefined} />}
                  <span data-count={context.formats.number(child.productCount)}>{child.name}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {isFirst && category.children.length > 0 && (
        <ul className={styles.ways}>
          <li>
            <a href={paths.categoryHub({ category: category.slug, id: category.id })}>
              {t('discovery.hub.title', { category: category.name })}
            </a>
          </li>
          <li>
            <a href={paths.bestSellersFamily({ slug: category.slug, id: category.id })}>
              {t('discovery.best.of', { category: category.name })}
            </a>
          </li>
        </ul>
      )}
      <ListingView context={context} listing={listing} choice={choice} path={category.url} what={{ kind: 'category', id: category.id }} />
      {isFirst && listing.total > 0 && <CategoryPlace categoryId={category.id} />}
      {isFirst && guides.length > 0 && (
        <Section
          title={t('advice.for-category', { name: category.name })}
          more={{ href: paths.ourAdvice(), label: t('advice.all-guides') }}
        >
          <EntryCards cards={guides} context={context} />
        </Section>
      )}
      {isFirst && category.text && (
        <section className={styles.text} aria-labelledby="about-category">
          <h2 id="about-category">{t('category.about', { name: category.name })}</h2>
          {category.text.split('\n\n').map((part) => (
            <p key={part}>{part}</p>
          ))}
        </section>
      )}
    </Container>
  )
}
