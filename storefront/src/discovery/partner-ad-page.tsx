import { Badges, ButtonLink, CardGrid, Container, Panel, Price, Section } from '@purlin/ui'
import { gone, isOutcome, notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { EntryView } from '../advice/entry-view.tsx'
import { loadEntry } from '../advice/load-entry.ts'
import { AddToCart } from '../cart/add-to-cart.tsx'
import { ListingDocument, PartnerAdDocument, type CardFragment, type PartnerAdQuery } from '../generated/documents.ts'
import { placeOf } from '../product/load-product.ts'
import { paths } from '../paths.ts'
import { ShopCard } from '../shell/card.tsx'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { replaceable } from '../shell/replaceable-price.ts'
import { Stars } from '../shell/stars.tsx'
import { priceWords } from '../shell/words.ts'
import styles from './partner-ad.module.css'

type Advertised = NonNullable<PartnerAdQuery['product']>

const shownAlternatives = 24

/**
 * Where a partner's advertisement leads: what an editor wrote under this number, or else the product of this number with its
 * alternatives. Never indexed: the product's own page is.
 */
export async function load(context: ShopContext) {
  const written = await loadEntry(context)
  if (!isOutcome(written)) return { ...written, robots: 'noindex, follow', data: { written: written.data, ad: null } }
  if (written.outcome !== 'not-found') return written
  const { product } = await context.client.query(PartnerAdDocument, { id: context.params['id'] ?? '' })
  if (!product) return notFound()
  if (product.status === 'ENDED') return gone({ alternatives: product.alternatives.map(({ title, url }) => ({ title, url })) })
  const cards = await alternativesTo(product, context)
  return {
    data: { written: null, ad: { product, cards } },
    title: product.title,
    description: context.t('discovery.partner.description', { title: product.title }),
    robots: 'noindex, follow',
    canonical: paths[placeOf(product)]({ slug: product.slug, id: product.id }),
    pageData: { view: { productId: product.id } },
    tags: [`product:${product.id}`, ...cards.map(({ productId }) => `card:${productId}`)],
  }
}

/** The closest products first, then the rest of its category, other variants of its model at the front. */
async function alternativesTo(product: Advertised, { client }: ShopContext): Promise<CardFragment[]> {
  const category = product.categories.at(-1)
  const { listing } = category
    ? await client.query(ListingDocument, {
        input: { kind: 'category', id: category.id, modelId: product.modelId, pageSize: shownAlternatives },
      })
    : { listing: { cards: [] } }
  const all = new Map([...product.alternatives, ...listing.cards].map((card) => [card.productId, card]))
  all.delete(product.id)
  return [...all.values()].slice(0, shownAlternatives)
}

export function Page({ data: { written, ad }, context }: PageProps<typeof load>): ReactNode {
  if (written) return <EntryView {...written} context={context} />
  const { product, cards } = ad
  const category = product.categories.at(-1)
  return (
    <Container>
      <Advertisement product={product} context={context} />
      {cards.length > 0 && (
        <Section
          title={context.t('discovery.partner.alternatives')}
          {...(category && { more: { href: category.url, label: context.t('discovery.all-of', { category: category.name }) } })}
        >
          <CardGrid>
            {cards.map((card) => (
              <li key={card.offerId}>
                <ShopCard card={card} context={context} heading="h3" />
              </li>
            ))}
          </CardGrid>
        </Section>
      )}
    </Container>
  )
}

function Advertisement({ product, context }: { product: Advertised; context: ShopContext }): ReactNode {
  const { t } = context
  const offer = product.bestOffer
  const [picture] = product.pictures
  return (
    <div className={styles.ad}>
      {picture && (
        <img
          className={styles.picture}
          src={picture.url}
          width={picture.width}
          height={picture.height}
          alt={picture.alt}
          fetchPriority="high"
        />
      )}
      <div className={styles.buy}>
        {product.brand && <a href={product.brand.url}>{product.brand.name}</a>}
        <h1>{product.title}</h1>
        <Stars of={product} context={context} />
        {offer ? (
          <Panel>
            <div className={styles.buy}>
              <Badges badges={offer.badges.filter(({ type }) => type !== 'sponsored')} />
              <Price block={offer.price} words={priceWords(context)} size="l" saysTax offerId={replaceable(context, offer.id)} />
              {offer.stock > 0 ? (
                <>
                  <p>{offer.deliveryPromise}</p>
                  <AddToCart t={t} offerId={offer.id} title={product.title} productId={product.id} quantity={offer.bulk ?? 1} />
                </>
              ) : (
                <p>{t('product.out-of-stock')}</p>
              )}
              <p>
                {t.rich(
                  'product.sold-by',
                  { seller: (name) => <a href={offer.seller.url}>{name}</a> },
                  { name: offer.seller.name, country: offer.seller.countryName },
                )}
              </p>
            </div>
          </Panel>
        ) : (
          <p>{t('product.out-of-stock')}</p>
        )}
        <ButtonLink look="secondary" href={product.url}>
          {t('discovery.partner.details')}
        </ButtonLink>
      </div>
    </div>
  )
}
