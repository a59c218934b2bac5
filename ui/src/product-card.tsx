import type { ProductCard as Card } from '@purlin/contract/product-card.ts'
import type { ReactNode } from 'react'
import { Badges, shownBadges } from './badge.tsx'
import { Icon } from './icon.tsx'
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
}

/** The whole card is one link with a real address; other actions are placed above it. */
export function ProductCard({ card, words, heading: Heading = 'h3', eager, quickAdd, heart, saysTax }: ProductCardProps): ReactNode {
  return (
    <article className={styles.card}>
      <div className={styles.plate}>
        <img
          className={styles.picture}
          src={card.imageFullpath}
          width={480}
          height={480}
          alt=""
          loading={eager ? undefined : 'lazy'}
          fetchPriority={eager ? 'high' : undefined}
          decoding="async"
        />
        <div className={styles.badges}>
          <Badges badges={card.badges} />
        </div>
        {heart && <div className={styles.heart}>{heart}</div>}
      </div>
      <div className={styles.text}>
        {card.brandName && <p className={styles.brand}>{card.brandName}</p>}
        <Heading className={styles.title}>
          <a className={styles.link} href={card.url}>
            {card.title}
          </a>
        </Heading>
        <div className={styles.facts}>
          {card.rating !== null && <Rating value={card.rating} count={card.ratingCount} words={words.rating} />}
          {card.modelsCount > 1 && <span className={styles.models}>{words.models(card.modelsCount)}</span>}
        </div>
        <div className={styles.buy}>
          <Price
            block={card.prices}
            words={words.price}
            saysTax={saysTax}
            saysDiscount={!shownBadges(card.badges).some((badge) => badge.type === 'promo')}
          />
          {quickAdd && <div className={styles.quickAdd}>{quickAdd}</div>}
        </div>
        <p className={styles.promise}>
          <Icon name={card.isMmf ? 'box' : 'truck'} size={16} />
          <span>
            {card.deliveryPromise}
            {card.hasFreeDelivery && <b className={styles.free}> · {words.freeDelivery}</b>}
          </span>
        </p>
        <p className={styles.seller}>
          {card.isMmf ? `${words.soldBy(card.sellerName)} · ${words.fulfilled}` : words.soldBy(card.sellerName)}
        </p>
      </div>
    </article>
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
