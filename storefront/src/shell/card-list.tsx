import { CardContent, CardGrid, CardRail, type CardWords } from '@purlin/ui'
import { keepMarkup } from '@purlin/web/kept-markup.ts'
import type { ReactNode } from 'react'
import type { CardFragment } from '../generated/documents.ts'
import { cartField } from '../cart/cart-form.ts'
import { packOf } from '../cart/pack.ts'
import { QuickAddButton } from '../cart/add-to-cart.tsx'
import type { ButtonName } from './button-name.ts'
import { paths } from '../paths.ts'
import { HeartButton } from '../wishlist/heart.tsx'
import { wishlistField } from '../wishlist/wishlist-form.ts'
import type { ShopContext } from './context.ts'
import { replaceable } from './replaceable-price.ts'
import { cardWords } from './words.ts'

// Short, since each card names them.
const ids = { add: 'a', wish: 'w' }
const wishForm = 'f'

/** The same product is on many lists: a card is rendered again when anything it shows has changed, as its key has then. (V-100) */
const kept = keepMarkup(4_000_000)

/** The form of all hearts of a page that stand in cards without forms of their own: once in its layout. */
export function WishForm(): ReactNode {
  return (
    <form method="post" action={paths.wishlists()} id={wishForm} data-wish="" hidden>
      <input type="hidden" name={wishlistField('do')} value="add" />
    </form>
  )
}

interface CardsProps {
  cards: readonly CardFragment[]
  context: ShopContext
}

/**
 * A page of cards. One form for all of them: each button sends its own offer or product, so that a card needs neither a
 * form nor hidden fields, and takes its name from two words of the page and its title. `rank` names a card's place in an
 * order that matters. (V-40, V-100)
 */
export function CardList({ cards, context, eager, rank }: CardsProps & { eager: number; rank?: (place: number) => string }): ReactNode {
  const { t } = context
  const look = lookOf(context, 'h2')
  return (
    <CardsForm>
      <span hidden id={ids.add}>
        {t('goods.add-for')}
      </span>
      <span hidden id={ids.wish}>
        {t('wishlist.add-for')}
      </span>
      <CardGrid>
        {cards.map((card, index) => {
          // The id is in the card already: naming it again weighs next to nothing when packed.
          const titleId = card.productId
          const names: CardNames = {
            titleId,
            wish: { 'aria-labelledby': `${ids.wish} ${titleId}` },
            add: { 'aria-labelledby': `${ids.add} ${titleId}` },
          }
          const place = rank?.(index + 1)
          return index < eager ? (
            <li key={card.offerId} data-card="">
              {place && <b>{place}</b>}
              <ListedCard card={card} look={look} names={names} eager />
            </li>
          ) : (
            <KeptCard key={card.offerId} card={card} look={look} names={names} place={place} />
          )
        })}
      </CardGrid>
    </CardsForm>
  )
}

/** A row of cards, of which a page may have several: the same product may be in two of them, so no card has an id. */
export function CardRow({ cards, context, label }: CardsProps & { label: string }): ReactNode {
  const { t } = context
  const look = lookOf(context, 'h3')
  return (
    <CardsForm>
      <CardRail label={label}>
        {cards.map((card) => {
          const { title } = card
          const names = { wish: { 'aria-label': t('wishlist.add', { title }) }, add: { 'aria-label': t('goods.add-named', { title }) } }
          return <KeptCard key={card.offerId} card={card} look={look} names={names} />
        })}
      </CardRail>
    </CardsForm>
  )
}

function CardsForm({ children }: { children: ReactNode }): ReactNode {
  return (
    <form method="post" action={paths.cart()} data-cards="">
      <input type="hidden" name={cartField('do')} value="add" />
      {children}
    </form>
  )
}

/** How the cards of a list look, and the part of their key that all of them share. */
interface Look {
  key: string
  words: CardWords
  /** A professional sees net and gross prices side by side, so each is labelled. */
  saysTax: boolean
  /** For goods that cannot be bought: where there is a button, it names the offer. */
  personalPrice: (card: CardFragment) => string | null
  heading: 'h2' | 'h3'
}

function lookOf(context: ShopContext, heading: Look['heading']): Look {
  const { locale, mode } = context
  return {
    key: `${locale} ${mode} ${heading} `,
    words: cardWords(context),
    saysTax: mode === 'b2b',
    personalPrice: ({ bestOffer, offerId }) => (bestOffer ? null : replaceable(context, offerId)),
    heading,
  }
}

interface CardNames {
  titleId?: string
  wish: ButtonName
  add: ButtonName
}

interface ListedCardProps {
  card: CardFragment
  look: Look
  names: CardNames
  eager?: boolean
}

function KeptCard({ place, ...props }: ListedCardProps & { place?: string | undefined }): ReactNode {
  const card = kept(props.look.key + JSON.stringify(props.card), () => <ListedCard {...props} />)
  const markup = place === undefined ? card : kept(place, () => <b>{place}</b>) + card
  return <li data-card="" dangerouslySetInnerHTML={{ __html: markup }} />
}

function ListedCard({
  card,
  look: { words, saysTax, personalPrice, heading },
  names: { titleId, wish, add },
  eager,
}: ListedCardProps): ReactNode {
  return (
    <CardContent
      card={card}
      words={words}
      eager={eager}
      heading={heading}
      titleId={titleId}
      saysTax={saysTax}
      personalPrice={personalPrice(card)}
      heart={<HeartButton form={wishForm} productId={card.productId} name={wish} />}
      quickAdd={<QuickAddButton pick={packOf(card.offerId, card.bulk)} name={add} />}
    />
  )
}
