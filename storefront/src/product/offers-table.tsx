import { Price, Table, type Column } from '@purlin/ui'
import type { ReactNode } from 'react'
import { AddToCart } from '../cart/add-to-cart.tsx'
import type { ShopContext } from '../shell/context.ts'
import { Stars } from '../shell/stars.tsx'
import { conditionWords, priceWords } from '../shell/words.ts'
import type { ShownOfferFragment, ShownProductFragment } from '../generated/documents.ts'
import styles from './product.module.css'

/** All other sellers, second-hand included, with the price including delivery. */
export function OffersTable({ product, context }: { product: ShownProductFragment; context: ShopContext }): ReactNode {
  const { t } = context
  const others = product.offers.filter((offer) => offer.id !== product.bestOffer?.id && !offer.isSample)
  if (others.length === 0) return null
  return (
    <section className={styles.offers} id="offers" aria-labelledby="offers-title">
      <h2 id="offers-title">{t('product.other-offers', { count: others.length })}</h2>
      <Table<ShownOfferFragment>
        caption={t('product.other-offers', { count: others.length })}
        quietCaption
        rows={others}
        keyOf={(offer) => offer.id}
        columns={columnsOf(product, context)}
      />
    </section>
  )
}

function columnsOf(product: ShownProductFragment, context: ShopContext): Column<ShownOfferFragment>[] {
  const { t } = context
  const words = priceWords(context)
  return [
    {
      key: 'seller',
      label: t('product.seller'),
      isHead: true,
      cell: (offer) => (
        <span className={styles.offerSeller}>
          <a href={offer.seller.url}>{offer.seller.name}</a>
          <Stars of={offer.seller} context={context} />
        </span>
      ),
    },
    {
      key: 'condition',
      label: t('product.condition'),
      cell: (offer) => (offer.conditionLabel ? conditionWords(offer.conditionLabel) : t('product.new')),
    },
    {
      key: 'price',
      label: t('product.price'),
      cell: (offer) => <Price block={offer.price} words={words} size="s" saysTax={context.mode === 'b2b'} />,
    },
    { key: 'delivery', label: t('product.delivery'), cell: (offer) => offer.deliveryPromise },
    { key: 'landed', label: t('product.with-delivery'), align: 'end', cell: (offer) => <b>{offer.landedPrice.formatted}</b> },
    {
      key: 'add',
      label: t('goods.add'),
      align: 'end',
      cell: (offer) =>
        offer.stock >= (offer.bulk ?? 1) ? (
          <AddToCart t={t} offerId={offer.id} title={product.title} quantity={offer.bulk ?? 1} look="secondary" />
        ) : (
          t('product.out-of-stock')
        ),
    },
  ]
}
