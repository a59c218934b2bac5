import { Check } from '@purlin/ui/field.tsx'
import { optionalText } from '@purlin/web/form-input.ts'
import type { ReactNode } from 'react'
import { AgreeToBasketReminderDocument, WithdrawBasketReminderDocument } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'

/** Fields of forms that ask a guest for an e-mail address. */
export const reminderFields = {
  /** Ticked by a guest who wants to be reminded of the basket. */
  remind: optionalText(2),
  /** The guest had agreed when the form was rendered: an empty box then withdraws it. */
  reminded: optionalText(2),
}

interface RemindMeProps {
  remind: { id: string; name: string; defaultValue: string }
  reminded: { name: string }
  /** Null where nobody is reminded. */
  reminder: { hasAgreed: boolean } | null
  t: ShopContext['t']
}

/** Consent to one reminder of the basket, beside the address that it is about. Only the guest ticks it: nothing depends on it. */
export function RemindMe({ remind: { id, name, defaultValue }, reminded, reminder, t }: RemindMeProps): ReactNode {
  if (!reminder) return null
  return (
    <>
      {reminder.hasAgreed && <input type="hidden" name={reminded.name} value="1" />}
      <Check id={id} name={name} value="1" label={t('reminder.agree')} defaultChecked={defaultValue !== ''} />
    </>
  )
}

/** Stores or withdraws the consent once the address is known. A refusal is no reason not to sell, and is not reported. */
export async function followReminder({ client }: ShopContext, input: { remind: string | null; reminded: string | null }): Promise<void> {
  if (input.remind !== null) await client.mutate(AgreeToBasketReminderDocument)
  else if (input.reminded !== null) await client.mutate(WithdrawBasketReminderDocument)
}
