import { publicAddresses as at } from '@purlin/contract/public-addresses.ts'
import {
  row,
  moved,
  funnel,
  open,
  restricted,
  checkout,
  buying,
  appointing,
  cancelling,
  returning,
  returned,
  orders,
  shipment,
  tracking,
  collecting,
  indexable,
  listingQuery,
  searchQuery,
  cached,
  text,
  entry,
  paintPage,
  writtenPage,
  home,
  type ShopRoute,
} from './route-row.ts'
import { professionalRoutes } from './professional-routes.ts'

export type { LayoutName, ShopRoute } from './route-row.ts'

/**
 * Every address of the shop: spec §2.1 (public addresses) and §2.2 (named pages), related as in decision 1.
 * To build a page: write its file and name it in its row as `page`. A row without page, redirect or endpoint does
 * not compile, and a page that is not in the bundle stops the start.
 */
export const routes = [
  row('homeB2C', ['/'], { ...home, named: ['/homepage-b2c'], only: 'b2c', page: './home/home-page.tsx' }),
  row('homeB2B', ['/'], { ...home, named: ['/homepage-b2b'], only: 'b2b', page: './home/home-pro-page.tsx' }),

  // Products. Product and catalogue pages share the named path /product, which resolves to the product page.
  row('product', [at.product], {
    ...cached(['product:{id}']),
    named: ['/product'],
    fallback: '/',
    page: './product/product-page.tsx',
  }),
  row('pushPrompt', ['/push-prompt'], { ...open, layout: 'none', page: './push/push-prompt-page.tsx' }),
  row('offline', ['/offline'], { ...cached([]), indexable: false, layout: 'none', page: './offline/offline-page.tsx' }),
  row('offlineBasket', ['/offline/basket'], { ...open, layout: 'none', page: './offline/offline-basket-page.tsx' }),
  row('recentlySeen', ['/recently-seen'], { ...open, layout: 'none', page: './history/recently-seen-page.tsx' }),
  row('productInformations', ['/p/{slug}-{id}/informations'], {
    ...cached(['product:{id}']),
    named: ['/product'],
    fallback: '/',
    page: './product/informations-page.tsx',
  }),
  row('compare', ['/compare'], { ...cached(['listing'], ['p']), indexable: false, page: './compare/compare-page.tsx' }),
  row('productReviews', ['/p/{slug}-{id}/reviews'], {
    ...cached(['product:{id}', 'reviews:{id}'], ['stars', 'lang', 'sort', 'page'], ['flash.vote-kept']),
    indexable: false,
    page: './reviews/product-reviews-page.tsx',
  }),
  row('productQuestions', ['/p/{slug}-{id}/questions'], {
    ...cached(['product:{id}'], ['page'], ['flash.question-published', 'flash.question-pending', 'flash.answer-published']),
    indexable: false,
    page: './reviews/product-questions-page.tsx',
  }),
  row('paint', [at.paint], paintPage),
  row('catalogueProduct', [at.sheet], {
    ...cached(['product:{id}']),
    named: ['/product'],
    fallback: '/',
    page: './product/product-page.tsx',
  }),
  row('catalogueProductInformations', ['/catalogue/p/{slug}-{id}/informations'], {
    ...cached(['product:{id}']),
    named: ['/product'],
    fallback: '/',
    page: './product/informations-page.tsx',
  }),
  row('cataloguePaint', ['/catalogue/paint/{slug}-{id}'], paintPage),
  row('category', [at.category], {
    ...cached(['listing', 'category:{id}'], listingQuery),
    named: ['/category'],
    fallback: '/',
    page: './category/category-page.tsx',
  }),
  row('categoryHub', ['/hub/{category}-{id}'], {
    ...cached(['listing', 'category:{id}']),
    named: ['/category-hub'],
    fallback: '/',
    page: './discovery/hub-page.tsx',
  }),
  row('search', [at.search], {
    ...open,
    cache: { seconds: 120, stale: 600, tags: ['listing'], query: searchQuery },
    named: ['/search'],
    fallback: '/',
    page: './search/search-page.tsx',
  }),
  row('brand', [at.brand], {
    ...cached(['listing', 'brand:{id}'], listingQuery),
    named: ['/brand'],
    fallback: '/brands',
    page: './brand/brand-page.tsx',
  }),
  row('ourBrands', ['/brands'], { ...cached(['listing', 'brands']), page: './brand/brands-page.tsx' }),
  row('seller', [at.seller], {
    ...cached(['listing', 'seller:{id}'], listingQuery),
    named: ['/seller'],
    fallback: '/',
    page: './seller/seller-page.tsx',
  }),
  row('sellerReviews', ['/seller-{id}/reviews'], {
    ...cached(['seller:{id}', 'seller-reviews:{id}'], ['stars', 'lang', 'sort', 'page'], ['flash.vote-kept']),
    indexable: false,
    page: './reviews/seller-reviews-page.tsx',
  }),
  row('bestSellers', ['/bs'], {
    ...cached(['listing']),
    named: ['/best-sellers/best-sellers-home'],
    page: './discovery/best-sellers-page.tsx',
  }),
  row('bestSellersFamily', ['/bs/{slug}-{id}'], {
    ...cached(['listing', 'category:{id}']),
    named: ['/best-sellers/best-sellers-family'],
    fallback: '/bs',
    page: './discovery/best-sellers-family-page.tsx',
  }),
  row('commercialOperationListing', [at.operation], {
    ...cached(['listing', 'operation:{id}'], listingQuery),
    named: ['/co/listing'],
    fallback: '/our-current-offers',
    page: './discovery/operation-page.tsx',
  }),
  row('goodDeals', ['/great-deals'], { ...cached(['listing'], listingQuery), named: ['/good-deals'], page: './listing/deals-page.tsx' }),
  row('ourCurrentOffers', ['/our-current-offers'], { ...cached(['listing', 'operations']), page: './discovery/operations-page.tsx' }),
  row('landing', [at.landing], { ...entry, named: ['/lp/landing'], fallback: '/' }),
  row('partnerAdLanding', [at.partner], {
    ...entry,
    indexable: false,
    named: ['/pal/landing'],
    fallback: '/',
    page: './discovery/partner-ad-page.tsx',
  }),
  row('massLanding', ['/cat/{query}'], {
    ...cached(['listing'], listingQuery),
    named: ['/mass-landing'],
    fallback: '/',
    page: './discovery/mass-landing-page.tsx',
  }),
  row('inspirationalMassLanding', ['/inspi/{query}'], { ...cached(['listing', 'content']), page: './discovery/inspiration-page.tsx' }),
  row('massLandingSitemap', ['/the-most-popular-product-categories'], {
    ...cached(['listing']),
    named: ['/mass-landing/sitemap'],
    page: './discovery/popular-queries-page.tsx',
  }),
  row('massLandingSitemapCategory', ['/the-most-popular-product-categories/{category}-{id}'], {
    ...cached(['listing', 'category:{id}']),
    named: ['/mass-landing/sitemap-category'],
    fallback: '/the-most-popular-product-categories',
    page: './discovery/popular-in-category-page.tsx',
  }),
  row('promoSEO', [at.promo], { ...entry, named: ['/digital-advice/promo-seo'], fallback: '/' }),
  row('ourAdvice', ['/our-advice'], { ...cached(['content'], ['q']), page: './advice/hub-page.tsx' }),
  row('guide', [at.guide], { ...entry, named: ['/digital-advice/guide'], fallback: '/our-advice' }),
  row('ourComparisons', ['/our-comparisons'], { ...cached(['content'], ['q']), page: './advice/hub-page.tsx' }),
  row('topProducts', [at.comparison], { ...entry, named: ['/comparisons/top-products'], fallback: '/our-comparisons' }),
  row('craftyCompanion', ['/your-project'], { ...cached(['content'], ['q']), page: './advice/project-hub-page.tsx' }),
  row('project', [at.project], { ...entry, fallback: '/your-project' }),
  row('sitemap', ['/sitemap'], { ...cached(['listing']), page: './information/sitemap-page.tsx' }),

  // Sign-in and registration. Three named pages share /auth/pre-login; requested directly it is the sign-in page.
  row('login', ['/login'], { ...open, page: './sign-in/login-page.tsx', named: ['/auth/pre-login'] }),
  row('register', ['/register'], { ...open, page: './sign-in/register-page.tsx', named: ['/signup'] }),
  // The newsletter; its named path is shared with signing in.
  row('subscribe', ['/subscribe'], { ...open, page: './newsletter/subscribe-page.tsx', named: ['/auth/pre-login'] }),
  row('unsubscribe', ['/unsubscribe'], { ...open, page: './wishlist/unsubscribe-page.tsx' }),
  row('reviewUnsubscribe', ['/unsubscribe-rating-email'], {
    ...open,
    named: ['/review/unsubscribe'],
    page: './reviews/unsubscribe-page.tsx',
  }),
  row('confirmSubscription', ['/confirm-subscription'], { ...open, page: './newsletter/confirm-subscription-page.tsx' }),
  row('forgotPassword', ['/forgot-password'], { ...open, page: './sign-in/forgot-password-page.tsx' }),
  row('convertGuest', ['/convert-guest'], { action: 'account.convert', page: './account/convert-guest-page.tsx' }),
  row('authError', ['/auth/error-page'], { ...open, page: './sign-in/auth-error-page.tsx' }),
  row('authPreLogout', ['/auth/pre-logout'], { ...open, page: './sign-in/pre-logout-page.tsx' }),
  row('office', ['/office'], { ...open, page: './office/office-page.tsx' }),
  row('officePayouts', [at.officePayouts], { ...open, page: './office/payouts-page.tsx' }),
  row('webview', ['/webview/{path*}'], { ...open, endpoint: 'served', layout: 'none', named: ['/api/auth/webview'] }),

  // Cart and funnel.
  row('cart', [at.cart], { ...open, page: './cart/cart-page.tsx' }),
  row('funnelLogin', ['/checkout/register'], { ...open, page: './checkout/register-page.tsx', ...funnel, named: ['/auth/pre-login'] }),
  row('firstOrder', ['/checkout/address'], { page: './checkout/address-page.tsx', ...buying, ...funnel, named: ['/funnel/first-order'] }),
  row('funnelGateway', ['/order'], {
    page: './checkout/gateway-page.tsx',
    ...buying,
    ...funnel,
    named: ['/funnel/funnel-gateway'],
  }),
  row('delivery', ['/order/{customerOrderId}/delivery'], {
    page: './checkout/delivery-page.tsx',
    ...checkout,
    ...funnel,
    named: ['/funnel/delivery'],
    fallback: '/order',
  }),
  row('payment', [at.payment], {
    page: './checkout/payment-page.tsx',
    ...checkout,
    ...funnel,
    named: ['/funnel/payment'],
    fallback: '/order',
  }),
  row('orderRecap', ['/order/{customerOrderId}/secure-payment/receipt'], {
    page: './checkout/receipt-page.tsx',
    ...checkout,
    ...funnel,
    named: ['/funnel/order-recap'],
    fallback: '/order',
  }),
  row('spartacuxPayment', [at.paymentReturn], { ...open, page: './checkout/payment-return-page.tsx', layout: 'none' }),
  row('klarna', [at.klarna], writtenPage),

  // Account.
  row('customerArea', ['/customer-area'], { ...restricted, page: './account/customer-area-page.tsx' }),
  moved('account', ['/account'], '/customer-area'),
  row('myAccount', ['/settings'], { ...restricted, named: ['/account/settings'], page: './account/settings-page.tsx' }),
  row('addressSettings', ['/my-account/addresses'], {
    ...restricted,
    named: ['/pro-services/address-settings'],
    page: './account/addresses-page.tsx',
  }),
  row('savedCards', ['/my-wallet'], { ...restricted, named: ['/pro-services/saved-cards'], page: './account/wallet-page.tsx' }),
  row('wishlists', ['/my-account/wishlists'], { ...restricted, page: './wishlist/wishlists-page.tsx' }),
  moved('wishlistsOld', ['/wishlists'], '/my-account/wishlists'),
  row('wishlist', ['/my-account/wishlists/{id}'], {
    ...restricted,
    named: ['/pro-services/wishlist'],
    fallback: '/my-account/wishlists',
    page: './wishlist/wishlist-page.tsx',
  }),
  // The share link of a list.
  row('sharedWishlist', ['/wishlists/{token}'], { ...open, page: './wishlist/shared-wishlist-page.tsx' }),
  row('myAdvantages', ['/my-advantages'], { ...restricted, named: ['/my-advantages-page'], page: './account/advantages-page.tsx' }),
  row('myTaxInformation', ['/my-tax-information'], { ...restricted, page: './account/tax-information-page.tsx' }),

  // Orders and after-sales.
  row('myOrders', ['/orders', '/orders/page/{pageNumber}'], {
    ...restricted,
    named: ['/my-orders'],
    page: './account/orders-page.tsx',
  }),
  row('orderDetails', [at.orderDetails], {
    page: './orders/order-details-page.tsx',
    ...orders,
    fallback: '/orders',
    named: ['/my-orders/order-details'],
  }),
  row('deliveryAppointment', ['/orders/customer-order/{customerOrderId}/shipment/{sellerOrderId}/appointment'], appointing),
  row('shipmentDetails', [at.shipmentDetails], { ...shipment, named: ['/my-orders/shipment-details'], fallback: '/orders' }),
  row('orderCancellationRecap', ['/orders/customer-order/{customerOrderId}/shipment/{sellerOrderId}/cancellation/summary'], cancelling),
  row('myMessages', ['/my-messages/page/{pageNumber}'], {
    ...restricted,
    named: ['/conversations'],
    fallback: '/my-messages/page/1',
    page: './messages/messages-page.tsx',
  }),
  row('conversation', [at.conversation], {
    ...orders,
    named: ['/conversations/conversation'],
    fallback: '/my-messages/page/1',
    page: './messages/conversation-page.tsx',
  }),
  row('helpCenter', ['/help'], {
    ...cached(['texts', 'content'], ['version', 'q']),
    named: ['/help-center'],
    page: './information/help-page.tsx',
  }),
  row('helpArticle', [at.helpArticle], { ...entry, fallback: '/help' }),
  row('orderSelection', ['/help/order-selection', '/help/order-selection/page/{pageNumber}'], {
    ...restricted,
    page: './support/order-selection-page.tsx',
  }),
  row('onlineSupport', ['/online-support/{orderId}'], {
    ...orders,
    named: ['/online-support'],
    fallback: '/help/order-selection',
    page: './support/support-page.tsx',
  }),
  row('onlineSupportContactForm', ['/online-support/{orderId}/contact-form'], {
    ...orders,
    page: './support/contact-form-page.tsx',
    named: ['/online-support/contact-form'],
    fallback: '/help/order-selection',
  }),
  row('onlineSupportDispute', [at.dispute], {
    ...orders,
    page: './disputes/dispute-page.tsx',
    named: ['/online-support/dispute-form'],
    fallback: '/help/order-selection',
  }),
  row('onlineSupportDisputeSuccess', ['/online-support/dispute/{messageId}/success'], {
    ...orders,
    page: './disputes/dispute-success-page.tsx',
    named: ['/online-support/dispute-form/success'],
    fallback: '/help/order-selection',
  }),
  row('onlineSupportFollowDelivery', ['/online-support/{orderId}/follow-delivery'], {
    page: './orders/follow-delivery-page.tsx',
    ...restricted,
    named: ['/online-support/follow-delivery'],
    fallback: '/help/order-selection',
  }),
  row('onlineSupportInvoice', [at.selfCareInvoice], {
    page: './invoices/self-care-invoice-page.tsx',
    ...orders,
    named: ['/online-support/self-care-invoice'],
    fallback: '/help/order-selection',
  }),
  row('returnRequest', ['/return-request/{customerOrderId}/{orderId}'], returning),
  row('returnConfirmation', ['/return-request/{customerOrderId}/{orderId}/confirmation/{requestId?}'], returned),
  row('returnFeedback', [at.returnFeedback], { ...open, page: './returns/return-feedback-page.tsx', named: ['/returns/feedback-form'] }),
  row('refundForm', [at.refundForm], { ...orders, page: './returns/refund-form-page.tsx', named: ['/refund-form'], fallback: '/orders' }),
  row('trackMyParcel', [at.trackMyParcel], { ...tracking, named: ['/track-my-parcel'], fallback: '/help' }),
  // A guest who has lost the mail asks for the link again.
  row('findOrder', [at.findOrder], { ...open, page: './orders/find-order-page.tsx' }),
  row('homeCollectionAccept', [at.homeCollectionAccept], collecting.accept),
  row('homeCollectionCancel', [at.homeCollectionCancel], collecting.cancel),
  row('homeCollectionChangeAddress', [at.homeCollectionChangeAddress], collecting.changeAddress),
  row('review', ['/review'], { ...open, page: './reviews/review-page.tsx' }),
  row('reviewConfirmation', ['/review/confirmation'], { ...open, page: './reviews/confirmation-page.tsx' }),
  row('reviewListing', ['/review/listing'], { ...open, page: './reviews/listing-page.tsx' }),
  row('sellerMessagesReviewConfirmation', ['/seller-messages-review/confirmation'], { ...open, page: './messages/rated-page.tsx' }),
  row('survey', ['/survey'], { ...open, page: './reviews/survey-page.tsx' }),

  ...professionalRoutes,

  // Texts.
  row('termsAndConditions', [at.terms], { ...text, named: ['/static/terms-and-conditions'] }),
  row('withdrawal', [at.withdrawal], { ...indexable, page: './information/withdrawal-page.tsx' }),
  row('consumerInformation', ['/consumer-information'], text),
  row('ranking', ['/consumer-information/ranking'], { ...cached([]), page: './information/ranking-page.tsx' }),
  row('deliveryInformation', ['/delivery-and-returns'], text),
  row('dataProtection', ['/data-protection'], text),
  // The visitor's choice about statistics, advertising and preferences, and what the shop stores in the browser.
  row('privacyChoices', ['/privacy-choices'], { ...open, page: './consent/privacy-choices-page.tsx' }),
  row('legals', [at.legals], text),
  row('accessibility', ['/accessibility'], text),
  row('youHaveGotThis', [at.youHaveGotThis], writtenPage),
  row('contact', ['/contact'], { ...indexable, page: './information/contact-page.tsx' }),
  row('contactWebsiteUse', ['/contact/website-use'], { ...open, page: './information/contact-page.tsx' }),
  row('incompatibleBrowser', ['/incompatible-browser'], {
    ...open,
    layout: 'custom',
    named: ['/static/incompatible-browser'],
    page: './information/incompatible-browser-page.tsx',
  }),
  row('bingo', [at.bingo], { ...writtenPage, indexable: false }),
  row('reassurance', [at.reassurance], writtenPage),
  row('notFound', ['/404'], { ...open, page: './errors/not-found-page.tsx' }),

  // Served by handlers of their own.
  row('manifest', ['/manifest.json'], {
    ...open,
    endpoint: 'served',
    layout: 'none',
    named: ['/api/static/manifest-b2b', '/api/static/manifest-b2c'],
  }),
  row('auth', ['/api/auth/{path*}'], { ...open, endpoint: 'served', layout: 'none' }),
  row('exchangeToB2c', ['/api/v1/exchange-to-b2c'], { ...open, endpoint: 'served', layout: 'none' }),
  row('exchangeToPro', ['/api/v1/exchange-to-pro'], { ...open, endpoint: 'served', layout: 'none' }),
  row('logout', ['/api/v1/logout'], { ...open, endpoint: 'served', layout: 'none' }),
  row('credentials', ['/api/v1/credentials'], { ...open, endpoint: 'served', layout: 'none' }),
  row('registerCall', ['/api/v1/register'], { ...open, endpoint: 'served', layout: 'none' }),
] as const

export type PageName = (typeof routes)[number]['name']

/** Whether a search engine may index it: pages alone, and never where a sign-in is required. */
export function isIndexable(route: ShopRoute): boolean {
  return route.indexable && route.page !== undefined && route.access === 'public'
}
