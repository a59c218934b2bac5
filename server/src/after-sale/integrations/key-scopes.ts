/** Scopes of an API key. Each call of the sellers' API requires exactly one. */
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
  'offers:read',
  'offers:write',
  'prices:read',
  'prices:write',
  'quotes:read',
  'quotes:write',
  'webhooks:manage',
] as const
export type KeyScope = (typeof keyScopes)[number]
