import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { sendMail } from '#mail'
import { isNear, newId, settings, takeNumbers, type Scope } from '#platform'
import { faultsOf, messageInput, messageLimits, type MessageFault } from './message.ts'
import { acknowledgementMail, noticeMail } from './mails.ts'
import { countRecent, writeMessage } from './store.ts'

export type SentMessage =
  | { ok: true; reference: string | null }
  | { ok: false; reason: 'message-invalid'; faults: Map<string, MessageFault> }
  | { ok: false; reason: 'too-many-messages' }

/** First reference given out: long enough to look like one. */
const firstReference = 10_001

/** Keeps a message and has it acknowledged by mail. A program that fills in the hidden field is told that all is well. */
export async function sendMessage(scope: Scope, input: unknown): Promise<SentMessage> {
  const parsed = v.safeParse(messageInput, input)
  if (!parsed.success) return { ok: false, reason: 'message-invalid', faults: faultsOf(parsed.issues) }
  const { kind, name, email, orderId, text, website } = parsed.output
  if (website) return { ok: true, reference: null }

  const { db, market, mode, session, remoteAddress } = scope
  const sessionId = session?.id ?? ''
  const senderHash = senderHashOf(remoteAddress)
  const recent = await countRecent(db, { email, sessionId, senderHash })
  if (
    recent.email >= messageLimits.perEmailDay ||
    recent.session >= messageLimits.perSessionHour ||
    recent.sender >= messageLimits.perSenderHour
  )
    return { ok: false, reason: 'too-many-messages' }

  const id = newId()
  const reference = await takeNumbers(db, 'message', 1, firstReference)
  const message = { id, reference, kind, market, mode, name, email, orderId: orderId || null, body: text ?? '' }
  await writeMessage(db, { ...message, sessionId, senderHash })
  const site = { market, mode, origin: scope.origin }
  const payload = { ...message, at: scope.now }
  await sendMail(scope, acknowledgementMail, { to: email, site, payload, key: `message:${id}` })
  await sendMail(scope, noticeMail, { to: settings().operator.email, site, payload, key: `message:${id}:notice` })
  return { ok: true, reference: String(reference) }
}

/** A proxy of our own stands for everybody behind it, and is not counted. */
function senderHashOf(address: string | undefined): string | null {
  return address && !isNear(address) ? createHash('sha256').update(address).digest('base64url') : null
}
