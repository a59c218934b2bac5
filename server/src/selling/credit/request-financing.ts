import { financing, isFinanced } from '@purlin/contract/financing.ts'
import { markets } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { companyOf, customerIdOf, emailOf, readCompany } from '#accounts'
import { sendMail } from '#mail'
import { newId, settings, takeNumbers, takeQuota, type Scope } from '#platform'
import { showMoney } from '#pricing'
import { financingMail, financingNoticeMail } from './mails.ts'
import { insertFinancing } from './store.ts'

export interface FinancingInput {
  /** Whole units of currency. */
  amount: number
  months: number
  purpose: string
  phone: string
}

const firstNumber = 90_001

/** A request for financing: stored, confirmed by mail, and sent to the operator, who replies in person. */
export async function requestFinancing(scope: Scope, input: FinancingInput) {
  const { market, mode, origin, db } = scope
  const t = wordsFor(market)
  const [companyId, customerId, email] = [companyOf(scope), customerIdOf(scope), emailOf(scope)]
  const company = companyId === null ? undefined : await readCompany(db, companyId)
  const [purpose, phone] = [input.purpose.trim(), input.phone.trim()]
  const fields = faultsOf(scope, { ...input, purpose, phone })
  if (!company || customerId === null || email === null || mode !== 'b2b' || fields.length > 0) {
    return { number: null, refusal: { reason: 'input-invalid' as const, message: t('refusal.input-invalid'), fields } }
  }
  const { ok } = await takeQuota('message', { customer: customerId })
  if (!ok) return { number: null, refusal: { reason: 'too-many-attempts' as const, message: t('refusal.too-many-attempts'), fields: [] } }
  const id = newId()
  const number = String(await takeNumbers(db, 'financing', 1, firstNumber))
  const minor = input.amount * 100
  const { currency } = markets[market]
  await insertFinancing(db, {
    id,
    number,
    companyId: company.id,
    customerId,
    market,
    currency,
    amount: minor,
    months: input.months,
    purpose,
    phone,
  })
  const site = { market, mode, origin }
  const facts = { number, company: company.name, amount: showMoney(market, minor).formatted, months: input.months }
  await sendMail(scope, financingMail, { to: email, site, payload: facts, key: `financing:${id}` })
  const notice = { ...facts, purpose, email, phone }
  await sendMail(scope, financingNoticeMail, { to: settings().operator.email, site, payload: notice, key: `financing:${id}:notice` })
  return { number, refusal: null }
}

/** Every field that is wrong, in the order of the form. */
function faultsOf({ market }: Pick<Scope, 'market'>, { amount, months, purpose, phone }: FinancingInput) {
  const t = wordsFor(market)
  const shown = (units: number) => showMoney(market, units * 100).formatted
  const isTermOffered = isFinanced(financing.least, months)
  const isAmountFinanced = isFinanced(amount, financing.months[0])
  const range = t('financing.amount.range', { least: shown(financing.least), most: shown(financing.most) })
  const limit = 2000
  return [
    ...(isAmountFinanced ? [] : [{ field: 'amount', message: range }]),
    ...(isTermOffered ? [] : [{ field: 'months', message: t('form.choice') }]),
    ...(purpose === '' ? [{ field: 'purpose', message: t('form.required') }] : []),
    ...(purpose.length > limit ? [{ field: 'purpose', message: t('form.too-long', { limit }) }] : []),
    ...(/^[+\d][\d ()/.-]{5,30}$/.test(phone) ? [] : [{ field: 'phone', message: t('refusal.field.phone-format') }]),
  ]
}
