import { markets } from '@purlin/contract/markets.ts'
import { formatMoney } from '@purlin/server/goods/pricing/money-format.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { challengeCode } from './demo-cards.ts'
import type { Intent } from './intent.ts'
import { escape, page } from './page-frame.ts'
import { credits, isCredit, refusedCode, threeParts, wallets, type Way } from './ways.ts'

/** Names of services; the third is a service of our own and has a name in each language. */
const brands: Record<Exclude<Way, 'three-parts'>, string> = {
  'apple-pay': 'Apple Pay',
  'google-pay': 'Google Pay',
  paypal: 'PayPal',
  klarna: 'Klarna',
}

function nameOf(way: Way, intent: Intent): string {
  return way === 'three-parts' ? wordsFor(intent.market)('card-payment.way.three-parts') : brands[way]
}

/** Wallets stand after the card fields, so that a saved card is still the first button. */
export function walletButtons(intent: Intent): string {
  const offered = wallets.filter((way) => intent.ways?.includes(way))
  if (offered.length === 0) return ''
  const t = wordsFor(intent.market)
  const buttons = offered.map((way) => wayForm(intent, way, escape(t('card-payment.way.pay', { way: nameOf(way, intent) }))))
  return `<p class="or"><span>${escape(t('card-payment.way.or'))}</span></p><div class="wallets">${buttons.join('')}</div>`
}

/** Credits stand after the card fields, each with its terms. */
export function creditButtons(intent: Intent): string {
  const offered = credits.filter((way) => intent.ways?.includes(way))
  if (offered.length === 0) return ''
  const t = wordsFor(intent.market)
  const rows = offered.map((way) => {
    const terms =
      way === 'klarna' ? t('card-payment.way.klarna-terms') : t('card-payment.way.parts-terms', { part: partsOf(intent)[1] ?? '' })
    return `<li><p>${escape(terms)}</p>${wayForm(intent, way, escape(t('card-payment.way.pay', { way: nameOf(way, intent) })))}</li>`
  })
  return `<section class="credits" aria-labelledby="credits"><h2 id="credits">${escape(t('card-payment.way.later'))}</h2><ul>${rows.join('')}</ul></section>`
}

function wayForm(intent: Intent, way: Way, label: string): string {
  return `<form method="post" action="/pay/${intent.id}?secret=${intent.secret}"><input type="hidden" name="way" value="${way}"><button class="${way}">${label}</button></form>`
}

/** The page of a wallet or a credit, where the sum is confirmed or the buyer goes back. */
export function wayPage(intent: Intent, way: Way): string {
  const t = wordsFor(intent.market)
  const name = nameOf(way, intent)
  const action = `/pay/${intent.id}/challenge?secret=${intent.secret}`
  const wrong = (intent.challenge?.tries ?? 0) > 0
  const code = isCredit(way)
    ? `<p>${escape(t('card-payment.way.code-text', { way: name }))}</p><p class="hint">${escape(t('card-payment.way.code-test', { code: challengeCode, refused: refusedCode }))}</p>
<div class="field"><label for="answer">${escape(t('card-payment.way.code'))}</label>
<input id="answer" name="answer" inputmode="numeric" autocomplete="one-time-code" maxlength="8"${wrong ? ' aria-invalid="true" aria-describedby="answer-problem"' : ''}>
${wrong ? `<p class="problem" id="answer-problem">${escape(t('card-payment.challenge-wrong'))}</p>` : ''}</div>`
    : ''
  return page(
    intent,
    name,
    `<section class="bank"><header>${escape(name)}</header><h1>${escape(t('card-payment.challenge'))}</h1>${planOf(intent, way)}
<form method="post" action="${action}" novalidate>${code}<button>${escape(intent.payLabel)}</button></form>
<form method="post" action="${action}"><input type="hidden" name="cancel" value="yes"><button class="plain">${escape(t('card-payment.cancel'))}</button></form></section>`,
  )
}

const dayMs = 86_400_000

/** When which part is due, before anything is agreed. */
function planOf(intent: Intent, way: Way): string {
  if (!isCredit(way)) return ''
  const t = wordsFor(intent.market)
  if (way === 'klarna') return `<p>${escape(t('card-payment.way.klarna-plan', { due: new Date(Date.now() + 30 * dayMs) }))}</p>`
  const rows = partsOf(intent).map((part, index) =>
    index === 0
      ? t('card-payment.way.part-today', { part })
      : t('card-payment.way.part-later', { part, due: new Date(Date.now() + index * 30 * dayMs) }),
  )
  return `<ul>${rows.map((row) => `<li>${escape(row)}</li>`).join('')}</ul><p class="hint">${escape(t('card-payment.way.parts-cost'))}</p>`
}

function partsOf({ amount, market }: Intent): string[] {
  // Credit is offered in the currency of its market alone.
  return threeParts(amount).map((part) => formatMoney({ amount: part, currency: markets[market].currency }, market))
}
