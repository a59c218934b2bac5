import type { PriceAmount, PriceBlock } from '@purlin/contract/price.ts'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import styles from './price.module.css'

export interface PriceWords {
  /** "from", before the lowest of several prices. */
  from: string
  /** Label of the struck price: "Lowest price in 30 days". */
  retail: string
  /** The same where there is little room: "30-day price". */
  retailShort: string
  withVat: string
  withoutVat: string
  /** "£12.00 incl. VAT" */
  priceWithVat: (price: string) => string
  priceWithoutVat: (price: string) => string
  /** For goods at zero rate in de. */
  noVat: string
  /** "-25%" or "-25 %" */
  reduction: (percent: number) => string
  /** "£72.45 for 5", where fewer cannot be bought. */
  pack: (quantity: number, price: string) => string
}

export interface PriceProps {
  block: PriceBlock
  words: PriceWords
  size?: 's' | 'm' | 'l'
  /** Whether to label the main price with its tax mode. */
  saysTax?: boolean
  /** False if a badge next to it shows the percentage already. */
  saysDiscount?: boolean
  /** The offer whose price this is, where a company's own price may take its place in the browser; null where none can. */
  offerId: string | null
  /** Next to the price: the quick add of a card. */
  children?: ReactNode
}

/**
 * The price block everywhere: main price with integer and decimals apart, reduction with the struck reference
 * price, unit price, the other tax mode. Formats nothing: all amounts come formatted from the server. Lists show 48 of
 * them, so the block's style sheet goes by elements where it can. (R-384…R-387, V-100)
 */
export function Price({ block, words, size = 'm', saysTax, saysDiscount = true, offerId, children }: PriceProps): ReactNode {
  const { main, retail, secondary, discount, unit, taxKey, hasNoVATForDE, isZeroRated, pack } = block
  // "From" belongs to the lowest price only: a dearer variant shows its own, and the number of variants is next to it.
  const isLowest = main.ranges !== null && main.ranges.min !== main.ranges.max && main.ranges.min === main.asString
  const inOtherTax = taxKey === 'with_vat' ? words.priceWithoutVat : words.priceWithVat
  const tax = (saysTax || secondary) && !isZeroRated && (taxKey === 'with_vat' ? words.withVat : words.withoutVat)
  return (
    <div className={cx(styles.price, size !== 'm' && styles[size], discount !== null && styles.reduced)} data-price={offerId ?? undefined}>
      {isLowest && `${words.from} `}
      <b>{figuresOf(main)}</b>
      {tax && ` ${tax}`}
      {retail && (
        <p>
          {saysDiscount && discount !== null && <em>{words.reduction(discount)}</em>}
          {size === 'l' ? `${words.retail} ` : `${words.retailShort} `}
          <s>{retail.asString}</s>
        </p>
      )}
      {pack && <p>{words.pack(pack.quantity, pack.amount.asString)}</p>}
      {unit && <p>{unit.label}</p>}
      {secondary && <p className={styles.secondary}>{inOtherTax(secondary.asString)}</p>}
      {hasNoVATForDE && <p className={styles.note}>{words.noVat}</p>}
      {children}
    </div>
  )
}

/**
 * The price of an offer as one amount, in the style of a shelf label; its parts are one word in the markup, so it is announced as a
 * whole. `offerId` as for `Price`.
 */
export function Amount({ amount, offerId }: { amount: PriceAmount; offerId: string | null }): ReactNode {
  const figures = <b className={styles.amount}>{figuresOf(amount)}</b>
  return offerId === null ? figures : <span data-price={offerId}>{figures}</span>
}

function figuresOf(amount: PriceAmount): ReactNode {
  const { before, separator, after } = aroundFigures(amount)
  if (separator === '') return amount.asString
  const rest = separator + amount.decimal
  return (
    <>
      {before + amount.integer}
      <small>{after ? `${rest}\u00a0${after}` : rest}</small>
    </>
  )
}

/** The parts around the digits in the market's format: currency before or after, and the decimal sign. */
export function aroundFigures(amount: PriceAmount): { before: string; separator: string; after: string } {
  const start = amount.asString.indexOf(amount.integer)
  const rest = start < 0 ? '' : amount.asString.slice(start + amount.integer.length)
  const end = rest.indexOf(amount.decimal)
  if (start < 0 || end < 0) return { before: '', separator: '', after: '' }
  return {
    before: amount.asString.slice(0, start).trim(),
    separator: rest.slice(0, end),
    after: rest.slice(end + amount.decimal.length).trim(),
  }
}
