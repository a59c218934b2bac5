import { escapeHtml } from '@purlin/web/document.ts'
import { keepMarkup } from '@purlin/web/kept-markup.ts'
import type { ReactElement } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from './context.ts'

const kept = keepMarkup(4_000_000)

/** Stands for a value of the page in kept markup. */
const gap = (name: string) => `gap(${name})`

/** Values of the page itself in header and footer. */
export interface PageFacts {
  loginHref: string
  /** The visitor's search, on its page. */
  query: string | undefined
}

/**
 * Header and footer differ between the pages of a site in a few addresses alone: they are rendered once for what they
 * show (`key`), and each page fills in its own. (V-100)
 */
export function keptShell(context: ShopContext, key: string, part: (context: ShopContext, page: PageFacts) => ReactElement): string {
  const { origin, mode, prefersVat, pathname, search } = context
  const query = pathname.startsWith('/search/') ? context.params['query'] : undefined
  const markup = kept(JSON.stringify([origin, mode, prefersVat, query !== undefined, key]), () =>
    part(
      {
        ...context,
        pathname: gap('here'),
        search: '',
        alternates: () => context.alternates().map((other) => ({ ...other, url: gap(other.market) })),
      },
      { loginHref: gap('login'), query: query && gap('query') },
    ),
  )
  const values: Record<string, string | undefined> = {
    here: pathname + search,
    login: paths.login({}, { callbackUrl: pathname }),
    query,
    ...Object.fromEntries(context.alternates().map(({ market, url }) => [market, url])),
  }
  return markup.replace(/gap\((\w+)\)/g, (text, name: string) => escapeHtml(values[name] ?? text).replaceAll('&#38;', '&amp;'))
}
