/** Words for the server: mails, refusals, states, labels and documents. Pages get theirs from their context. */
import { markets, type Language, type Market } from '@purlin/contract/markets.ts'
import { de } from './generated/de.ts'
import { en } from './generated/en.ts'
import { es } from './generated/es.ts'
import { fr } from './generated/fr.ts'
import { it } from './generated/it.ts'
import type { Key, Messages, RichMessages } from './generated/types.ts'
import { createTranslate, type Message, type Translate } from './translate.ts'

export type { Messages, RichMessages } from './generated/types.ts'

/** Keys of messages that take no tags. */
export type MessageKey = keyof Messages

/** Keys of messages that take no arguments. */
export type PlainKey = { [Key in MessageKey]: keyof Messages[Key] extends never ? Key : never }[MessageKey]

/** One catalogue per language; a new language does not compile without its own. */
export const catalogues: Readonly<Record<Language, Readonly<Record<Key, Message>>>> = { en, fr, de, es, it }

export type Words = Translate<Messages, RichMessages>

const byMarket = new Map<Market, Words>()

/** Says messages in the market's language, dates in its time. */
export function wordsFor(market: Market): Words {
  const known = byMarket.get(market)
  if (known) return known
  const { language, locale, timeZone } = markets[market]
  const made: Words = createTranslate<string>({
    locale,
    timeZone,
    catalogue: catalogues[language],
    text: (words) => words,
    join: (parts) => parts.join(''),
  })
  byMarket.set(market, made)
  return made
}
