/** Ways by which visitors come to the shop: the channels of the referer service, of orders and of the page of insights. */
export const channels = [
  'direct',
  'organic',
  'paid',
  'email',
  'social',
  'assistant',
  'comparison',
  'portal',
  'partner',
  'campaign',
  'referral',
  'internal',
] as const
export type Channel = (typeof channels)[number]

/** The fields of the referer service's answer that page views carry. Source: spec §3, R-406. */
export const trackingFields = ['trackingChannel', 'trackingCategory', 'trackingCampaign', 'refererId'] as const

/** Words of links are stored and shown by others: short and plain, or not at all. */
export function trackingWord(text: unknown): string | null {
  return typeof text === 'string' && /^[\w .:+|-]{1,80}$/.test(text) ? text : null
}
