import { CardGrid, ProductCard } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { CardFragment } from '../generated/documents.ts'
import { cartField } from '../cart/cart-form.ts'
import { packOf } from '../cart/pack.ts'
import { QuickAddButton } from '../cart/add-to-cart.tsx'
import { paths } from '../paths.ts'
import { HeartButton } from '../wishlist/heart.tsx'
import { wishlistField } from '../wishlist/wishlist-form.ts'
import type { ShopContext } from './context.ts'
import { cardWords } from './words.ts'

// Short, since each card names them.
const ids = { add: 'a', wish: 'w' }
const wishForm = 'f'

/**
 * A page of cards. Two forms for all of them: each button sends its own offer or product, so that a card needs neither a
 * form nor hidden fields, and takes its name from two words of the page and its title. (V-40, V-100)
 */
export function CardList({ cards, context, eager }: { cards: readonly CardFragment[]; context: ShopContext; eager: number }): ReactNode {
  const { t, mode } = context
  const words = cardWords(context)
  return (
    <>
      <form method="post" action={paths.wishlists()} id={wishForm} data-wish="" hidden>
        <input type="hidden" name={wishlistField('do')} value="add" />
      </form>
      <form method="post" action={paths.cart()} data-cards="">
        <input type="hidden" name={cartField('do')} value="add" />
        <span hidden id={ids.add}>
          {t('goods.add-for')}
        </span>
        <span hidden id={ids.wish}>
          {t('wishlist.add-for')}
        </span>
        <CardGrid>
          {cards.map((card, index) => {
            const titleId = `t${index}`
            return (
              <ProductCard
                key={card.offerId}
                as="li"
                card={card}
                words={words}
                eager={index < eager}
                heading="h2"
                titleId={titleId}
                // A professional sees net and gross prices side by side: each says which it is.
                saysTax={mode === 'b2b'}
                heart={<HeartButton form={wishForm} productId={card.productId} labelledBy={`${ids.wish} ${titleId}`} />}
                quickAdd={<QuickAddButton pick={packOf(card.offerId, card.bulk)} labelledBy={`${ids.add} ${titleId}`} />}
              />
            )
          })}
        </CardGrid>
      </form>
    </>
  )
}
