import { ProductCard } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { CardFragment } from '../generated/documents.ts'
import { AddToCart } from '../cart/add-to-cart.tsx'
import { Heart } from '../wishlist/heart.tsx'
import type { ShopContext } from './context.ts'
import { replaceable } from './replaceable-price.ts'
import { cardWords } from './words.ts'

interface ShopCardProps {
  card: CardFragment
  context: ShopContext
  eager?: boolean
  heading?: 'h2' | 'h3' | 'h4'
}

/** A card with its quick add. */
export function ShopCard({ card, context, eager, heading }: ShopCardProps): ReactNode {
  const { t, mode } = context
  return (
    <ProductCard
      card={card}
      words={cardWords(context)}
      eager={eager}
      heading={heading}
      // A professional sees net and gross prices side by side, so each is labelled.
      saysTax={mode === 'b2b'}
      personalPrice={replaceable(context, card.offerId)}
      heart={<Heart productId={card.productId} title={card.title} t={t} />}
      quickAdd={<AddToCart t={t} offerId={card.offerId} title={card.title} quantity={card.bulk ?? 1} isQuick />}
    />
  )
}
