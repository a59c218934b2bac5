import { Breadcrumb, Container } from '@purlin/ui'
import { canonicalSlug, notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { BestSellersOfDocument } from '../generated/documents.ts'
import { idOf } from '../listing/listing-page.ts'
import { paths } from '../paths.ts'
import { CardList } from '../shell/card-list.tsx'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import { DiscoveryEmpty } from './discovery-empty.tsx'
import styles from './discovery.module.css'

export async function load(context: ShopContext) {
  const { client, t, origin } = context
  const id = idOf(context)
  if (id === null) return notFound()
  const { bestSellersOf } = await client.query(BestSellersOfDocument, { id })
  if (!bestSellersOf) return notFound()
  const { category, siblings, products } = bestSellersOf
  const path = paths.bestSellersFamily({ slug: category.slug, id: category.id })
  const moved = canonicalSlug(context, path)
  if (moved) return moved
  const title = t('discovery.best.of', { category: category.name })
  return {
    data: { category, siblings, products },
    title,
    description: t('discovery.best.of-description', { category: category.name }),
    canonical: path,
    alternates: Object.fromEntries(category.alternates.map(({ market, url }) => [market, paths.bestSellers() + url])),
    tags: [`category:${category.id}`, ...products.map(({ productId }) => `card:${productId}`)],
    jsonLd: [
      breadcrumbData(origin, t('shell.home'), [
        { name: t('discovery.best.title'), url: paths.bestSellers() },
        { name: category.name, url: path },
      ]),
      ...(products.length > 0
        ? [
            {
              '@context': 'https://schema.org',
              '@type': 'ItemList',
              name: title,
              itemListElement: products.map(({ url }, at) => ({ '@type': 'ListItem', position: at + 1, url: origin + url })),
            },
          ]
        : []),
    ],
    keep: products.length > 0,
    ...(products.length === 0 && { robots: 'noindex, follow' }),
  }
}

/** the best sellers of a category, ranked, with links to those of its siblings. */
export function Page({ data: { category, siblings, products }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const title = t('discovery.best.of', { category: category.name })
  return (
    <Container>
      <div className={styles.head}>
        <Breadcrumb
          label={t('shell.breadcrumb')}
          crumbs={[
            { label: t('shell.home'), href: '/' },
            { label: t('discovery.best.title'), href: paths.bestSellers() },
            ...category.parents.map(({ id, name, slug }) => ({ label: name, href: paths.bestSellersFamily({ slug, id }) })),
          ]}
          here={category.name}
        />
        <h1>{title}</h1>
        <p className={styles.lead}>{t('discovery.best.text')}</p>
      </div>
      <nav aria-label={t('category.inside', { name: category.name })}>
        <ul className={styles.chips}>
          {category.children.map(({ id, name, slug }) => (
            <li key={id}>
              <a href={paths.bestSellersFamily({ slug, id })}>{name}</a>
            </li>
          ))}
          <li>
            <a href={category.url}>{t('discovery.all-of', { category: category.name })}</a>
          </li>
        </ul>
      </nav>
      {products.length === 0 ? (
        <DiscoveryEmpty context={context} />
      ) : (
        <CardList cards={products} context={context} eager={eagerCards} rank={(place) => t('discovery.rank', { place })} />
      )}
      {siblings.length > 0 && (
        <nav aria-labelledby="siblings" className={styles.siblings}>
          <h2 id="siblings">{t('discovery.best.siblings')}</h2>
          <ul className={styles.chips}>
            {siblings.map(({ id, name, slug }) => (
              <li key={id}>
                <a href={paths.bestSellersFamily({ slug, id })}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </Container>
  )
}

const eagerCards = 4
