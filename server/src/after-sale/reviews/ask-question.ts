import { markets } from '@purlin/contract/markets.ts'
import * as v from 'valibot'
import { authorize, customerIdOf, emailOf, ownerOf, staffOf } from '#accounts'
import { findProduct } from '#catalogue'
import { hasReceived } from '#orders'
import { newId, purgePages, takeQuota, type Scope } from '#platform'
import { knownSellers } from '#sellers'
import { sendMail } from '#mail'
import { checkText, type Finding } from './check-text.ts'
import { answeredMail } from './mails.ts'
import { answerInput, faultsOf, isId, publicName, questionInput, senderLimits, type ReviewFault } from './review.ts'
import { insertAnswer, insertQuestion, lockQuestion, type LockedQuestion } from './question-store.ts'
import { countRecent, takeTurn } from './store.ts'

export type Asked =
  | { ok: true; id: string | null; isPending: boolean }
  | { ok: false; reason: 'review-invalid'; faults: Map<string, ReviewFault> }
  | { ok: false; reason: 'unknown-product' | 'too-many-questions' }

/** A question about a product. Those of guests are looked at by an operator first: nobody vouches for them. */
export async function askQuestion(
  scope: Scope,
  { productId, website, ...fields }: { productId: string; text: string; author: string; website?: string | null },
): Promise<Asked> {
  const parsed = v.safeParse(questionInput, fields)
  if (!parsed.success) return { ok: false, reason: 'review-invalid', faults: faultsOf(parsed.issues) }
  // A bot that fills in the hidden field is told that it succeeded.
  if (website) return { ok: true, id: null, isPending: true }
  const { db, market, mode, origin } = scope
  const owner = ownerOf(scope)
  const sheet = await findProduct(scope, productId)
  if (!sheet || owner === null) return { ok: false, reason: 'unknown-product' }
  // Guests without cookies are new each time: their network counts too.
  const isGuest = customerIdOf(scope) === null
  if (isGuest && !(await takeQuota('question', { address: scope.remoteAddress })).ok) return { ok: false, reason: 'too-many-questions' }
  await takeTurn(db, owner)
  if ((await countRecent(db, owner)).questions >= senderLimits.questionsPerDay) return { ok: false, reason: 'too-many-questions' }
  const { text: body, author } = parsed.output
  const findings: Finding[] = checkText([body, author])
  if (customerIdOf(scope) === null) findings.push('guest')
  const id = newId()
  const isPending = findings.length > 0
  const { language } = markets[market]
  const state = isPending ? 'pending' : 'published'
  await insertQuestion(db, { id, productId, market, language, mode, origin, owner, email: emailOf(scope), author, body, state, findings })
  if (!isPending) await purgePages(db, [`product:${productId}`])
  return { ok: true, id, isPending }
}

export type AnsweredQuestion =
  | { ok: true; id: string; isPending: boolean }
  | { ok: false; reason: 'review-invalid'; faults: Map<string, ReviewFault> }
  | { ok: false; reason: 'unknown-question' | 'not-a-buyer' | 'already-answered' | 'too-many-questions' }

/** An answer by a seller who offers the product, or by a buyer who has received it. */
export async function answerQuestion(scope: Scope, id: string, text: string): Promise<AnsweredQuestion> {
  const parsed = v.safeParse(answerInput, text)
  if (!parsed.success) return { ok: false, reason: 'review-invalid', faults: faultsOf(parsed.issues) }
  const { db } = scope
  const question = isId(id) ? await lockQuestion(db, id) : undefined
  if (!question || question.state !== 'published' || question.market !== scope.market) return { ok: false, reason: 'unknown-question' }
  const author = await authorFor(scope, question)
  if (!author) return { ok: false, reason: 'not-a-buyer' }
  await takeTurn(db, author.owner)
  if ((await countRecent(db, author.owner)).answers >= senderLimits.answersPerDay) return { ok: false, reason: 'too-many-questions' }
  const findings = checkText([parsed.output])
  const answer = { id: newId(), questionId: id, ...author, body: parsed.output, findings }
  const isPending = findings.length > 0
  if (!(await insertAnswer(db, { ...answer, state: isPending ? 'pending' : 'published' }))) return { ok: false, reason: 'already-answered' }
  if (!isPending) await tellAsker(scope, question, answer)
  return { ok: true, id: answer.id, isPending }
}

async function authorFor(scope: Scope, { productId }: LockedQuestion) {
  const { principal, db } = scope
  const sellerId = staffOf(scope)?.sellerId ?? null
  if (sellerId !== null) {
    const sheet = await findProduct(scope, productId)
    if (!sheet?.offers.some((offer) => offer.sellerId === sellerId)) return null
    if (!authorize(scope, 'question.reply', { sellerId })) return null
    const seller = (await knownSellers(scope, [sellerId])).get(sellerId)
    return seller ? ({ kind: 'seller', sellerId, owner: `seller:${sellerId}`, author: seller.name } as const) : null
  }
  const owner = ownerOf(scope)
  if (owner === null || !authorize(scope, 'question.answer', { owner }) || !(await hasReceived(db, owner, productId))) return null
  const [first = '', ...rest] = 'name' in principal ? principal.name.split(' ') : []
  return { kind: 'buyer', sellerId: null, owner, author: publicName(first, rest.at(-1) ?? '') } as const
}

/** Shows a published answer, and tells whoever asked, once per answer. */
export async function tellAsker(
  scope: Pick<Scope, 'db'>,
  { productId, email, market, mode, origin, body }: LockedQuestion,
  answer: { id: string; author: string; body: string },
): Promise<void> {
  await purgePages(scope.db, [`product:${productId}`])
  if (!email || !origin) return
  const sheet = await findProduct({ db: scope.db, market }, productId)
  const { language } = markets[market]
  const site = { market, mode, origin }
  const payload = {
    title: sheet?.product.titles[language] ?? '',
    question: body,
    answer: answer.body,
    author: answer.author,
    url: `${origin}/p/${sheet?.product.slugs[language] ?? 'product'}-${productId}/questions`,
  }
  await sendMail(scope, answeredMail, { to: email, site, payload, key: `question-answer:${answer.id}` })
}
