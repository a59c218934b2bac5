import { Amount, Breadcrumb, Container, cx } from '@purlin/ui'
import type { ReactNode } from 'react'
import { BestSellersDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { Rail } from '../shell/rail.tsx'
import { replaceable } from '../shell/replaceable-price.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import { DiscoveryEmpty } from './discovery-empty.tsx'
import styles from './discovery.module.css'

export async function load({ client, t, origin }: ShopContext) {
  const { bestSellers } = await client.query(BestSellersDocument)
  const title = t('discovery.best.title')
  return {
    data: { bestSellers },
    title,
    description: t('discovery.best.description'),
    canonical: paths.bestSellers(),
    tags: bestSellers.flatMap(({ products }) => products.map(({ productId }) => `card:${productId}`)),
    jsonLd: [breadcrumbData(origin, t('shell.home'), [{ name: title, url: paths.bestSellers() }])],
    keep: bestSellers.length > 0,
  }
}

/** best sellers, department by department. */
export function Page({ data: { bestSellers }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <Container>
      <div className={styles.head}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={t('discovery.best.title')} />
        <h1>{t('discovery.best.title')}</h1>
        <p className={styles.lead}>{t('discovery.best.text')}</p>
      </div>
      {bestSellers.length === 0 && <DiscoveryEmpty context={context} />}
      {bestSellers.length > 0 && (
        <nav aria-label={t('discovery.departments')}>
          <ul className={styles.chips}>
            {bestSellers.map(({ category }) => (
              <li key={category.id}>
                <a href={paths.bestSellersFamily({ slug: category.slug, id: category.id })}>{category.name}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {bestSellers.slice(0, withCards).map(({ category, products }) => (
        <Rail
          key={category.id}
          title={category.name}
          cards={products}
          context={context}
          more={{ href: paths.bestSellersFamily({ slug: category.slug, id: category.id }), label: t('discovery.best.all') }}
        />
      ))}
      <div className={cx(styles.questions, styles.tops)}>
        {bestSellers.slice(withCards).map(({ category, products }) => (
          <section key={category.id} aria-labelledby={`top-${category.id}`}>
            <h2 id={`top-${category.id}`}>
              <a href={paths.bestSellersFamily({ slug: category.slug, id: category.id })}>{category.name}</a>
            </h2>
            <ol>
              {products.map(({ url, title, imageFullpath, prices, offerId }) => (
                <li key={offerId}>
                  <a href={url}>
                    <img src={imageFullpath} width={56} height={56} alt="" loading="lazy" />
                    <span>{title}</span>
                    <Amount amount={prices.main} offerId={replaceable(context, offerId)} />
                  </a>
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </Container>
  )
}

/** Departments shown with whole cards; the page would be too long for a phone if all were. */
const withCards = 4
