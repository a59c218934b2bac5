import { sendMail } from '#mail'
import { settings, type Scope } from '#platform'
import { reportReasons, type ReportReason } from './conversation.ts'
import { conversationNoticeMail } from './mails.ts'
import { findPart, type PartAction } from './find-order.ts'
import { keepRating, keepReport } from './judge-store.ts'
import { siteOf } from './tell-of-message.ts'

export type JudgeRefusal = 'unknown-order' | 'unknown-message'
export type Judged = { ok: true } | { ok: false; reason: JudgeRefusal }

const noteLength = 500

/** Reports a message of another party as abusive; the operator is told once. */
export async function reportMessage(
  scope: Scope,
  action: PartAction,
  input: { orderId: string; seq: number; reason: ReportReason; note?: string | null },
): Promise<Judged> {
  const seen = await findPart(scope, action, input.orderId)
  if (!seen || seen.side === 'operator') return { ok: false, reason: 'unknown-order' }
  const reason = reportReasons.find((each) => each === input.reason) ?? 'other'
  const note = (input.note ?? '').replace(/\s+/g, ' ').trim().slice(0, noteLength)
  const reported = await keepReport(scope.db, { orderId: seen.part.id, seq: input.seq, reporter: seen.side, reason, note, at: scope.now })
  if (reported === 'unknown') return { ok: false, reason: 'unknown-message' }
  if (reported === 'new') {
    const payload = { orderId: seen.part.id, about: `report-${reason}`, lines: [`${seen.side}, ${input.seq}`, note || '-'] }
    const key = `report:${seen.part.id}:${input.seq}:${seen.side}`
    await sendMail(scope, conversationNoticeMail, { to: settings().operator.email, site: siteOf(seen.order), payload, key })
  }
  return { ok: true }
}

/** The buyer rates an answer of the seller; the last rating counts. */
export async function rateAnswer(scope: Scope, input: { orderId: string; seq: number; stars: number }): Promise<Judged> {
  const seen = await findPart(scope, 'conversation.write', input.orderId)
  if (!seen || seen.side !== 'buyer') return { ok: false, reason: 'unknown-order' }
  const stars = Math.min(5, Math.max(1, Math.trunc(input.stars)))
  const isKept = await keepRating(scope.db, { orderId: seen.part.id, seq: input.seq, stars, at: scope.now })
  return isKept ? { ok: true } : { ok: false, reason: 'unknown-message' }
}
