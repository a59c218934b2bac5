import { publicAddresses as at } from '@purlin/contract/public-addresses.ts'
import { row, b2b, cached, entry, funnel, open, restricted } from './route-row.ts'

/** Addresses of Purlin Pro: public pages of trades, conversion, company, invoices, credit, loyalty and subscription. */
export const professionalRoutes = [
  row('proLanding', ['/pro'], {
    ...cached(['texts', 'content'], ['version']),
    named: ['/static/pro-landing'],
    page: './pro/landing-page.tsx',
  }),
  row('proPublicPages', [at.proPage], {
    ...entry,
    named: ['/static/pro-public-pages'],
    fallback: '/pro',
    page: './pro/public-page.tsx',
  }),
  row('conversionFromB2c2B2b', ['/pro-account/signup'], {
    ...restricted,
    named: ['/pro-services/conversion-flow'],
    page: './pro/conversion-page.tsx',
  }),
  // Members of a company, their roles and invitations; the link of an invitation.
  row('companySettings', ['/my-account/company'], { action: 'company.see', only: 'b2b', page: './company/company-page.tsx' }),
  row('companySites', ['/my-account/company/sites'], { action: 'company.see', only: 'b2b', page: './company/sites-page.tsx' }),
  row('companyBudgets', ['/my-account/company/budgets'], { action: 'company.see', only: 'b2b', page: './company/budgets-page.tsx' }),
  row('companySpending', ['/my-account/company/spending'], { action: 'spending.see', only: 'b2b', page: './company/spending-page.tsx' }),
  // Purchasing systems of the company: their credentials, the start page of a visit, and the basket on its way back.
  row('companyPunchOut', ['/my-account/company/punch-out'], {
    action: 'punch-out.manage',
    only: 'b2b',
    page: './punch-out/credentials-page.tsx',
  }),
  row('punchOutStart', [at.punchOutStart], { ...open, only: 'b2b', page: './punch-out/start-page.tsx' }),
  row('punchOutReturn', ['/punch-out/return'], {
    action: 'punch-out.return',
    only: 'b2b',
    page: './punch-out/return-page.tsx',
  }),
  // Orders beyond a budget: the request, its decision in the account, and by the link of a mail.
  row('approvalRequest', ['/order/{customerOrderId}/approval'], {
    action: 'approval.request',
    ...funnel,
    only: 'b2b',
    page: './approval/request-page.tsx',
  }),
  row('approvals', ['/my-account/approvals'], { action: 'approval.see', only: 'b2b', page: './approval/approvals-page.tsx' }),
  row('approval', ['/my-account/approvals/{id}'], { action: 'approval.see', only: 'b2b', page: './approval/approval-page.tsx' }),
  row('approvalLink', ['/approval/{token}'], { ...open, only: 'b2b', page: './approval/approval-link-page.tsx' }),
  // A member's own work, which a script puts into the cached pages above.
  row('proAtAGlance', ['/pro-at-a-glance'], { ...b2b, only: 'b2b', layout: 'none', page: './pro/glance-page.tsx' }),
  row('companyInvitation', ['/company-invitation/{token}'], { ...open, page: './company/invitation-page.tsx' }),
  row('quickOrder', ['/quick-order'], { action: 'quick-order.use', only: 'b2b', page: './quick-order/quick-order-page.tsx' }),
  row('quotes', ['/my-account/quotes'], { action: 'quote.see', only: 'b2b', page: './quotes/quotes-page.tsx' }),
  row('quoteRequest', ['/my-account/quotes/request'], { action: 'quote.decide', only: 'b2b', page: './quotes/request-page.tsx' }),
  row('quote', ['/my-account/quotes/{id}'], {
    action: 'quote.see',
    only: 'b2b',
    page: './quotes/quote-page.tsx',
  }),
  row('buyAgain', ['/buy-again'], { ...b2b, named: ['/best-sellers/buy-again'], page: './account/buy-again-page.tsx' }),
  row('proServicesInvoices', ['/my-invoices', '/my-invoices/{customerOrderId}'], {
    ...b2b,
    named: ['/pro-services/invoices'],
    page: './invoices/invoices-page.tsx',
  }),
  row('invoiceStatement', [at.invoiceStatement], { action: 'statement.see', only: 'b2b', page: './credit/statement-page.tsx' }),
  row('directDebit', [at.directDebit], { action: 'statement.see', only: 'b2b', page: './credit/direct-debit-page.tsx' }),
  row('billie', ['/billie'], { ...b2b, page: './credit/billie-page.tsx' }),
  row('financing', ['/financing'], { ...b2b, page: './credit/financing-page.tsx' }),
  row('financingDetails', ['/financing-details'], { ...b2b, page: './credit/financing-details-page.tsx' }),
  row('loyaltyLanding', ['/static/loyalty-landing'], { ...b2b, page: './pro/loyalty-page.tsx' }),
  row('loyaltyProgramFaq', [at.loyaltyProgramFaq], { ...b2b, page: './advice/written-page.tsx' }),
  row('subscription', ['/subscription'], { ...open, page: './subscription/subscription-page.tsx' }),
  row('subscriptionPublic', ['/static/subscription'], { ...cached([]), page: './subscription/public-page.tsx' }),
  row('subscriptionManagement', ['/subscription-management'], { ...restricted, page: './subscription/management-page.tsx' }),
  row('subscriptionCheckout', ['/subscription-checkout'], { ...b2b, page: './subscription/checkout-page.tsx' }),
] as const
