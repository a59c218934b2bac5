import { readClick } from '@purlin/contract/ad-click.ts'
import { consentOf } from '@purlin/contract/consent.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What advertising is paid for: something was put into the cart, or ordered. */
const isConversion = ({ name, pageName }: { name: string; pageName: string }) =>
  name === 'add_to_cart' || (name === 'page_view' && pageName === 'orderRecap')

/** The ad click that a conversion follows, with consent to personalised advertising alone; from the cookie, never from what a page sends. */
export function clickOf(request: { headers: Headers }, event: { name: string; pageName: string }): { clickId?: string } {
  if (!isConversion(event) || !consentOf(request).allows('personalisedAdvertising')) return {}
  const clickId = readClick([request.headers['cookie']].flat().join('; '), Date.now())
  return clickId === null ? {} : { clickId }
}
