import * as v from 'valibot'
import { customerIdOf, emailOf, ownerOf } from '#accounts'
import { sendMail } from '#mail'
import { enqueue, newId, settings, takeNumbers, takeQuota, type Scope } from '#platform'
import { uploadLink, useUploads } from '#uploads'
import { faultsOf, messageInput, type MessageFault, type MessageKind } from './message.ts'
import { acknowledgementMail, noticeMail } from './mails.ts'
import { orderNamed } from './pass-on.ts'
import { writeMessage } from './store.ts'

export type SentMessage =
  | { ok: true; reference: string | null; isAcknowledged: boolean }
  | { ok: false; reason: 'message-invalid'; faults: Map<string, MessageFault> }
  | { ok: false; reason: 'too-many-messages' }
  | { ok: false; reason: 'attachment-gone' }

/** First reference number, high enough to look like one. */
const firstReference = 10_001

/**
 * Stores a message and has it acknowledged by mail; a declaration of withdrawal is passed on to the sellers. A bot that fills in the hidden field is told it succeeded. A declaration
 * of withdrawal is never dropped and has a quota of its own. The typed address is nobody's identity: it limits mails to its
 * owner, never what the owner may send.
 */
export async function sendMessage(scope: Scope, input: unknown): Promise<SentMessage> {
  const parsed = v.safeParse(messageInput, input)
  if (!parsed.success) return { ok: false, reason: 'message-invalid', faults: faultsOf(parsed.issues) }
  const { kind, name, email, orderId, text, website } = parsed.output
  const attachments = ('attachments' in parsed.output && parsed.output.attachments) || []
  const isWithdrawal = kind === 'withdrawal'
  if (website && !isWithdrawal) return { ok: true, reference: null, isAcknowledged: true }

  const { db, market, mode, session, remoteAddress } = scope
  const sessionId = session?.id ?? ''
  const isAllowed = isWithdrawal ? (await takeQuota('withdrawal', { address: remoteAddress })).ok : await mayWrite(scope)
  if (!isAllowed) return { ok: false, reason: 'too-many-messages' }

  const id = newId()
  const files = await useUploads(scope, attachments, `message:${id}`)
  if (!files) return { ok: false, reason: 'attachment-gone' }
  const reference = await takeNumbers(db, 'message', 1, firstReference)
  const message = { id, reference, kind, market, mode, name, email, orderId: orderId || null, body: text ?? '' }
  await writeMessage(db, { ...message, sessionId, owner: ownerOf(scope) })
  if (isWithdrawal) await enqueue(db, { name: 'contact.pass-on', key: id, payload: { messageId: id } })
  const site = { market, mode, origin: scope.origin }
  const payload = { ...message, at: scope.now }
  const isMatched = isWithdrawal && (await isSendersOrder(scope, payload))
  const isAcknowledged = isMatched || (await mayAcknowledge(scope, payload))
  if (isAcknowledged)
    await sendMail(scope, acknowledgementMail, { to: email, site, payload: { ...payload, isMatched }, key: `message:${id}` })
  const notice = { ...payload, files: files.map((file) => ({ name: file.name, url: uploadLink(scope.origin, file.id, scope.now) })) }
  await sendMail(scope, noticeMail, { to: settings().operator.email, site, payload: notice, key: `message:${id}:notice` })
  return { ok: true, reference: String(reference), isAcknowledged }
}

/**
 * Customers count by themselves first, so that one who writes too often uses up nothing of their colleagues'. One whose address is refused has
 * written nothing: their own messages are all left when another network, or the next hour, takes them.
 */
async function mayWrite(scope: Scope): Promise<boolean> {
  const { session, remoteAddress: address } = scope
  const customer = customerIdOf(scope)
  if (customer === null) return (await takeQuota('message', { session: session?.id ?? '', address })).ok
  const own = await takeQuota('message', { customer })
  if (!own.ok) return false
  const { ok } = await takeQuota('customer-message', { address })
  if (!ok) await own.giveBack()
  return ok
}

interface Sender {
  kind: MessageKind
  email: string
  orderId: string | null
}

/**
 * Whether the sender's words may be repeated to the address: it is the one of the paid order, or of the account signed in. A
 * draft proves nothing, since anybody may enter a stranger's address in it.
 */
async function isSendersOrder(scope: Scope, { email, orderId }: Sender): Promise<boolean> {
  if (customerIdOf(scope) !== null && emailOf(scope)?.toLowerCase() === email) return true
  const order = await orderNamed(scope.db, orderId)
  return Boolean(order?.paidAt) && order?.email.toLowerCase() === email
}

async function mayAcknowledge({ remoteAddress }: Scope, { kind, email }: Sender): Promise<boolean> {
  const quota =
    kind === 'withdrawal' ? takeQuota('unmatched-withdrawal', { email, address: remoteAddress }) : takeQuota('acknowledgement', { email })
  return (await quota).ok
}
