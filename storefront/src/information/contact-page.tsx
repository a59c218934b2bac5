import { formAction } from '@purlin/web/form-action.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import type { RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { loadText } from './load-text.ts'
import { MessageForm } from './message-form.tsx'
import { OperatorDetails } from './operator-details.tsx'
import { messageForm } from './message-form-fields.ts'
import { sendMessage } from './send-message.ts'
import { TextView } from './text-view.tsx'

export const load = loadText

export const action = formAction(messageForm, async (context: ShopContext, { attachment, ...input }) => {
  const { refusal, isAcknowledged } = await sendMessage(context, { ...input, attachments: attachment.map(({ id }) => id) })
  if (refusal) return refuse(refusal)
  return redirect(303, paths.contact(), {
    severity: 'success',
    key: isAcknowledged ? 'flash.message-sent' : 'flash.message-unacknowledged',
  })
})

/** The operator's contact details, with a form; at /contact/website-use, the form is about the site itself. */
export function Page({ data: { text, operator }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const kind = context.pathname === paths.contactWebsiteUse() ? 'website' : 'question'
  return (
    <TextView
      text={text}
      context={context}
      parts={{
        contactForm: <MessageForm kind={kind} context={context} refusal={refusal ?? null} typed={typed ?? null} />,
        operator: <OperatorDetails operator={operator} context={context} />,
      }}
    />
  )
}
