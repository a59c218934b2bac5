import { createElement, useId, type ComponentType, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import type { When } from './enhance.tsx'
import type { Message, Rich } from '@purlin/words/translate.ts'
import { createPageWords, type PageWords } from './words.ts'

/** The context every island gets besides its props, on the server and in the browser. */
export interface IslandWords<Messages = object, RichMessages extends Record<keyof RichMessages, Rich> = object> {
  t: PageWords<Messages, RichMessages>
  locale: string
}

export interface IslandProps<Props extends object, Key extends string> {
  /** Name of the `<name>.island.tsx` file that exports the component, and nothing else. */
  with: string
  of: ComponentType<Props>
  /** A click or submit before hydration is queued, and replayed afterwards. */
  when?: When
  /** Must be JSON-serialisable. */
  props: NoInfer<Omit<Props, keyof IslandWords>>
  /** The messages it may need. */
  words?: readonly Key[]
  context: { locale: string; catalogue: Readonly<Record<Key, Message>> }
}

/** A part of a page that React hydrates in the browser. For pages only: inside an island, use components. */
export function Island<Props extends object, Key extends string>(island: IslandProps<Props, Key>): ReactNode {
  const { with: name, of, when = 'visible', props, words = [], context } = island
  const prefix = `${useId()}-`
  const messages = Object.fromEntries(words.map((key) => [key, context.catalogue[key]]))
  const json = JSON.stringify({ props, words: messages })
  // Only what the browser will have, too: an unlisted message, or data that JSON loses, fails at once.
  const all = { ...JSON.parse(json).props, t: createPageWords(context.locale, messages), locale: context.locale }
  // A root of its own, so that ids from useId match when it is hydrated alone.
  const html = renderToString(createElement(of, all), { identifierPrefix: prefix })
  return (
    <page-island data-island={name} data-when={when} data-prefix={prefix} data-props={json} dangerouslySetInnerHTML={{ __html: html }} />
  )
}
