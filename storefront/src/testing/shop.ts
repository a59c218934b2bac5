import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, graphql, type GraphQLSchema } from 'graphql'
import type { TestReply } from '@purlin/web/testing.ts'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { testStorefront } from '../server/testing.ts'
import type { ShopPage } from '../shell/context.ts'
import { department } from './goods.ts'

const folder = join(import.meta.dirname, '../../../contract/graphql')
let published: GraphQLSchema | undefined

export const pageFiles = {
  './punch-out/credentials-page.tsx': () => import('../punch-out/credentials-page.tsx'),
  './punch-out/start-page.tsx': () => import('../punch-out/start-page.tsx'),
  './punch-out/return-page.tsx': () => import('../punch-out/return-page.tsx'),
  './quotes/quotes-page.tsx': () => import('../quotes/quotes-page.tsx'),
  './quotes/quote-page.tsx': () => import('../quotes/quote-page.tsx'),
  './quotes/request-page.tsx': () => import('../quotes/request-page.tsx'),
  './offline/offline-page.tsx': () => import('../offline/offline-page.tsx'),
  './offline/offline-basket-page.tsx': () => import('../offline/offline-basket-page.tsx'),
  './push/push-prompt-page.tsx': () => import('../push/push-prompt-page.tsx'),
  './history/recently-seen-page.tsx': () => import('../history/recently-seen-page.tsx'),
  './credit/billie-page.tsx': () => import('../credit/billie-page.tsx'),
  './credit/direct-debit-page.tsx': () => import('../credit/direct-debit-page.tsx'),
  './credit/statement-page.tsx': () => import('../credit/statement-page.tsx'),
  './credit/financing-page.tsx': () => import('../credit/financing-page.tsx'),
  './credit/financing-details-page.tsx': () => import('../credit/financing-details-page.tsx'),
  './home/home-page.tsx': () => import('../home/home-page.tsx'),
  './home/home-pro-page.tsx': () => import('../home/home-pro-page.tsx'),
  './category/category-page.tsx': () => import('../category/category-page.tsx'),
  './listing/deals-page.tsx': () => import('../listing/deals-page.tsx'),
  './discovery/best-sellers-page.tsx': () => import('../discovery/best-sellers-page.tsx'),
  './discovery/best-sellers-family-page.tsx': () => import('../discovery/best-sellers-family-page.tsx'),
  './discovery/operations-page.tsx': () => import('../discovery/operations-page.tsx'),
  './discovery/operation-page.tsx': () => import('../discovery/operation-page.tsx'),
  './discovery/popular-queries-page.tsx': () => import('../discovery/popular-queries-page.tsx'),
  './discovery/popular-in-category-page.tsx': () => import('../discovery/popular-in-category-page.tsx'),
  './discovery/mass-landing-page.tsx': () => import('../discovery/mass-landing-page.tsx'),
  './discovery/inspiration-page.tsx': () => import('../discovery/inspiration-page.tsx'),
  './discovery/hub-page.tsx': () => import('../discovery/hub-page.tsx'),
  './discovery/partner-ad-page.tsx': () => import('../discovery/partner-ad-page.tsx'),
  './errors/not-found-page.tsx': () => import('../errors/not-found-page.tsx'),
  './search/search-page.tsx': () => import('../search/search-page.tsx'),
  './product/product-page.tsx': () => import('../product/product-page.tsx'),
  './paint/paint-page.tsx': () => import('../paint/paint-page.tsx'),
  './product/informations-page.tsx': () => import('../product/informations-page.tsx'),
  './compare/compare-page.tsx': () => import('../compare/compare-page.tsx'),
  './returns/collection-accept-page.tsx': () => import('../returns/collection-accept-page.tsx'),
  './returns/collection-cancel-page.tsx': () => import('../returns/collection-cancel-page.tsx'),
  './returns/collection-address-page.tsx': () => import('../returns/collection-address-page.tsx'),
  './returns/return-feedback-page.tsx': () => import('../returns/return-feedback-page.tsx'),
  './reviews/confirmation-page.tsx': () => import('../reviews/confirmation-page.tsx'),
  './reviews/listing-page.tsx': () => import('../reviews/listing-page.tsx'),
  './reviews/product-questions-page.tsx': () => import('../reviews/product-questions-page.tsx'),
  './reviews/product-reviews-page.tsx': () => import('../reviews/product-reviews-page.tsx'),
  './reviews/review-page.tsx': () => import('../reviews/review-page.tsx'),
  './reviews/seller-reviews-page.tsx': () => import('../reviews/seller-reviews-page.tsx'),
  './reviews/survey-page.tsx': () => import('../reviews/survey-page.tsx'),
  './reviews/unsubscribe-page.tsx': () => import('../reviews/unsubscribe-page.tsx'),
  './seller/seller-page.tsx': () => import('../seller/seller-page.tsx'),
  './brand/brand-page.tsx': () => import('../brand/brand-page.tsx'),
  './brand/brands-page.tsx': () => import('../brand/brands-page.tsx'),
  './information/contact-page.tsx': () => import('../information/contact-page.tsx'),
  './information/withdrawal-page.tsx': () => import('../information/withdrawal-page.tsx'),
  './information/ranking-page.tsx': () => import('../information/ranking-page.tsx'),
  './information/sitemap-page.tsx': () => import('../information/sitemap-page.tsx'),
  './information/text-page.tsx': () => import('../information/text-page.tsx'),
  './information/help-page.tsx': () => import('../information/help-page.tsx'),
  './information/incompatible-browser-page.tsx': () => import('../information/incompatible-browser-page.tsx'),
  './advice/entry-page.tsx': () => import('../advice/entry-page.tsx'),
  './advice/written-page.tsx': () => import('../advice/written-page.tsx'),
  './advice/hub-page.tsx': () => import('../advice/hub-page.tsx'),
  './advice/project-hub-page.tsx': () => import('../advice/project-hub-page.tsx'),
  './consent/privacy-choices-page.tsx': () => import('../consent/privacy-choices-page.tsx'),
  './newsletter/subscribe-page.tsx': () => import('../newsletter/subscribe-page.tsx'),
  './pro/landing-page.tsx': () => import('../pro/landing-page.tsx'),
  './pro/loyalty-page.tsx': () => import('../pro/loyalty-page.tsx'),
  './pro/public-page.tsx': () => import('../pro/public-page.tsx'),
  './newsletter/confirm-subscription-page.tsx': () => import('../newsletter/confirm-subscription-page.tsx'),
  './cart/cart-page.tsx': () => import('../cart/cart-page.tsx'),
  './sign-in/login-page.tsx': () => import('../sign-in/login-page.tsx'),
  './sign-in/forgot-password-page.tsx': () => import('../sign-in/forgot-password-page.tsx'),
  './sign-in/register-page.tsx': () => import('../sign-in/register-page.tsx'),
  './sign-in/auth-error-page.tsx': () => import('../sign-in/auth-error-page.tsx'),
  './office/office-page.tsx': () => import('../office/office-page.tsx'),
  './office/payouts-page.tsx': () => import('../office/payouts-page.tsx'),
  './sign-in/pre-logout-page.tsx': () => import('../sign-in/pre-logout-page.tsx'),
  './checkout/register-page.tsx': () => import('../checkout/register-page.tsx'),
  './checkout/address-page.tsx': () => import('../checkout/address-page.tsx'),
  './checkout/delivery-page.tsx': () => import('../checkout/delivery-page.tsx'),
  './checkout/payment-page.tsx': () => import('../checkout/payment-page.tsx'),
  './checkout/gateway-page.tsx': () => import('../checkout/gateway-page.tsx'),
  './checkout/payment-return-page.tsx': () => import('../checkout/payment-return-page.tsx'),
  './checkout/receipt-page.tsx': () => import('../checkout/receipt-page.tsx'),
  './account/customer-area-page.tsx': () => import('../account/customer-area-page.tsx'),
  './account/addresses-page.tsx': () => import('../account/addresses-page.tsx'),
  './account/advantages-page.tsx': () => import('../account/advantages-page.tsx'),
  './account/buy-again-page.tsx': () => import('../account/buy-again-page.tsx'),
  './account/wallet-page.tsx': () => import('../account/wallet-page.tsx'),
  './wishlist/wishlists-page.tsx': () => import('../wishlist/wishlists-page.tsx'),
  './wishlist/wishlist-page.tsx': () => import('../wishlist/wishlist-page.tsx'),
  './wishlist/unsubscribe-page.tsx': () => import('../wishlist/unsubscribe-page.tsx'),
  './wishlist/shared-wishlist-page.tsx': () => import('../wishlist/shared-wishlist-page.tsx'),
  './quick-order/quick-order-page.tsx': () => import('../quick-order/quick-order-page.tsx'),
  './company/company-page.tsx': () => import('../company/company-page.tsx'),
  './company/sites-page.tsx': () => import('../company/sites-page.tsx'),
  './company/budgets-page.tsx': () => import('../company/budgets-page.tsx'),
  './company/spending-page.tsx': () => import('../company/spending-page.tsx'),
  './approval/request-page.tsx': () => import('../approval/request-page.tsx'),
  './approval/approvals-page.tsx': () => import('../approval/approvals-page.tsx'),
  './approval/approval-page.tsx': () => import('../approval/approval-page.tsx'),
  './approval/approval-link-page.tsx': () => import('../approval/approval-link-page.tsx'),
  './pro/glance-page.tsx': () => import('../pro/glance-page.tsx'),
  './company/invitation-page.tsx': () => import('../company/invitation-page.tsx'),
  './subscription/subscription-page.tsx': () => import('../subscription/subscription-page.tsx'),
  './subscription/public-page.tsx': () => import('../subscription/public-page.tsx'),
  './subscription/management-page.tsx': () => import('../subscription/management-page.tsx'),
  './subscription/checkout-page.tsx': () => import('../subscription/checkout-page.tsx'),
  './pro/conversion-page.tsx': () => import('../pro/conversion-page.tsx'),
  './account/tax-information-page.tsx': () => import('../account/tax-information-page.tsx'),
  './account/settings-page.tsx': () => import('../account/settings-page.tsx'),
  './account/convert-guest-page.tsx': () => import('../account/convert-guest-page.tsx'),
  './account/orders-page.tsx': () => import('../account/orders-page.tsx'),
  './invoices/invoices-page.tsx': () => import('../invoices/invoices-page.tsx'),
  './invoices/self-care-invoice-page.tsx': () => import('../invoices/self-care-invoice-page.tsx'),
  './returns/cancellation-page.tsx': () => import('../returns/cancellation-page.tsx'),
  './returns/return-request-page.tsx': () => import('../returns/return-request-page.tsx'),
  './returns/return-page.tsx': () => import('../returns/return-page.tsx'),
  './returns/refund-form-page.tsx': () => import('../returns/refund-form-page.tsx'),
  './support/order-selection-page.tsx': () => import('../support/order-selection-page.tsx'),
  './support/support-page.tsx': () => import('../support/support-page.tsx'),
  './support/contact-form-page.tsx': () => import('../support/contact-form-page.tsx'),
  './disputes/dispute-page.tsx': () => import('../disputes/dispute-page.tsx'),
  './disputes/dispute-success-page.tsx': () => import('../disputes/dispute-success-page.tsx'),
  './messages/messages-page.tsx': () => import('../messages/messages-page.tsx'),
  './messages/conversation-page.tsx': () => import('../messages/conversation-page.tsx'),
  './messages/rated-page.tsx': () => import('../messages/rated-page.tsx'),
  './orders/find-order-page.tsx': () => import('../orders/find-order-page.tsx'),
  './orders/order-details-page.tsx': () => import('../orders/order-details-page.tsx'),
  './orders/shipment-page.tsx': () => import('../orders/shipment-page.tsx'),
  './orders/appointment-page.tsx': () => import('../orders/appointment-page.tsx'),
  './orders/follow-delivery-page.tsx': () => import('../orders/follow-delivery-page.tsx'),
  './orders/track-parcel-page.tsx': () => import('../orders/track-parcel-page.tsx'),
}

export interface TestShop {
  ask(path: string, options?: { host?: string; cookie?: string; form?: Record<string, string> }): Promise<TestReply>
  /** Variables of the calls made, newest last. */
  asked: Record<string, unknown>[]
  close(): Promise<void>
}

/**
 * The shop's pages on top of the published API with the given root fields: an unknown document, or a result the API
 * does not allow, fails the page.
 */
export async function shopWith(
  root: Record<string, unknown>,
  more: Pick<NonNullable<Parameters<typeof testStorefront>[0]>, 'variations'> = {},
): Promise<TestShop> {
  published ??= buildSchema(
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n'),
  )
  const schema = published
  const pages = Object.fromEntries(await Promise.all(Object.entries(pageFiles).map(async ([file, load]) => [file, await load()])))
  const asked: Record<string, unknown>[] = []
  const rootValue = {
    unreadConversations: 0,
    disputesToAnswer: [],
    deliverySlots: { isAvailable: false, slots: [] },
    categoryTree: [department(1, 'tools')],
    entries: [],
    flags: [],
    recommendations: [],
    header: { quickLinks: { items: [] }, banners: { items: [] }, preHeader: { state: 'success', items: [] } },
    platformConfig: { state: 'set', version: 0 },
    wishlists: [],
    sitesForLists: [],
    myCompanies: [],
    ...root,
  }
  const { server } = await testStorefront({
    ...more,
    pages: pages as Record<string, ShopPage>,
    gateway: async ({ documentId = '', variables }) => {
      asked.push(variables ?? {})
      const { data, errors } = await graphql({ schema, source: knownDocuments[documentId] ?? '', variableValues: variables, rootValue })
      return { data: data ?? null, ...(errors && { errors: errors.map(({ message, extensions }) => ({ message, extensions })) }) }
    },
  })
  return {
    asked,
    close: server.close,
    ask: async (path, { host = 'gb.localhost', cookie, form } = {}) => {
      const reply = await server.ask(path, {
        host,
        headers: {
          ...(cookie && { cookie }),
          ...(form && {
            'content-type': 'application/x-www-form-urlencoded',
            origin: `http://${host}`,
            'sec-fetch-site': 'same-origin',
          }),
        },
        ...(form && { method: 'POST', body: new URLSearchParams(form).toString() }),
      })
      // React separates adjacent texts with invisible comments.
      return { ...reply, body: reply.body.replaceAll('<!-- -->', '') }
    },
  }
}

/** A root field of a system that the shop can do without, while it fails or hangs. */
export function unavailable(): never {
  throw Object.assign(new Error('Not available at the moment'), { extensions: { status: 503, isOptional: true } })
}

/** Requests one page from a shop with these results, and closes it. */
export async function pageOf(root: Record<string, unknown>, path: string, options?: Parameters<TestShop['ask']>[1]): Promise<TestReply> {
  const shop = await shopWith(root)
  try {
    return await shop.ask(path, options)
  } finally {
    await shop.close()
  }
}

/** The text of a page, in reading order. */
export function textOf(html: string): string {
  return (
    html
      .replace(/<(script|style|template)[\s\S]*?<\/\1>/g, ' ')
      // An amount and its decimals are one word.
      .replace(/(<b(?: [^>]*)?>[^<]*)<small>/g, '$1')
      .replace(/<[^>]+>/g, ' ')
      .replace(/&#x27;|&#39;/g, "'")
      .replace(/&amp;/g, '&')
      .replace(/&quot;/g, '"')
      .replace(/\s+/g, ' ')
      .trim()
  )
}

/** Structured data of a page, by type. */
export function structuredData(html: string): Record<string, Record<string, unknown>> {
  const found = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) => JSON.parse(json))
  return Object.fromEntries(found.map((data) => [data['@type'], data]))
}
