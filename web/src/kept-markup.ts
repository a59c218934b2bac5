import { ownText } from '@purlin/contract/own-memory.ts'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/**
 * Cached markup of components shared by many pages, rendered once per key: `kept(key, part)` is for `dangerouslySetInnerHTML`. The key
 * must cover everything the component shows. The least recently used markup is evicted first, once keys and markup together have
 * more than so many characters. Server only.
 */
export function keepMarkup(maxCharacters: number): (key: string, part: () => ReactElement) => string {
  const known = new Map<string, string>()
  let characters = 0
  return (key, part) => {
    let markup = known.get(key)
    if (markup === undefined) {
      markup = ownText(renderToStaticMarkup(part()))
      characters += key.length + markup.length
    } else known.delete(key)
    known.set(key, markup)
    for (const [oldest, text] of known) {
      if (characters <= maxCharacters || oldest === key) break
      known.delete(oldest)
      characters -= oldest.length + text.length
    }
    return markup
  }
}
