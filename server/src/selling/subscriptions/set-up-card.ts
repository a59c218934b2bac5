import { firstOfNumber } from '#accounts'
import { enqueue, type JobScope, type Db } from '#platform'
import { payLabel, paymentProvider, type ProviderSetup } from '#payments'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailCompany } from './mail-company.ts'
import { startedMail } from './mails.ts'
import { anchorOf, trialEnd } from './plan.ts'
import { readSetup, writeSetup, type Promised, type Setup } from './setup-store.ts'
import { readOpenCharge, writeCharge } from './charge-store.ts'
import { trialOf } from './start-subscription.ts'
import { lockSubscription, readSubscription, takeTrialTurn, writeSubscription, type Subscription } from './store.ts'

export interface SetupSeen {
  seen: ProviderSetup
  customer: string
}

/** Creates the card form with the provider. */
export async function createSetup(db: Db, setupId: string, signal: AbortSignal): Promise<SetupSeen | null> {
  const setup = await readSetup(db, setupId)
  const subscription = setup && (await readSubscription(db, setup.subscriptionId))
  if (!subscription || setup.state !== 'requested') return null
  const provider = paymentProvider()
  const { companyId, market, origin } = subscription
  // The company's own customer: its card is neither offered to nor removed with one of its members.
  const customer =
    subscription.provider === provider.name && subscription.providerCustomer !== null
      ? subscription.providerCustomer
      : await provider.createCustomer(`company:${companyId}`, { key: `customer-company-${companyId}`, signal })
  const wish = { setupId, market, payLabel: buttonOf(setup, subscription), shopOrigin: origin, customer }
  const returnUrl = `${origin}/subscription-checkout?returned=${setupId}`
  return { customer, seen: await provider.createSetup({ ...wish, returnUrl }, { key: `setup-${setupId}`, signal }) }
}

/** The label of the provider's button: subscribing is an order, another card is not, but it pays what is overdue. */
function buttonOf({ promised, pays }: Setup, { state, market }: Pick<Subscription, 'state' | 'market'>): string {
  if (promised || (pays === null && state === 'incomplete')) return payLabel(market)
  return wordsFor(market)((pays ?? state === 'past-due') ? 'subscription.card.save-and-pay' : 'subscription.card.save')
}

export async function noteSetup(scope: JobScope, setupId: string, { seen, customer }: SetupSeen): Promise<void> {
  const setup = await readSetup(scope.db, setupId)
  const subscription = setup && (await lockSubscription(scope.db, setup.subscriptionId))
  if (!subscription) return
  await writeSubscription(scope.db, { ...subscription, provider: paymentProvider().name, providerCustomer: customer })
  await writeSetup(scope.db, { id: setupId, state: 'open', reference: seen.reference, frameUrl: seen.frameUrl, failure: null })
}

export async function seeSetup(db: Db, setupId: string, signal: AbortSignal): Promise<ProviderSetup | null> {
  const setup = await readSetup(db, setupId)
  return setup?.state === 'open' && setup.reference !== null ? paymentProvider().retrieveSetup(setup.reference, { signal }) : null
}

/**
 * Takes over the saved card: the first one begins what its page promised, a later one pays what is due. A colleague may have chosen another
 * plan since, and another company of the number may have had the trial: then nothing begins, and the page asks for the choice once more, at
 * its price. A company that was confirmed since has its trial, although none was promised.
 */
export async function applySetup(scope: JobScope, setupId: string, seen: ProviderSetup): Promise<void> {
  const { db, now } = scope
  const setup = await readSetup(db, setupId)
  const known = setup && (await readSubscription(db, setup.subscriptionId))
  if (known?.state === 'incomplete') await takeTrialTurn(db, await firstOfNumber(db, known.companyId))
  const subscription = setup && (await lockSubscription(db, setup.subscriptionId))
  if (!subscription || subscription.state === 'ended' || seen.status === 'open') return
  const state: Setup['state'] = seen.card ? 'done' : 'failed'
  if (!(await writeSetup(db, { id: setupId, state, reference: seen.reference, frameUrl: null, failure: seen.failureCode })) || !seen.card)
    return
  const {
    reference: cardReference,
    brand: cardBrand,
    last4: cardLast4,
    expiryYear: cardExpiryYear,
    expiryMonth: cardExpiryMonth,
  } = seen.card
  const withCard = { ...subscription, cardReference, cardBrand, cardLast4, cardExpiryYear, cardExpiryMonth }
  if (subscription.state !== 'incomplete') {
    // Fields of a plan do not replace the card with which the subscription has begun since: it may be another plan.
    if (setup.promised) return
    await writeSubscription(db, withCard)
    const due = await readOpenCharge(db, subscription.id)
    // A button that has only saved the card leaves the charge to its next attempt.
    if (!due || setup.pays === false) return
    // The page has promised that what is overdue is paid at once.
    // Should the job be parked, the next round takes the charge.
    await writeCharge(db, { ...due, nextAttemptAt: new Date(now.getTime() + 10 * 60_000) })
    await enqueue(db, { name: 'subscriptions.charge', key: due.id, payload: { chargeId: due.id } })
    return
  }
  const hasTrial = (await trialOf(db, subscription.companyId)) === 'available'
  if (!keepsPromise(setup.promised ?? subscription, { ...subscription, hasTrial })) {
    await writeSubscription(db, { ...subscription, hasTrial })
    return
  }
  const begun = begin({ ...withCard, hasTrial }, now)
  await writeSubscription(db, begun)
  await mailCompany(scope, begun, startedMail, begun.id)
}

/** Whether a card may begin the subscription as it would now. A trial that its page did not promise is no reason against it. */
function keepsPromise(promised: Promised, now: Promised): boolean {
  return promised.market === now.market && promised.period === now.period && (now.hasTrial || !promised.hasTrial)
}

/** Without a trial the first period is due at once, and no benefits apply before it is paid. */
function begin(subscription: Subscription, now: Date): Subscription {
  const { hasTrial, market } = subscription
  const end = hasTrial ? trialEnd(market, now) : now
  return {
    ...subscription,
    state: hasTrial ? 'trialing' : 'active',
    paidUntil: hasTrial ? end : null,
    dueAt: end,
    anchorDay: anchorOf(market, end, null),
  }
}
