import { Price, Table, type Column } from '@purlin/ui'
import type { ReactNode } from 'react'
import { AddToCart } from '../cart/add-to-cart.tsx'
import type { ShopContext } from '../shell/context.ts'
import { Stars } from '../shell/stars.tsx'
import { replaceable } from '../shell/replaceable-price.ts'
import { conditionWords, priceWords } from '../shell/words.ts'
import type { ShownOfferFragment, ShownProductFragment } from '../generated/documents.ts'
import styles from './product.module.css'

/** All other sellers, with the price including delivery: those of new goods, then those of second-hand ones. */
export function OffersTable({ product, context }: { product: ShownProductFragment; context: ShopContext }): ReactNode {
  const { t } = context
  const others = product.offers.filter((offer) => offer.id !== product.bestOffer?.id && !offer.isSample)
  const asNew = others.filter((offer) => !isSecondHand(offer))
  const used = others.filter(isSecondHand)
  return (
    <>
      <Offers id="offers" title={t('product.other-offers', { count: asNew.length })} offers={asNew} product={product} context={context} />
      <Offers
        id="second-hand"
        title={t('second-hand.offers', { count: used.length })}
        note={t('second-hand.note')}
        offers={used}
        product={product}
        context={context}
      />
    </>
  )
}

/** Second-hand goods are named by a marker, in titles as here. */
export function isSecondHand({ conditionLabel }: Pick<ShownOfferFragment, 'conditionLabel'>): boolean {
  return conditionLabel !== null
}

interface OffersProps {
  id: string
  title: string
  note?: string
  offers: readonly ShownOfferFragment[]
  product: ShownProductFragment
  context: ShopContext
}

function Offers({ id, title, note, offers, product, context }: OffersProps): ReactNode {
  if (offers.length === 0) return null
  return (
    <section className={styles.offers} id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {note && <p className={styles.offersNote}>{note}</p>}
      <Table<ShownOfferFragment>
        caption={title}
        quietCaption
        rows={offers}
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
      cell: (offer) => {
        const isPro = context.mode === 'b2b'
        return <Price block={offer.price} words={words} size="s" saysTax={isPro} offerId={replaceable(context, offer.id)} />
      },
    },
    { key: 'delivery', label: t('product.delivery'), cell: (offer) => offer.deliveryPromise },
    { key: 'landed', label: t('product.with-delivery'), align: 'end', cell: (offer) => <Landed offer={offer} context={context} /> },
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

/** The amounts of second-hand offers that can be bought are compared where a company's own prices take their place. */
function Landed({ offer, context }: { offer: ShownOfferFragment; context: ShopContext }): ReactNode {
  const { id, stock, landedPrice } = offer
  const offerId = replaceable(context, id)
  if (offerId === null) return <b>{landedPrice.formatted}</b>
  return (
    <b data-landed={offerId} data-amount={isSecondHand(offer) && stock > 0 ? landedPrice.amount : undefined}>
      {landedPrice.formatted}
    </b>
  )
}
