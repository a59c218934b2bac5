/** What a key may be used for. Each call of the sellers' API names one; a key has some of them. */
export const keyScopes = [
  'orders:read',
  'orders:write',
  'messages:read',
  'messages:write',
  'returns:read',
  'returns:write',
  'refunds:write',
  'invoices:read',
  'disputes:read',
  'disputes:write',
  'webhooks:manage',
] as const
export type KeyScope = (typeof keyScopes)[number]
