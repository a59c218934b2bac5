import { CardContent, CardGrid, type CardWords } from '@purlin/ui'
import { keepMarkup } from '@purlin/web/kept-markup.ts'
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

/** The same product is on many lists: a card is rendered again when anything it shows has changed, as its key has then. (V-100) */
const kept = keepMarkup(10_000)

/**
 * A page of cards. Two forms for all of them: each button sends its own offer or product, so that a card needs neither a
 * form nor hidden fields, and takes its name from two words of the page and its title. (V-40, V-100)
 */
export function CardList({ cards, context, eager }: { cards: readonly CardFragment[]; context: ShopContext; eager: number }): ReactNode {
  const { t, mode, locale } = context
  const words = cardWords(context)
  // A professional sees net and gross prices side by side, so each is labelled.
  const saysTax = mode === 'b2b'
  const keyOf = (card: CardFragment) => `${locale} ${mode} ${JSON.stringify(card)}`
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
          {cards.map((card, index) =>
            index < eager ? (
              <li key={card.offerId} data-card="">
                <ListedCard card={card} words={words} saysTax={saysTax} eager />
              </li>
            ) : (
              <li
                key={card.offerId}
                data-card=""
                dangerouslySetInnerHTML={{
                  __html: kept(keyOf(card), () => <ListedCard card={card} words={words} saysTax={saysTax} />),
                }}
              />
            ),
          )}
        </CardGrid>
      </form>
    </>
  )
}

interface ListedCardProps {
  card: CardFragment
  words: CardWords
  saysTax: boolean
  eager?: boolean
}

function ListedCard({ card, words, saysTax, eager }: ListedCardProps): ReactNode {
  const titleId = `t${Number(card.productId).toString(36)}`
  return (
    <CardContent
      card={card}
      words={words}
      eager={eager}
      heading="h2"
      titleId={titleId}
      saysTax={saysTax}
      personalPrice={saysTax ? card.offerId : undefined}
      heart={<HeartButton form={wishForm} productId={card.productId} labelledBy={`${ids.wish} ${titleId}`} />}
      quickAdd={<QuickAddButton pick={packOf(card.offerId, card.bulk)} labelledBy={`${ids.add} ${titleId}`} />}
    />
  )
}
