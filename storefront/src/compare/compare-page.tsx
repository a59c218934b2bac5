import { ButtonLink, Container, EmptyState, Price } from '@purlin/ui'
import type { ReactNode } from 'react'
import comparison from '../advice/comparison.module.css'
import { AddToCart } from '../cart/add-to-cart.tsx'
import { ComparedProductDocument, type ComparedProductQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { replaceable } from '../shell/replaceable-price.ts'
import { Stars } from '../shell/stars.tsx'
import { priceWords } from '../shell/words.ts'
import { compareHref, mostCompared, readCompared } from './compared.ts'
import styles from './compare.module.css'

type Product = NonNullable<ComparedProductQuery['product']>

export async function load({ client, query, t }: ShopContext) {
  const found = await Promise.all(readCompared(query['p']).map((id) => client.query(ComparedProductDocument, { id })))
  const products = found.flatMap(({ product }) => (product && product.status !== 'ENDED' ? [product] : []))
  return {
    data: { products },
    title: t('compare.title'),
    robots: 'noindex',
    tags: products.map(({ id }) => `product:${id}`),
  }
}

/** Up to four products side by side, chosen by the address alone. */
export function Page({ data: { products }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const ids = products.map(({ id }) => id)
  if (products.length === 0)
    return (
      <Container>
        <EmptyState
          icon="info"
          heading="h1"
          title={t('compare.none')}
          actions={<ButtonLink href={paths.bestSellers()}>{t('compare.browse')}</ButtonLink>}
        >
          <p>{t('compare.none-text', { count: mostCompared })}</p>
        </EmptyState>
      </Container>
    )
  const attributes = new Map(products.flatMap((product) => product.attributes.map(({ key, label }) => [key, label] as const)))
  const more = products.length < mostCompared ? (products[0]?.alternatives ?? []).filter(({ productId }) => !ids.includes(productId)) : []
  return (
    <Container>
      <h1 className={styles.title}>{t('compare.title')}</h1>
      <div className={comparison['frame']} role="region" aria-label={t('compare.title')} tabIndex={0}>
        <table className={comparison['table']}>
          <caption className="hidden">{t('compare.title')}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="hidden">{t('compare.property')}</span>
              </th>
              {products.map(({ id, title, url, pictures }) => (
                <th key={id} scope="col">
                  {pictures[0] && <img src={pictures[0].url} width={160} height={160} alt="" />}
                  <a href={url}>{title}</a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Row
              label={t('product.price')}
              products={products}
              cell={({ bestOffer }) =>
                bestOffer && (
                  <Price
                    block={bestOffer.price}
                    words={priceWords(context)}
                    size="s"
                    saysTax
                    offerId={replaceable(context, bestOffer.id)}
                  />
                )
              }
            />
            <Row
              label={t('review.title')}
              products={products}
              cell={(product) => product.rating !== null && <Stars of={product} context={context} />}
            />
            <Row label={t('product.delivery')} products={products} cell={({ bestOffer }) => bestOffer?.deliveryPromise} />
            <Row label={t('product.seller')} products={products} cell={({ bestOffer }) => bestOffer?.seller.name} />
            <Row label={t('product.brand')} products={products} cell={({ brand }) => brand?.name} />
            {[...attributes].map(([key, label]) => (
              <Row key={key} label={label} products={products} cell={(product) => valueOf(product, key)} />
            ))}
            <Row label={t('product.weight')} products={products} cell={({ weightKg }) => `${context.formats.number(weightKg)} kg`} />
            <Row
              label={t('compare.choose')}
              products={products}
              cell={(product) => <Choice product={product} ids={ids} context={context} />}
            />
          </tbody>
        </table>
      </div>
      {more.length > 0 && (
        <section className={styles.more} aria-labelledby="compare-more">
          <h2 id="compare-more">{t('compare.add')}</h2>
          <ul>
            {more.map(({ productId, title }) => (
              <li key={productId}>
                <a href={compareHref([...ids, productId])}>{title}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Container>
  )
}

function valueOf({ attributes }: Product, key: string): string | undefined {
  const found = attributes.find((attribute) => attribute.key === key)
  return found && (found.unit ? `${found.value} ${found.unit}` : found.value)
}

function Row({ label, products, cell }: { label: string; products: readonly Product[]; cell: (product: Product) => ReactNode }): ReactNode {
  return (
    <tr>
      <th scope="row">{label}</th>
      {products.map((product) => (
        <td key={product.id}>{cell(product) || '–'}</td>
      ))}
    </tr>
  )
}

function Choice({
  product: { id, title, bestOffer },
  ids,
  context: { t },
}: {
  product: Product
  ids: readonly string[]
  context: ShopContext
}): ReactNode {
  return (
    <div className={styles.choice}>
      {bestOffer && bestOffer.stock >= (bestOffer.bulk ?? 1) && (
        <AddToCart t={t} offerId={bestOffer.id} title={title} productId={id} quantity={bestOffer.bulk ?? 1} look="secondary" />
      )}
      <a href={compareHref(ids.filter((other) => other !== id))} aria-label={t('compare.remove-named', { title })}>
        {t('compare.remove')}
      </a>
    </div>
  )
}
