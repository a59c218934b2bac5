import { buildUrl, type ParamsOf } from './path-helper.ts'

/** In front of every page's address inside the app: the page without header and footer. */
export const webviewPrefix = '/webview'

/**
 * Addresses that the server writes and the storefront serves: in API results, in mails, and as return addresses for the
 * provider. The storefront's route table is built from them, so that both always agree.
 */
export const publicAddresses = {
  product: '/p/{slug}-{id}',
  sheet: '/catalogue/p/{slug}-{id}',
  paint: '/paint/{slug}-{id}',
  category: '/{category}-{id}',
  brand: '/brand/{brand}-{id}',
  operation: '/co/{type}/{slug}-{id}',
  seller: '/seller-{id}',
  search: '/search/{query}',
  cart: '/cart',
  punchOutStart: '/punch-out/start/{token}',
  payment: '/order/{customerOrderId}/secure-payment',
  paymentReturn: '/spartacux/payment',
  refundForm: '/refund/form/{id}',
  orderDetails: '/orders/customer-order/{customerOrderId}/shipment/{sellerOrderId}',
  selfCareInvoice: '/online-support/{orderId}/invoice',
  invoiceStatement: '/my-invoices/statement/{id}',
  directDebit: '/my-account/company/direct-debit',
  conversation: '/my-messages/conversation/{orderId}',
  shipmentDetails: '/orders/customer-order/{customerOrderId}/shipment/{sellerOrderId}/detail',
  trackMyParcel: '/track-my-parcel/{token}',
  findOrder: '/find-my-order',
  homeCollectionAccept: '/home-collection/accept',
  homeCollectionCancel: '/home-collection/cancel',
  homeCollectionChangeAddress: '/home-collection/change-address',
  returnFeedback: '/return/feedback',
  dispute: '/online-support/{orderId}/dispute/{messageId}',
  officePayouts: '/office/payouts',
  withdrawal: '/withdrawal',
  terms: '/cgu',
  legals: '/legals',
  guide: '/advice/{slug}-{id}',
  comparison: '/comparisons/{slug}-{id}',
  project: '/your-project/{slug}-{id}',
  landing: '/lp/{slug}-{id}',
  partner: '/pal/{id}',
  promo: '/promo/{slug}-{id}',
  proPage: '/pro/{pageType:trade|industry|product}/{slug}',
  helpArticle: '/help/{slug}-{id}',
  youHaveGotThis: '/pages/you-ve-got-this',
  bingo: '/static/bingo',
  reassurance: '/static/reassurance',
  loyaltyProgramFaq: '/static/loyalty-program-faq',
  klarna: '/klarna',
} as const

type Address = keyof typeof publicAddresses

/** `publicUrl('seller', { id: 7 })`; takes the parameters of the address. */
export function publicUrl<Name extends Address>(
  name: Name,
  params: ParamsOf<(typeof publicAddresses)[Name]> & Record<string, string | number>,
  query?: Record<string, string>,
): string {
  return buildUrl(publicAddresses[name], params, query)
}
