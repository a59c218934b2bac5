import { createElement, Fragment, type ReactNode } from 'react'
import { createTranslate, type Catalogue, type LocaleIntl, type Rich, type Translate } from '@purlin/words/translate.ts'

/** Messages of a page or an island: tags become elements. */
export type PageWords<Messages, RichMessages extends Record<keyof RichMessages, Rich> = object> = Translate<
  Messages,
  RichMessages,
  ReactNode
>

/** A translator whose rich messages are React nodes. Types come from where it is kept. */
export function createPageWords(locale: string, catalogue: Catalogue, timeZone?: string, intl?: LocaleIntl) {
  return createTranslate<ReactNode>({
    locale,
    catalogue,
    ...(timeZone && { timeZone }),
    ...(intl && { intl }),
    text: (words) => words,
    join: (parts) => createElement(Fragment, null, ...parts),
  })
}
