/**
 * Search and social bots, programs that fetch links for previews, and programs that are no browser; not the browsers inside the apps
 * of social networks.
 */
const crawler =
  /bot\b|bot[/;_ -]|crawl|spider|slurp|preview|facebookexternalhit|meta-external|^whatsapp\/|embedly|mediapartners|lighthouse|headless|curl\/|wget\/|python-|java\/|go-http|okhttp|^$/i

/** A maker of phones, which its browsers name. */
const phones = /\bcubot/gi

export function isCrawler(userAgent: string | undefined): boolean {
  return crawler.test((userAgent ?? '').replace(phones, ''))
}
