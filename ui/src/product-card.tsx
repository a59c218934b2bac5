import type { ProductCard as Card } from '@purlin/contract/product-card.ts'
import type { ReactNode } from 'react'
import { Badge, inOrder } from './badge.tsx'
import { Price, type PriceWords } from './price.tsx'
import { Rating, type RatingWords } from './rating.tsx'
import styles from './product-card.module.css'

/** The fields of a search hit that a card uses. */
export type CardData = Pick<
  Card,
  | 'productId'
  | 'title'
  | 'brandName'
  | 'imageFullpath'
  | 'url'
  | 'prices'
  | 'rating'
  | 'ratingCount'
  | 'badges'
  | 'bestOffer'
  | 'deliveryPromise'
  | 'sellerName'
  | 'modelsCount'
  | 'hasFreeDelivery'
  | 'isMmf'
>

export interface CardWords {
  price: PriceWords
  /** "Sold by Nordwerk" */
  soldBy: (seller: string) => string
  /** "In 6 versions" */
  models: (count: number) => string
  rating: RatingWords
  freeDelivery: string
  /** The marketplace stores and ships it itself. */
  fulfilled: string
  soldOut: string
}

export interface ProductCardProps {
  card: CardData
  words: CardWords
  /** Level of its heading, depending on its context. */
  heading?: 'h2' | 'h3' | 'h4'
  /** Above the fold: loaded eagerly. */
  eager?: boolean
  /** Next to the link: add to cart. */
  quickAdd?: ReactNode
  /** Next to the link: the heart. */
  heart?: ReactNode
  saysTax?: boolean
  /** The offer's id, where a company's own price may take the place of the card's; null where none can, or `quickAdd` names the offer. */
  personalPrice: string | null
  /** Of its title, for the names of its buttons. */
  titleId?: string
}

/** Types of badge that may cover the picture, at most one of them; all others are shown with the text. (V-29) */
const onPicture: readonly string[] = ['sponsored', 'blackfriday', 'sales', 'productdays', 'promo', 'loweredprice']
const badgesOnCard = 3

/** The whole card is one link with a real address; other actions are placed above it. */
export function ProductCard(props: ProductCardProps): ReactNode {
  return (
    <article data-card="">
      <CardContent {...props} />
    </article>
  )
}

/** The content of a card, for lists that bring their own element with `data-card`. */
export function CardContent(props: ProductCardProps): ReactNode {
  const { card, words, heading: Heading = 'h3', eager, quickAdd, heart, saysTax, titleId, personalPrice } = props
  const badges = inOrder(card.badges).slice(0, badgesOnCard)
  const front = badges.find(({ type }) => onPicture.includes(type))
  // A reduction is shown once: by a badge on the picture, or next to the struck price.
  const others = badges.filter((badge) => badge !== front && !(badge.type === 'promo' && card.prices.retail))
  const { modelsCount } = card
  return (
    <>
      <img
        src={card.imageFullpath}
        width={480}
        height={480}
        alt=""
        loading={eager ? undefined : 'lazy'}
        fetchPriority={eager ? 'high' : undefined}
      />
      {front && <Badge badge={front} />}
      {heart}
      {card.brandName && !card.title.startsWith(card.brandName) && <p className={styles.brand}>{card.brandName}</p>}
      <Heading>
        <a href={card.url} id={titleId}>
          {card.title}
        </a>
      </Heading>
      {(card.rating !== null || modelsCount > 1 || others.length > 0) && (
        <p>
          {card.rating !== null && <Rating value={card.rating} count={card.ratingCount} words={words.rating} />}
          {modelsCount > 1 && words.models(modelsCount)}
          {others.map((badge) => (
            <Badge key={badge.type} badge={badge} />
          ))}
        </p>
      )}
      <Price block={card.prices} words={words.price} saysTax={saysTax} saysDiscount={front?.type !== 'promo'} offerId={personalPrice}>
        {card.bestOffer && quickAdd}
      </Price>
      {card.bestOffer ? (
        <p className={card.isMmf ? styles.own : undefined}>
          {card.hasFreeDelivery ? `${card.deliveryPromise} · ${words.freeDelivery}` : card.deliveryPromise}
        </p>
      ) : (
        <p className={styles.out}>{words.soldOut}</p>
      )}
      <p>{card.isMmf ? `${words.soldBy(card.sellerName)} · ${words.fulfilled}` : words.soldBy(card.sellerName)}</p>
    </>
  )
}

export function CardGrid({ children }: { children: ReactNode }): ReactNode {
  return <ul className={styles.grid}>{children}</ul>
}

/** A row that scrolls by touch on small screens and with the keyboard. */
export function CardRail({ children, label }: { children: ReactNode; label: string }): ReactNode {
  return (
    <div className={styles.railFrame} role="region" aria-label={label} tabIndex={0}>
      <ul className={styles.rail}>{children}</ul>
    </div>
  )
}
