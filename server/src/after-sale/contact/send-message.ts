import * as v from 'valibot'
import { ownerOf } from '#accounts'
import { sendMail } from '#mail'
import { newId, settings, takeNumbers, takeQuota, type Scope } from '#platform'
import { uploadLink, useUploads } from '#uploads'
import { faultsOf, messageInput, type MessageFault } from './message.ts'
import { acknowledgementMail, noticeMail } from './mails.ts'
import { writeMessage } from './store.ts'

export type SentMessage =
  | { ok: true; reference: string | null }
  | { ok: false; reason: 'message-invalid'; faults: Map<string, MessageFault> }
  | { ok: false; reason: 'too-many-messages' }
  | { ok: false; reason: 'attachment-gone' }

/** First reference number, high enough to look like one. */
const firstReference = 10_001

/**
 * Stores a message and has it acknowledged by mail. A bot that fills in the hidden field is told it succeeded. A
 * declaration of withdrawal is never dropped: beyond the limits it is stored and forwarded, without an acknowledgement by mail.
 */
export async function sendMessage(scope: Scope, input: unknown): Promise<SentMessage> {
  const parsed = v.safeParse(messageInput, input)
  if (!parsed.success) return { ok: false, reason: 'message-invalid', faults: faultsOf(parsed.issues) }
  const { kind, name, email, orderId, text, website } = parsed.output
  const attachments = ('attachments' in parsed.output && parsed.output.attachments) || []
  const isWithdrawal = kind === 'withdrawal'
  if (website && !isWithdrawal) return { ok: true, reference: null }

  const { db, market, mode, session, remoteAddress } = scope
  const sessionId = session?.id ?? ''
  const taken = await takeQuota('message', { email, session: sessionId, address: remoteAddress })
  if (!taken.ok && (!isWithdrawal || !(await takeQuota('withdrawal', { address: remoteAddress })).ok))
    return { ok: false, reason: 'too-many-messages' }

  const id = newId()
  const files = await useUploads(scope, attachments, `message:${id}`)
  if (!files) return { ok: false, reason: 'attachment-gone' }
  const reference = await takeNumbers(db, 'message', 1, firstReference)
  const message = { id, reference, kind, market, mode, name, email, orderId: orderId || null, body: text ?? '' }
  await writeMessage(db, { ...message, sessionId, owner: ownerOf(scope) })
  const site = { market, mode, origin: scope.origin }
  const payload = { ...message, at: scope.now }
  if (taken.ok) await sendMail(scope, acknowledgementMail, { to: email, site, payload, key: `message:${id}` })
  const notice = { ...payload, files: files.map((file) => ({ name: file.name, url: uploadLink(scope.origin, file.id, scope.now) })) }
  await sendMail(scope, noticeMail, { to: settings().operator.email, site, payload: notice, key: `message:${id}:notice` })
  return { ok: true, reference: String(reference) }
}
