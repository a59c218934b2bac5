import { choice, email, files, lines, optionalLines, optionalText, text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'
import type { MessageKind } from '../generated/documents.ts'

export const messageKinds = ['question', 'order', 'report', 'accessibility', 'website'] as const satisfies MessageKind[]

const letter = lines(3_000)
const optionalLetter = optionalLines(3_000)

/** Photos or documents attached to a message. */
export const mostFiles = 3

/** `website` is the hidden field. */
const person = { name: text(120), email: email(), website: optionalText(1_000) }

export const messageForm = v.object({
  kind: choice(messageKinds),
  ...person,
  orderId: optionalText(60),
  text: letter,
  attachment: files(mostFiles),
})
/** The declaration of a withdrawal names the order; the goods concerned are optional. */
export const withdrawalForm = v.object({ ...person, orderId: text(60), text: optionalLetter })
