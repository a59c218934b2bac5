import type { Language } from '@purlin/contract/markets.ts'
import { escapeHtml as e } from '@purlin/server/foundation/mail/index.ts'
import { type Words, wordsOf } from './words.ts'

export interface PageFacts {
  language: Language
  /** The shop somebody came from. */
  shop: string | undefined
  /** Address of the form, and its key. */
  action: string
  formKey: string
}

function page({ language, shop }: Pick<PageFacts, 'language' | 'shop'>, title: string, body: string): string {
  const back = shop ? `<p><a href="${e(shop)}/">${e(wordsOf(language).back)}</a></p>` : ''
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${e(title)} – Purlin</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"></head>
<body><main><h1>${e(title)}</h1>${body}${back}</main></body></html>`
}

function form({ action, formKey }: PageFacts, fields: string, submit: string): string {
  return `<form method="post" action="${e(action)}"><input type="hidden" name="form_key" value="${e(formKey)}">${fields}<p><button>${e(submit)}</button></p></form>`
}

function problem(words: Words, key: keyof Words | undefined): string {
  return key ? `<p role="alert">${e(words[key])}</p>` : ''
}

export function signInPage(facts: PageFacts, { email = '', wrong }: { email?: string; wrong?: keyof Words }): string {
  const words = wordsOf(facts.language)
  const fields = `<p><label>${e(words['signIn.email'])} <input name="email" type="email" autocomplete="username webauthn" required value="${e(email)}"></label></p>
<p><label>${e(words['signIn.password'])} <input name="password" type="password" autocomplete="current-password" required></label></p>`
  return page(facts, words['signIn.title'], `${problem(words, wrong)}${form(facts, fields, words['signIn.submit'])}`)
}

export function signOutPage(facts: PageFacts, redirectTo: string | undefined): string {
  const words = wordsOf(facts.language)
  const fields = redirectTo ? `<input type="hidden" name="redirect_to" value="${e(redirectTo)}">` : ''
  return page(facts, words['signOut.title'], `<p>${e(words['signOut.text'])}</p>${form(facts, fields, words['signOut.submit'])}`)
}

export function signedOutPage(facts: Pick<PageFacts, 'language' | 'shop'>): string {
  return page(facts, wordsOf(facts.language)['signedOut.title'], '')
}

export function errorPage(facts: Pick<PageFacts, 'language' | 'shop'>): string {
  const words = wordsOf(facts.language)
  return page(facts, words['error.title'], `<p>${e(words['error.text'])}</p>`)
}
