/** Search and social bots, and programs that are no browser. */
const crawler =
  /bot\b|bot[/;_ -]|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|embedly|pinterest|mediapartners|lighthouse|headless|curl\/|wget\/|python-|java\/|go-http|okhttp|^$/i

export function isCrawler(userAgent: string | undefined): boolean {
  return crawler.test(userAgent ?? '')
}
