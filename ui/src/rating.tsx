import type { CSSProperties, ReactNode } from 'react'
import { cx } from './class-names.ts'
import styles from './rating.module.css'

export interface RatingWords {
  /** Announced instead of the stars: "4.4 out of 5, 1,120 reviews". */
  label: (value: number, count: number) => string
  /** "(1,120)" */
  figure: (count: number) => string
}

export interface RatingProps {
  /** 0 to 5. */
  value: number
  count: number
  words: RatingWords
  size?: 'm' | 'l'
}

/** Five stars filled to a tenth; nothing without ratings. */
export function Rating({ value, count, words, size = 'm' }: RatingProps): ReactNode {
  if (count === 0) return null
  return (
    <span
      className={cx(styles.rating, size === 'l' && styles.l)}
      role="img"
      aria-label={words.label(value, count)}
      style={{ '--share': `${shareOf(value)}%` } as CSSProperties}
    >
      {words.figure(count)}
    </span>
  )
}

/** Filled share of the five stars, in whole percent. */
export function shareOf(value: number): number {
  return Math.round(Math.max(0, Math.min(5, value)) * 20)
}
