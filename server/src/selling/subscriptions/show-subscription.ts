import { authorize, companyOf } from '#accounts'
import type { Market } from '@purlin/contract/markets.ts'
import { failureMessage, showCard } from '#payments'
import type { Scope } from '#platform'
import { operatorRateBp, showMoney, vatRules } from '#pricing'
import { readOpenCharge } from './charge-store.ts'
import { withdrawablePayment } from './change-subscription.ts'
import { isEntitled } from './dunning.ts'
import {
  chargedVat,
  dayMs,
  priceOf,
  subscriptionPeriods,
  trialDays,
  withdrawalDays,
  type ChargedVat,
  type SubscriptionPeriod,
} from './plan.ts'
import { priceForCompany } from './price-for-company.ts'
import { trialOf } from './start-subscription.ts'
import { readLatest } from './store.ts'

/** Plans of a market with the VAT of a company that has no number: the same for everybody. */
export async function showPlans(scope: Pick<Scope, 'db' | 'now' | 'market'>) {
  const rateBp = operatorRateBp(await vatRules(scope), scope.market, scope.now)
  return subscriptionPeriods.map((period) => showPrice(scope.market, period, rateBp, 'charged'))
}

function showPrice(market: Market, period: SubscriptionPeriod, rateBp: number, vatTreatment: ChargedVat) {
  const { net, vat, gross } = priceOf(market, period, rateBp)
  const money = (amount: number) => showMoney(market, amount)
  return { period, net: money(net), vat: money(vat), gross: money(gross), vatTreatment, trialDays, withdrawalDays }
}

/** The subscription of the member's company, or its last one. */
export async function showSubscription(scope: Scope) {
  const companyId = companyOf(scope)
  if (companyId === null || !authorize(scope, 'subscription.see', { companyId })) return null
  const canChange = authorize(scope, 'subscription.change', { companyId })
  // The trial first: where a card that is applied meanwhile has used it up, the subscription read after it has begun.
  const trial = await trialOf(scope.db, companyId)
  const found = await readLatest(scope.db, companyId)
  // One that was begun is charged in its market; the next one begins in this.
  const market = found && found.state !== 'ended' ? found.market : scope.market
  const price = await priceForCompany(scope, { companyId, market }, found?.nextPeriod ?? found?.period ?? 'yearly')
  const prices = subscriptionPeriods.map((period) => showPrice(market, period, price.rateBp, chargedVat(price.treatment)))
  const none = {
    state: null,
    period: null,
    nextPeriod: null,
    nextCharge: null,
    card: null,
    setup: null,
    failure: null,
    endReason: null,
  }
  const nothing = { dueAt: null, paidUntil: null, retryAt: null, endedAt: null }
  const not = { isEntitled: false, cancelsAtEnd: false, canWithdraw: false }
  const ahead = { hasTrial: trial === 'available', awaitsConfirmation: trial === 'unconfirmed' }
  if (!found) return { canChange, prices, ...ahead, ...none, ...nothing, ...not }
  const { cardLast4, cardBrand, cardExpiryYear, cardExpiryMonth } = found
  const setup = canChange ? found.setup : undefined
  const [open, withdrawable] = await Promise.all([
    readOpenCharge(scope.db, found.id),
    canChange ? withdrawablePayment(scope, found) : undefined,
  ])
  const isLive = found.state !== 'ended' && found.state !== 'incomplete'
  const next = found.cancelsAtEnd || !isLive ? undefined : price
  const kept = { id: found.id, isDefault: true, savedAt: found.createdAt }
  // The card fields follow what was promised with the plan: once that has changed, the plan is chosen again.
  const isAsPromised = found.state !== 'incomplete' || found.hasTrial === ahead.hasTrial
  const isOpen = setup && setup.state !== 'done' && isAsPromised && scope.now.getTime() - setup.createdAt.getTime() < dayMs
  return {
    ...found,
    canChange,
    hasTrial: isLive ? found.hasTrial : ahead.hasTrial,
    awaitsConfirmation: ahead.awaitsConfirmation,
    isEntitled: isEntitled(found, scope.now),
    prices,
    nextCharge: next ? showMoney(market, open?.gross ?? next.gross) : null,
    retryAt: open && open.attempts > 0 ? open.nextAttemptAt : null,
    failure: failureMessage(market, open?.failure ?? null),
    canWithdraw: withdrawable !== undefined,
    card:
      cardLast4 === null || cardBrand === null || cardExpiryYear === null || cardExpiryMonth === null
        ? null
        : showCard({ ...kept, brand: cardBrand, last4: cardLast4, expiryYear: cardExpiryYear, expiryMonth: cardExpiryMonth }, scope.now),
    setup: isOpen
      ? { id: setup.id, frameUrl: setup.frameUrl, isFailed: setup.state === 'failed', failure: failureMessage(market, setup.failure) }
      : null,
  }
}
