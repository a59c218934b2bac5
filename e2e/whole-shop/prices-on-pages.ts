/** Text with plain blanks. */
export const plain = (text: string): string => text.replaceAll(/\s/g, ' ').replaceAll('&nbsp;', ' ')

const amountIn = (html: string): string => plain(/<b[^>]*>([\s\S]*?)<\/b>/.exec(html)?.[1] ?? '').replaceAll(/<[^>]+>/g, '')

/** All prices of an offer on a page of professionals, as a person reads them. */
export function pricesOn(html: string, offerId: string): string[] {
  const named = html.matchAll(new RegExp(`data-price="${offerId}"[^>]*>[\\s\\S]*?</b>`, 'g'))
  // In lists the price is beside the button that adds the offer.
  const beside = html.matchAll(new RegExp(`<div[^>]*>(?:(?!<div)[\\s\\S])*<button value="${offerId}(?:x\\d+)?"[^>]* name="offerId"`, 'g'))
  return [...named, ...beside].map(([block]) => amountIn(block))
}

/** On pages of consumers, where nothing takes the place of a price: the one below the title of a card. */
export function priceBelow(html: string, url: string): string[] {
  const at = html.indexOf(`href="${url}"`, html.indexOf('<main'))
  return at < 0 ? [] : [amountIn(html.slice(at))]
}

export function breaksOn(html: string, offerId: string): { from: number; text: string }[] {
  const rows = new RegExp(`data-breaks="${offerId}"[\\s\\S]*?</table>`).exec(html)?.[0] ?? ''
  return [...rows.matchAll(/data-from="(\d+)"[\s\S]*?<td>([\s\S]*?)<\/td>/g)].map(([, from, text = '']) => ({
    from: Number(from),
    text: plain(text),
  }))
}
