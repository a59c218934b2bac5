import { formAction } from '@purlin/web/form-action.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import type { RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { loadText } from './load-text.ts'
import { MessageForm } from './message-form.tsx'
import { withdrawalForm } from './message-form-fields.ts'
import { sendMessage } from './send-message.ts'
import { TextView } from './text-view.tsx'

export const load = loadText

/** The declaration itself. Only consumers have a right of withdrawal. */
export const action = formAction(withdrawalForm, async (context: ShopContext, input) => {
  if (context.mode === 'b2b') return notFound()
  const { refusal, isAcknowledged } = await sendMessage(context, { kind: 'withdrawal', ...input })
  if (refusal) return refuse(refusal)
  const key = isAcknowledged ? 'flash.withdrawal-sent' : 'flash.withdrawal-unacknowledged'
  return redirect(303, paths.withdrawal(), { severity: 'success', key })
})

/** The right of withdrawal, its model form, and the form to declare it online (2011/83/EU art. 11a). */
export function Page({ data: { text }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const form = <MessageForm kind="withdrawal" context={context} refusal={refusal ?? null} typed={typed ?? null} />
  return <TextView text={text} context={context} parts={{ withdrawalForm: form }} />
}
