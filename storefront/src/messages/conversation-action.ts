import { formAction } from '@purlin/web/form-action.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import { RateAnswerDocument, ReportMessageDocument, WriteMessageDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { conversationForm, type ConversationInput } from './conversation-form.ts'

interface Sent {
  refusal: RefusalFragment | null
  isMasked?: boolean | null
}

async function send({ client }: ShopContext, orderId: string, input: ConversationInput): Promise<Sent | undefined> {
  const { topic = null, text, attachment, quickReply, seq, reason = 'other', note, stars } = input
  switch (input.do) {
    case 'write': {
      const attachments = attachment.map(({ id }) => id)
      return (await client.mutate(WriteMessageDocument, { orderId, input: { text, topic, attachments } }))?.writeMessage
    }
    case 'quick':
      return (await client.mutate(WriteMessageDocument, { orderId, input: { quickReply } }))?.writeMessage
    case 'report':
      return (await client.mutate(ReportMessageDocument, { input: { orderId, seq: Number(seq) || 0, reason, note } }))?.reportMessage
    case 'rate':
      return (await client.mutate(RateAnswerDocument, { input: { orderId, seq: Number(seq) || 0, stars: Number(stars) || 1 } }))?.rateAnswer
  }
}

/** One form, one command, then a redirect, so that a reload repeats nothing. */
export const conversationAction = formAction(conversationForm, async (context: ShopContext, input) => {
  const { orderId = '' } = context.params
  const sent = await send(context, orderId, input)
  if (sent?.refusal) return refuse(sent.refusal)
  if (input.do === 'rate') return redirect(303, paths.sellerMessagesReviewConfirmation())
  const key =
    input.do === 'report' ? 'flash.message-reported' : sent?.isMasked ? 'flash.seller-message-masked' : 'flash.seller-message-sent'
  return redirect(303, `${paths.conversation({ orderId })}#latest`, { severity: sent?.isMasked ? 'info' : 'success', key })
})
