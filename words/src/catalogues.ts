/** Messages for the server: mails, refusals, states, labels and documents. Pages get theirs from their context. */
import { marketCodes, markets, type Language, type Market } from '@purlin/contract/markets.ts'
import { de } from './generated/de.ts'
import { en } from './generated/en.ts'
import { es } from './generated/es.ts'
import { fr } from './generated/fr.ts'
import { it } from './generated/it.ts'
import type { Key, Messages, RichMessages } from './generated/types.ts'
import { serverIntl } from './date-format.ts'
import { createTranslate, type Message, type Translate } from './translate.ts'

export type { Messages, RichMessages } from './generated/types.ts'

/** Keys of messages without tags. */
export type MessageKey = keyof Messages

/** Keys of messages without arguments. */
export type PlainKey = { [Key in MessageKey]: keyof Messages[Key] extends never ? Key : never }[MessageKey]

/** One catalogue per language; a new language does not compile without its own. */
export const catalogues: Readonly<Record<Language, Readonly<Record<Key, Message>>>> = { en, fr, de, es, it }

export type Words = Translate<Messages, RichMessages>

/** Formats messages in the market's language, and dates in its time zone. */
export function wordsFor(market: Market): Words {
  return plain[market]
}

/** Formats messages in a language, where the market is unknown. */
export function wordsIn(language: Language): Words {
  return plain[marketOf(language)]
}

/** Like `wordsFor`; a rich message is HTML, in which everything except its tags is escaped. */
export function htmlFor(market: Market): Words {
  return html[market]
}

const plain = eachMarket((words) => words)
const html = eachMarket((words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'))

function marketOf(language: Language): Market {
  return marketCodes.find((market) => markets[market].language === language) ?? 'gb'
}

function eachMarket(text: (words: string) => string): Record<Market, Words> {
  const words = (market: Market): Words => {
    const { language, locale, timeZone } = markets[market]
    return createTranslate<string>({
      locale,
      intl: serverIntl(locale),
      timeZone,
      catalogue: catalogues[language],
      text,
      join: (parts) => parts.join(''),
    })
  }
  return { es: words('es'), fr: words('fr'), gb: words('gb'), de: words('de'), it: words('it') }
}
