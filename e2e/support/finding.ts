import type { Locator } from 'playwright-core'
import { queryData } from './ask.ts'
import type { Visitor } from './visitor.ts'

/** Sends the queries of the shop's pages. Node does not resolve *.localhost everywhere: the Host header selects the shop. */
export function queryShop<Data>({ origin }: Pick<Visitor, 'origin'>, query: string, variables: object = {}): Promise<Data> {
  const { host, port } = new URL(origin)
  return queryData<Data>(`http://localhost:${port}`, {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', host },
    body: JSON.stringify({ query, variables }),
  })
}

export function searchBox({ page, t }: Visitor): Locator {
  return page.getByLabel(t('search.label')).filter({ visible: true })
}

/** Types a query into the header's box and submits it with Enter, as most visitors do. */
export async function searchFor(visitor: Visitor, words: string): Promise<void> {
  const { page, t } = visitor
  await searchBox(visitor).fill(words)
  await Promise.all([page.waitForURL(/\/search\//), searchBox(visitor).press('Enter')])
  await page.getByRole('heading', { level: 1, name: t('search.heading', { query: words }) }).waitFor()
}

export interface ShownCard {
  title: string
  path: string
  /** In major units, as shown on the card. */
  price: number
  /** Its whole text. */
  text: string
}

/** The cards of a list as shown on the page, in order. */
export async function shownCards({ page }: Visitor): Promise<ShownCard[]> {
  const cards = await page.locator('#results [data-card]').evaluateAll((articles) =>
    articles.map((article) => {
      const link = article.querySelector<HTMLAnchorElement>(':is(h2, h3, h4) a')!
      const amount = article.querySelector('b:has(> small)')?.textContent ?? ''
      return { title: link.innerText, path: new URL(link.href).pathname, amount, text: (article as HTMLElement).innerText }
    }),
  )
  return cards.map(({ amount, ...card }) => ({ ...card, price: amountOf(amount) }))
}

/** The number in "£1,266.90" or "1.266,90 €": its last two figures are decimals in every market. */
export function amountOf(text: string): number {
  return Number(text.replace(/\D/g, '')) / 100
}

/** The number of products that the list states. */
export async function shownTotal({ page }: Visitor): Promise<number> {
  return Number((await page.locator('#results [role=status]').innerText()).replace(/\D/g, ''))
}
