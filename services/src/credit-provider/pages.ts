import { markets } from '@purlin/contract/markets.ts'
import { formatMoney } from '@purlin/server/goods/pricing/money-format.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { Order } from './store.ts'

export const css = `:root { color-scheme: light; font: 1rem/1.5 system-ui, sans-serif } body { margin: 0; padding: 1rem; background: #f4f4f2; color: #1c1c1a }
main { max-width: 34rem; margin: 1rem auto; padding: 1.5rem; background: #fff; border: 1px solid #c9c9c4; border-radius: 8px } h1 { margin-top: 0; font-size: 1.4rem }
button { min-height: 44px; padding: 0 1.2rem; margin: 0.5rem 0.5rem 0 0; border: 1px solid #1c1c1a; border-radius: 6px; font: inherit; background: #fff; color: inherit }
button.yes { background: #1c1c1a; color: #fff } a { color: inherit }`

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function page(order: Order, title: string, body: string): string {
  const { language } = markets[order.market]
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title><link rel="stylesheet" href="/page.css"><main><h1>${escape(title)}</h1>${body}</main></html>`
}

/** Asks whether the buyer may order for the company. Without scripts. */
export function confirmPage(order: Order): string {
  const t = wordsFor(order.market)
  const text = t('credit.provider.text', { company: order.debtor.name, amount: formatMoney(order, order.market), order: order.description })
  return page(
    order,
    t('credit.provider.title'),
    `<p>${escape(text)}</p><form method="post"><button class="yes" name="answer" value="yes">${escape(t('credit.provider.yes'))}</button>
    <button name="answer" value="no">${escape(t('credit.provider.no'))}</button></form>`,
  )
}

export function closedPage(order: Order): string {
  const t = wordsFor(order.market)
  return page(order, t('credit.provider.closed'), `<p><a href="${escape(order.returnUrl)}">${escape(t('credit.provider.back'))}</a></p>`)
}
