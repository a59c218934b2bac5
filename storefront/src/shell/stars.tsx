import { Rating } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from './context.ts'
import { ratingWords } from './words.ts'

/** The average rating of a product or a seller; nothing without ratings. */
export function Stars({
  of,
  context,
  size,
}: {
  of: { rating: number | null; ratingCount: number }
  context: ShopContext
  size?: 'l'
}): ReactNode {
  if (of.rating === null) return null
  return <Rating value={of.rating} count={of.ratingCount} words={ratingWords(context)} size={size} />
}
