import { buildUrl, type ParamsOf } from './path-helper.ts'

/**
 * Addresses that the server writes and the storefront answers: in answers of the API, in mails, and for the provider to come back
 * to. The storefront's route table is built from them, so that neither knows an address the other does not.
 */
export const publicAddresses = {
  product: '/p/{slug}-{id}',
  category: '/{category}-{id}',
  brand: '/brand/{brand}-{id}',
  operation: '/co/{type}/{slug}-{id}',
  seller: '/seller-{id}',
  cart: '/cart',
  payment: '/order/{customerOrderId}/secure-payment',
  paymentReturn: '/spartacux/payment',
  orderDetails: '/orders/customer-order/{customerOrderId}/shipment/{sellerOrderId}',
  withdrawal: '/withdrawal',
  terms: '/cgu',
  legals: '/legals',
} as const

type Address = keyof typeof publicAddresses

/** `publicUrl('seller', { id: 7 })`; the parameters are those of the address. */
export function publicUrl<Name extends Address>(
  name: Name,
  params: ParamsOf<(typeof publicAddresses)[Name]> & Record<string, string | number>,
  query?: Record<string, string>,
): string {
  return buildUrl(publicAddresses[name], params, query)
}
