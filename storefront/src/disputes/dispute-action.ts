import { formAction } from '@purlin/web/form-action.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import { DisputeDocument, MoveDisputeDocument, OpenDisputeDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { disputeForm, typedAmount } from './dispute-form.ts'

/** One form, one command, then a redirect, so that a reload repeats nothing. */
export const disputeAction = formAction(disputeForm, async (context: ShopContext, input) => {
  const { client, params } = context
  const { orderId = '', messageId = '' } = params
  const { reason = 'OTHER', wish = 'REFUND', note } = input
  const attachments = input.attachment.map(({ id }) => id)
  if (input.do === 'open') {
    const asked = { orderId, messageId, reason, wish, amount: typedAmount(input.amount), note, attachments }
    const { refusal = null } = (await client.mutate(OpenDisputeDocument, { input: asked }))?.openDispute ?? {}
    return refusal ? refuse(refusal) : redirect(303, paths.onlineSupportDisputeSuccess({ messageId }))
  }
  const { dispute } = await client.query(DisputeDocument, { messageId })
  const move = { id: dispute?.id ?? messageId, action: input.do, note, attachments }
  const { refusal = null } = (await client.mutate(MoveDisputeDocument, { input: move }))?.moveDispute ?? {}
  if (refusal) return refuse(refusal)
  return redirect(303, paths.onlineSupportDispute({ orderId, messageId }), { severity: 'success', key: 'flash.dispute-moved' })
})
