import { Amount } from '@purlin/ui'
import type { ReactNode } from 'react'
import { AddToCart } from '../cart/add-to-cart.tsx'
import type { EntryBlockFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { replaceable } from '../shell/replaceable-price.ts'
import { spansOf } from './lines.tsx'
import styles from './comparison.module.css'

type Part = EntryBlockFragment['parts'][number]

/** Goods side by side: whom each is for, price, rating and the attributes that decide. Scrolls within itself on a phone. */
export function ComparisonTable({
  block: { parts, attributes },
  caption,
  context,
}: {
  block: EntryBlockFragment
  caption: string
  context: ShopContext
}): ReactNode {
  const { t } = context
  return (
    <div className={styles.frame} role="region" aria-label={caption} tabIndex={0}>
      <table className={styles.table}>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="hidden">{t('advice.for-whom')}</span>
            </th>
            {parts.map(({ id, title, card }) => (
              <th key={id} scope="col">
                {card && <img src={card.imageFullpath} width={160} height={160} alt="" />}
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row label={t('advice.for-whom')} parts={parts} cell={({ blocks }) => blocks.flatMap(({ lines }) => lines.map(spansOf))} />
          <Row label={t('advice.our-pick')} parts={parts} cell={(part) => <Pick part={part} context={context} />} />
          <Row
            label={t('advice.price')}
            parts={parts}
            cell={({ card }) => card && <Amount amount={card.prices.main} offerId={replaceable(context, card.offerId)} />}
          />
          <Row label={t('advice.rating')} parts={parts} cell={({ card }) => card && ratingOf(card, context)} />
          {attributes.map(({ key, label, values }) => (
            <Row key={key} label={label} parts={parts} cell={(_part, index) => values[index]} />
          ))}
          <Row label={t('advice.buy')} parts={parts} cell={({ card }) => card && <Buy card={card} context={context} />} />
        </tbody>
      </table>
    </div>
  )
}

function Row({ label, parts, cell }: { label: string; parts: readonly Part[]; cell: (part: Part, index: number) => ReactNode }): ReactNode {
  return (
    <tr>
      <th scope="row">{label}</th>
      {parts.map((part, index) => (
        <td key={part.id}>{cell(part, index) ?? '–'}</td>
      ))}
    </tr>
  )
}

function Pick({ part: { card, moreUrl }, context: { t } }: { part: Part; context: ShopContext }): ReactNode {
  if (card) return <a href={card.url}>{card.title}</a>
  return moreUrl && <a href={moreUrl}>{t('advice.all-of-kind')}</a>
}

function ratingOf({ rating, ratingCount }: NonNullable<Part['card']>, { t, formats }: ShopContext): string | null {
  return rating === null ? null : t('advice.rated', { rating: formats.number(rating), count: ratingCount })
}

function Buy({ card, context: { t } }: { card: NonNullable<Part['card']>; context: ShopContext }): ReactNode {
  return <AddToCart t={t} offerId={card.offerId} title={card.title} productId={card.productId} quantity={card.bulk ?? 1} look="secondary" />
}
