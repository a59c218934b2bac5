import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/**
 * Cached markup of components shared by many pages, rendered once per key: `kept(key, part)` is for `dangerouslySetInnerHTML`. The key
 * must cover everything the component shows. The least recently used markup is evicted first. Server only.
 */
export function keepMarkup(limit: number): (key: string, part: () => ReactElement) => string {
  const known = new Map<string, string>()
  return (key, part) => {
    let markup = known.get(key)
    if (markup === undefined) {
      markup = renderToStaticMarkup(part())
      const [oldest] = known.keys()
      if (known.size >= limit && oldest !== undefined) known.delete(oldest)
    } else known.delete(key)
    known.set(key, markup)
    return markup
  }
}
