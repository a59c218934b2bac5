import type { CardField, CardProblems } from './card-form.ts'
import type { Intent } from './intent.ts'
import { escape, page } from './page-frame.ts'
import { challengeCode, testCards } from './demo-cards.ts'
import type { SavedCard } from './saved-cards.ts'
import { creditButtons, walletButtons } from './way-pages.ts'
import { htmlFor, wordsFor, type Words } from '@purlin/words/catalogues.ts'

const lock =
  '<svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path fill="currentColor" d="M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7h1Zm2 0h4V5a2 2 0 0 0-4 0v2Z"/></svg>'

interface FormState {
  /** Usable saved cards, in the order offered. */
  cards?: readonly SavedCard[]
  /** The chosen saved card is no longer usable. */
  isGone?: boolean
  problems?: CardProblems
  /** The entered values, without number and code: those are never sent back. */
  typed?: URLSearchParams
}

/** The card fields with the order button. */
export function cardPage(intent: Intent, { cards = [], isGone = false, problems = {}, typed }: FormState = {}): string {
  const t = wordsFor(intent.market)
  const failure = intent.status === 'declined' && intent.failure ? t(`card-payment.reason.${intent.failure}`) : null
  const alert = failure
    ? `<div class="alert" role="alert" tabindex="-1"><strong>${escape(t('card-payment.declined'))}</strong><p>${escape(failure)}</p><p>${escape(t('card-payment.again'))}</p></div>`
    : Object.keys(problems).length > 0
      ? `<div class="alert" role="alert" tabindex="-1"><strong>${escape(t('card-payment.problem'))}</strong></div>`
      : isGone
        ? `<div class="alert" role="alert" tabindex="-1"><strong>${escape(t('card-payment.saved-gone'))}</strong></div>`
        : ''
  const field = (name: CardField, label: string, attributes: string, hint?: string): string => {
    const problem = problems[name]
    const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
    return `<div class="field"><label for="${name}">${escape(label)}${hint ? ` <span class="hint" id="${name}-hint">${escape(hint)}</span>` : ''}</label>
<input id="${name}" name="${name}" required ${attributes}${described ? ` aria-describedby="${described}"` : ''}${problem ? ' aria-invalid="true"' : ''}>
${problem ? `<p class="problem" id="${name}-problem">${escape(problem)}</p>` : ''}</div>`
  }
  const kept = (name: 'expiry'): string => `value="${escape(typed?.get(name) ?? '')}"`
  const action = `action="/pay/${intent.id}?secret=${intent.secret}"`
  const secure = `<p class="secure">${lock}<span>${escape(t('card-payment.secure'))}</span></p>`
  // Saving is the buyer's choice: never preselected.
  const save = intent.isSetup
    ? `<p class="hint">${escape(t('card-payment.mandate'))}</p>`
    : intent.customer === null
      ? ''
      : `<div class="tick"><input type="checkbox" id="save" name="save" value="yes" aria-describedby="save-hint"${typed?.get('save') === 'yes' ? ' checked' : ''}>
<label for="save">${escape(t('card-payment.save'))}</label><p class="hint" id="save-hint">${escape(t('card-payment.save-hint'))}</p></div>`
  const form = `<form method="post" ${action} novalidate>
<div class="brands" aria-hidden="true"><span>Visa</span><span>Mastercard</span></div>
${field('number', t('card-payment.number'), 'inputmode="numeric" autocomplete="cc-number" maxlength="23"')}
<div class="pair">${field('expiry', t('card-payment.expiry'), `inputmode="numeric" autocomplete="cc-exp" maxlength="9" ${kept('expiry')}`, t('card-payment.expiry-hint'))}
${field('code', t('card-payment.code'), 'inputmode="numeric" autocomplete="cc-csc" maxlength="4"')}</div>
${save}<button>${escape(intent.payLabel)}</button>
${cards.length === 0 ? secure : ''}</form>`
  // After input the fields stay visible.
  const isOpen = typed !== undefined && !typed.has('saved')
  const ways =
    cards.length === 0
      ? form
      : `<form method="post" ${action}>${savedCardList(cards, typed?.get('saved'), t)}
<button>${escape(intent.payLabel)}</button>${secure}</form>
<details class="other"${isOpen ? ' open' : ''}><summary>${escape(t('card-payment.other'))}</summary>${form}</details>`
  // The shop's page names the card fields above the frame.
  return page(
    intent,
    t('card-payment.title'),
    `<h1 class="unseen">${escape(t('card-payment.title'))}</h1>${alert}${ways}${walletButtons(intent)}${creditButtons(intent)}${testCardList(t)}`,
  )
}

const brandNames: Record<SavedCard['brand'], string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express', card: 'Card' }

function savedCardList(cards: readonly SavedCard[], chosen: string | null | undefined, t: Words): string {
  const first = cards.find(({ id }) => id === chosen) ?? cards[0]
  const rows = cards.map(({ id, brand, last4, expiry }) => {
    const cardName = t('card-payment.saved-card', { brand: brandNames[brand], last4 })
    const validity = t('card-payment.saved-until', {
      month: String(expiry.month).padStart(2, '0'),
      year: String(expiry.year % 100).padStart(2, '0'),
    })
    return `<div class="tick card"><input type="radio" id="${id}" name="saved" value="${id}" aria-describedby="${id}-until"${id === first?.id ? ' checked' : ''}>
<label for="${id}">${escape(cardName)}</label><p class="hint" id="${id}-until">${escape(validity)}</p></div>`
  })
  return `<fieldset><legend>${escape(t('card-payment.saved'))}</legend>${rows.join('')}</fieldset>`
}

function testCardList(t: Words): string {
  const rows = testCards.map(
    ({ number, shows }) => `<tr><td>${number.replace(/(\d{4})(?=\d)/g, '$1 ')}</td><td lang="en">${escape(shows)}</td></tr>`,
  )
  return `<details><summary>${escape(t('card-payment.test'))}</summary><p>${escape(t('card-payment.test-text'))}</p><table>${rows.join('')}</table></details>`
}

/** The bank's challenge page (3-D Secure). */
export function challengePage(intent: Intent): string {
  const t = wordsFor(intent.market)
  const action = `/pay/${intent.id}/challenge?secret=${intent.secret}`
  const wrong = (intent.challenge?.tries ?? 0) > 0
  const cancel = `<form method="post" action="${action}"><input type="hidden" name="cancel" value="yes"><button class="plain">${escape(t('card-payment.cancel'))}</button></form>`
  const ask =
    intent.challenge?.kind === 'silent'
      ? `<p role="status">${escape(t('card-payment.silent'))}</p><p>${backLink(intent, t)}</p>${cancel}`
      : `<p>${escape(t('card-payment.challenge-text'))}</p><p class="hint">${htmlFor(intent.market).rich('card-payment.challenge-test', { code: (code) => `<strong>${code}</strong>` }, { code: challengeCode })}</p>
<form method="post" action="${action}" novalidate><div class="field"><label for="answer">${escape(t('card-payment.challenge-code'))}</label>
<input id="answer" name="answer" inputmode="numeric" autocomplete="one-time-code" maxlength="8"${wrong ? ' aria-invalid="true" aria-describedby="answer-problem"' : ''}>
${wrong ? `<p class="problem" id="answer-problem">${escape(t('card-payment.challenge-wrong'))}</p>` : ''}</div>
<button>${escape(t('card-payment.confirm'))}</button></form>${cancel}`
  // Nothing is paid while a card is saved.
  const sum = intent.isSetup ? null : (intent.payLabel.split(' · ').at(-1) ?? '')
  return page(
    intent,
    t('card-payment.challenge'),
    `<section class="bank"><header>${escape(t('card-payment.bank'))}</header><h1>${escape(t('card-payment.challenge'))}</h1>${sum === null ? '' : `<p class="sum">${escape(sum)}</p>`}${ask}</section>`,
  )
}

/** The final page: notifies the shop's page by script, with a link back for browsers without one. */
export function donePage(intent: Intent): string {
  const t = wordsFor(intent.market)
  return page(
    intent,
    t('card-payment.done'),
    `<h1 class="done">${escape(t('card-payment.done'))}</h1><p role="status">${escape(t('card-payment.done-text'))}</p><p>${backLink(intent, t)}</p>`,
    { done: true },
  )
}

export function closedPage(intent: Intent): string {
  const t = wordsFor(intent.market)
  return page(
    intent,
    t('card-payment.closed'),
    `<h1>${escape(t('card-payment.closed'))}</h1><p>${escape(t('card-payment.closed-text'))}</p><p>${backLink(intent, t)}</p>`,
  )
}

function backLink(intent: Intent, t: Words): string {
  return `<a href="${escape(intent.returnUrl)}" target="_top">${escape(t('card-payment.back'))}</a>`
}

/** For visitors who open the provider's address directly. */
export function homePage(): string {
  const rows = testCards.map(({ number, shows }) => `<tr><td>${number.replace(/(\d{4})(?=\d)/g, '$1 ')}</td><td>${escape(shows)}</td></tr>`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Payment provider of the demo</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><link rel="stylesheet" href="/frame.css"></head>
<body><main><h1>Payment provider of the demo</h1><p>It takes test cards only, with any later expiry date and any security code.</p>
<table>${rows.join('')}</table></main></body></html>`
}
