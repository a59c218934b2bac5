import { Breadcrumb, Container } from '@purlin/ui'
import { canonicalSlug, notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { PopularQueriesOfDocument } from '../generated/documents.ts'
import { idOf } from '../listing/listing-page.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { DiscoveryEmpty } from './discovery-empty.tsx'
import styles from './discovery.module.css'
import { QueryLinks } from './query-links.tsx'

export async function load(context: ShopContext) {
  const { client, t } = context
  const id = idOf(context)
  if (id === null) return notFound()
  const { popularQueriesOf } = await client.query(PopularQueriesOfDocument, { id })
  if (!popularQueriesOf) return notFound()
  const { category, queries } = popularQueriesOf
  const path = paths.massLandingSitemapCategory({ category: category.slug, id: category.id })
  const moved = canonicalSlug(context, path)
  if (moved) return moved
  return {
    data: { category, queries },
    title: t('discovery.popular.of', { category: category.name }),
    description: t('discovery.popular.of-description', { category: category.name }),
    canonical: path,
    // Each market searches in its own words.
    alternates: { [context.market]: path },
    tags: [`category:${category.id}`],
    keep: queries.length > 0,
    // The lists of subcategories repeat parts of their department's.
    ...((queries.length === 0 || category.parents.length > 0) && { robots: 'noindex, follow' }),
  }
}

/** popular searches in one category and its subcategories. */
export function Page({ data: { category, queries }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <Container>
      <div className={styles.head}>
        <Breadcrumb
          label={t('shell.breadcrumb')}
          crumbs={[
            { label: t('shell.home'), href: '/' },
            { label: t('discovery.popular.title'), href: paths.massLandingSitemap() },
            ...category.parents.map(({ id, name, slug }) => ({
              label: name,
              href: paths.massLandingSitemapCategory({ category: slug, id }),
            })),
          ]}
          here={category.name}
        />
        <h1>{t('discovery.popular.of', { category: category.name })}</h1>
      </div>
      <nav aria-label={t('category.inside', { name: category.name })}>
        <ul className={styles.chips}>
          {category.children.map(({ id, name, slug }) => (
            <li key={id}>
              <a href={paths.massLandingSitemapCategory({ category: slug, id })}>{name}</a>
            </li>
          ))}
          <li>
            <a href={category.url}>{t('discovery.all-of', { category: category.name })}</a>
          </li>
        </ul>
      </nav>
      {queries.length === 0 ? (
        <DiscoveryEmpty context={context} />
      ) : (
        <div className={styles.columns}>
          <QueryLinks queries={queries} />
        </div>
      )}
    </Container>
  )
}
