import { professionalRoutes } from '@purlin/storefront/professional-routes.ts'
import type { Visitor } from './visitor.ts'
import type { StateChecks } from './page-states.ts'
import type { ProRole, ProThings } from './pro-things.ts'

/** Each page for professionals in four states, and in those that a page has besides; or the reason that a state is not walked here. */

type PageName = (typeof professionalRoutes)[number]['name']

export interface ProState {
  path: string | ((things: ProThings) => string)
  /** The administrator of a company that has everything, by default. */
  as?: ProRole | 'bare' | 'ended' | 'guest'
  status?: number
  /** The form with this field is sent with these values. */
  sends?: { field: string; values?: Readonly<Record<string, string>>; file?: { name: string; content: string } }
}

type StateName = 'filled' | 'empty' | 'failing' | 'forbidden'
type ProPage = Record<StateName, ProState | string> & { more?: Readonly<Record<string, ProState>> }

const noForm = 'nothing is entered on it'
const optionalField = 'its only field is optional'
const everybody = 'it is open to everybody'
const alwaysFilled = 'its content does not depend on the visitor'
const ofCompany = 'each member of the company sees it'
const notFound = (path: string, as: ProRole): ProState => ({ path, as, status: 404 })
const shown = (path: string, as?: ProState['as']): ProState => ({ path, ...(as && { as }) })
const sent = (path: string, field: string, values?: Readonly<Record<string, string>>): ProState => ({
  path,
  sends: { field, ...(values && { values }) },
})

const company = '/my-account/company'
const approvalOf = (key: keyof ProThings['approvals'], as: ProRole): ProState => ({
  path: ({ approvals }) => `/my-account/approvals/${approvals[key]}`,
  as,
})
const quoteOf = (key: keyof ProThings['quotes'], as: ProRole = 'buyer'): ProState => ({
  path: ({ quotes }) => `/my-account/quotes/${quotes[key]}`,
  as,
})
const statementOf = (key: keyof ProThings['statements']): ProState => ({
  path: ({ statements }) => `/my-invoices/statement/${statements[key]}`,
})
const linkOf = (key: keyof ProThings['links']): ProState => ({ path: ({ links }) => `/approval/${links[key]}`, as: 'guest' })
const sheet = (content: string): ProState => ({ path: '/quick-order', sends: { field: 'sheet', file: { name: 'order.csv', content } } })
const mandate = '/my-account/company/direct-debit'

/** Pages without states: their content is the same for every member, or they answer nobody with a page of their own. */
const walkedElsewhere = {
  proLanding: 'pro-pages.test.ts opens it; it has one state',
  proPublicPages: 'pro-pages.test.ts opens one of each type; they have one state',
  conversionFromB2c2B2b: 'account-states.test.ts walks its states',
  proAtAGlance: 'a part of other pages, which has no layout of its own',
  punchOutStart: 'punch-out.test.ts comes from a purchasing system, and again after the visit',
  punchOutReturn: 'punch-out.test.ts goes back to a purchasing system, twice',
  approvalRequest: 'company-orders.test.ts requests two approvals; other orders have no such page',
  companyInvitation: 'account-states.test.ts walks the invitation and an unknown one, company-orders.test.ts accepts two',
  subscriptionPublic: 'pro-pages.test.ts opens it; it has one state',
  financing: 'pro-pages.test.ts opens it; it has one state',
  loyaltyProgramFaq: 'pro-pages.test.ts opens it; it has one state',
} satisfies Partial<Record<PageName, string>>

type Walked = Exclude<PageName, keyof typeof walkedElsewhere>

export const proPages: Readonly<Record<Walked, ProPage>> & Readonly<Record<keyof typeof walkedElsewhere, string>> = {
  ...walkedElsewhere,
  companySettings: {
    filled: shown(company),
    empty: shown(company, 'bare'),
    failing: sent(company, 'email', { email: 'ottilie@' }),
    forbidden: ofCompany,
    more: { buyer: shown(company, 'buyer'), viewer: shown(company, 'viewer') },
  },
  companySites: {
    filled: shown(`${company}/sites`),
    empty: shown(`${company}/sites`, 'bare'),
    failing: sent(`${company}/sites?add=1`, 'line1'),
    forbidden: ofCompany,
    more: { viewer: shown(`${company}/sites`, 'viewer') },
  },
  companyBudgets: {
    filled: shown(`${company}/budgets`),
    empty: shown(`${company}/budgets`, 'bare'),
    failing: sent(`${company}/budgets`, 'monthly', { monthly: 'a lot' }),
    forbidden: ofCompany,
    more: { buyer: shown(`${company}/budgets`, 'buyer'), viewer: shown(`${company}/budgets`, 'viewer') },
  },
  companySpending: {
    filled: shown(`${company}/spending`),
    empty: shown(`${company}/spending`, 'bare'),
    failing: noForm,
    forbidden: notFound(`${company}/spending`, 'buyer'),
    more: { viewer: notFound(`${company}/spending`, 'viewer'), accountant: shown(`${company}/spending`, 'accountant') },
  },
  companyPunchOut: {
    filled: 'punch-out.test.ts creates credentials',
    empty: shown(`${company}/punch-out`),
    failing: sent(`${company}/punch-out`, 'name'),
    forbidden: notFound(`${company}/punch-out`, 'buyer'),
  },
  approvals: {
    filled: shown('/my-account/approvals', 'approver'),
    empty: shown('/my-account/approvals', 'bare'),
    failing: noForm,
    forbidden: 'members who may not see the requests of others see an empty list of their own',
    more: { buyer: shown('/my-account/approvals', 'buyer'), viewer: shown('/my-account/approvals', 'viewer') },
  },
  approval: {
    filled: approvalOf('pending', 'approver'),
    empty: { path: '/my-account/approvals/of-nobody', status: 404 },
    failing: optionalField,
    forbidden: { ...approvalOf('pending', 'viewer'), status: 404 },
    more: {
      'not-yours': approvalOf('pending', 'buyer'),
      approved: approvalOf('approved', 'buyer'),
      refused: approvalOf('refused', 'buyer'),
      withdrawn: approvalOf('withdrawn', 'buyer'),
      expired: approvalOf('expired', 'buyer'),
      unneeded: approvalOf('unneeded', 'buyer'),
      'unneeded-for-approver': approvalOf('unneeded', 'approver'),
      'expired-for-approver': approvalOf('expired', 'approver'),
    },
  },
  approvalLink: {
    filled: linkOf('pending'),
    empty: { path: '/approval/of-nobody', as: 'guest', status: 404 },
    failing: optionalField,
    forbidden: 'whoever has the link may open it',
    more: { decided: linkOf('approved') },
  },
  quickOrder: {
    filled: 'quick-order.test.ts reads a sheet of two hundred rows',
    empty: shown('/quick-order'),
    failing: 'quick-order.test.ts has twelve rows that are wrong',
    forbidden: everybody,
    more: {
      'sheet-empty': sheet(''),
      'sheet-damaged': sheet('M1\0;2'),
      'sheet-too-large': sheet('x'.repeat(2_000_001)),
      'sheet-cut': sheet('NO-SUCH-PART;2\n'.repeat(301)),
    },
  },
  quotes: {
    filled: shown('/my-account/quotes', 'buyer'),
    empty: shown('/my-account/quotes', 'bare'),
    failing: noForm,
    forbidden: ofCompany,
  },
  quoteRequest: {
    filled: 'quotes.test.ts requests a quote',
    empty: shown('/my-account/quotes/request', 'bare'),
    failing: 'storefront/src/quotes/quote-pages.test.ts sends one that is refused',
    forbidden: notFound('/my-account/quotes/request', 'viewer'),
  },
  quote: {
    filled: quoteOf('answered'),
    empty: { path: '/my-account/quotes/of-nobody', status: 404 },
    failing: noForm,
    forbidden: { ...quoteOf('answered'), as: 'bare', status: 404 },
    more: {
      viewer: quoteOf('answered', 'viewer'),
      requested: quoteOf('requested'),
      refused: quoteOf('refused'),
      declined: quoteOf('declined'),
      withdrawn: quoteOf('withdrawn'),
      expired: quoteOf('expired'),
      accepted: quoteOf('accepted'),
      ordered: quoteOf('ordered'),
    },
  },
  buyAgain: {
    filled: 'the past of the demo’s people has it; account-pages.test.ts',
    empty: shown('/buy-again', 'bare'),
    failing: noForm,
    forbidden: everybody,
  },
  proServicesInvoices: {
    filled: shown('/my-invoices'),
    empty: shown('/my-invoices', 'bare'),
    failing: noForm,
    forbidden: 'buyers see the invoices of their own orders',
    more: { buyer: shown('/my-invoices', 'buyer') },
  },
  invoiceStatement: {
    filled: statementOf('announced'),
    empty: { path: '/my-invoices/statement/of-nobody', status: 404 },
    failing: noForm,
    forbidden: { ...statementOf('announced'), as: 'buyer', status: 404 },
    more: { paid: statementOf('paid'), returned: statementOf('returned') },
  },
  directDebit: {
    filled: shown(mandate),
    empty: shown(mandate, 'bare'),
    failing: { ...sent(mandate, 'iban', { holder: 'Lee Building Ltd', iban: 'DE89 3704 0044 0532 0130 01' }), as: 'ended' },
    forbidden: notFound(mandate, 'buyer'),
    more: { ended: shown(mandate, 'ended'), accountant: shown(mandate, 'accountant') },
  },
  billie: {
    filled: shown('/billie'),
    empty: shown('/billie', 'bare'),
    failing: noForm,
    forbidden: everybody,
  },
  financingDetails: {
    filled: shown('/financing-details'),
    empty: alwaysFilled,
    failing: sent('/financing-details', 'phone', { phone: '1' }),
    forbidden: everybody,
  },
  loyaltyLanding: {
    filled: 'the programme runs for a whole storefront: whole-shop/pro-pages.test.ts',
    empty: shown('/static/loyalty-landing'),
    failing: noForm,
    forbidden: everybody,
  },
  subscription: {
    filled: shown('/subscription', 'bare'),
    empty: alwaysFilled,
    failing: noForm,
    forbidden: everybody,
    more: { 'no-trial': shown('/subscription', 'ended') },
  },
  subscriptionManagement: {
    filled: shown('/subscription-management'),
    empty: shown('/subscription-management', 'bare'),
    failing: noForm,
    forbidden: 'other members read it',
    more: { viewer: shown('/subscription-management', 'viewer'), unpaid: shown('/subscription-management', 'ended') },
  },
  subscriptionCheckout: {
    filled: shown('/subscription-checkout', 'bare'),
    empty: alwaysFilled,
    failing: 'subscription.test.ts sends it without an address',
    forbidden: 'other members are told to ask an administrator',
    more: { buyer: shown('/subscription-checkout', 'viewer') },
  },
}

export interface NamedState extends ProState {
  /** Of the page and the state. */
  name: string
  isFailing: boolean
}

export function proStates(): NamedState[] {
  return Object.entries(proPages).flatMap(([page, states]) => {
    if (typeof states === 'string') return []
    const { more = {}, ...four } = states
    return Object.entries({ ...four, ...more }).flatMap(([state, known]) =>
      typeof known === 'string' ? [] : [{ ...known, name: `${page}-${state}`, isFailing: state === 'failing' }],
    )
  })
}

/** Opens a state, and looks at it. Reports a page with another status, and one without a refusal where one is expected. */
export async function lookAtState(
  { visitor, checks, things }: { visitor: Visitor; checks: StateChecks; things: ProThings },
  { name, path, as = 'admin', status = 200, sends, isFailing }: NamedState,
): Promise<string[]> {
  const { page, origin } = visitor
  const token = as === 'guest' ? null : as === 'bare' || as === 'ended' ? things[as] : things.sessions[as]
  await page.context().clearCookies({ name: '__Host-purlin' })
  const cookie = { name: '__Host-purlin', path: '/', secure: true, httpOnly: true, sameSite: 'Lax' } as const
  if (token !== null) await page.context().addCookies([{ ...cookie, value: token, domain: new URL(origin).hostname }])
  const response = await page.goto(origin + (typeof path === 'string' ? path : path(things)))
  if (response?.status() !== status) return [`${name}: ${response?.status()} instead of ${status} at ${page.url()}`]
  if (sends) await send(visitor, sends)
  await checks.look(name, { failing: isFailing })
  return []
}

/** Sends a form without the browser's own checks. */
async function send({ page }: Visitor, { field, values = {}, file }: NonNullable<ProState['sends']>): Promise<void> {
  const form = page.locator(`main form:has([name="${field}"])`).first()
  await form.evaluate((element: HTMLFormElement) => {
    element.noValidate = true
    const around = element.closest('details')
    if (around) around.open = true
  })
  if (file) {
    const upload = { name: file.name, mimeType: 'text/csv', buffer: Buffer.from(file.content) }
    await form.locator(`[name="${field}"]`).setInputFiles(upload)
  }
  for (const [name, value] of Object.entries(values)) await form.locator(`[name="${name}"]:not([type="hidden"])`).first().fill(value)
  const answered = page.waitForResponse((response) => response.request().method() === 'POST' && response.request().isNavigationRequest())
  await form.locator('button').last().click()
  await answered
  await page.waitForLoadState()
}
