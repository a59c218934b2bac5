import { choice, files, optionalLines, optionalText } from '@purlin/web/form-input.ts'
import { namesOf } from '@purlin/web/form-action.ts'
import * as v from 'valibot'
import type { MessageTopic, ReportReason } from '../generated/documents.ts'

export const topics = ['delivery', 'product', 'damage', 'return', 'invoice', 'other'] as const satisfies MessageTopic[]
export const reportReasons = ['insult', 'fraud', 'spam', 'elsewhere', 'other'] as const satisfies ReportReason[]

export const mostFiles = 3
/** Accepted types; phones convert theirs to these when they are listed. */
export const acceptedFiles = 'image/jpeg,image/png,image/webp,application/pdf'

/** The forms of a conversation, distinguished by `do`. */
export const conversationForm = v.object({
  do: choice(['write', 'quick', 'report', 'rate']),
  topic: v.optional(choice(topics)),
  text: optionalLines(3_000),
  attachment: files(mostFiles),
  quickReply: optionalText(40),
  seq: optionalText(9),
  reason: v.optional(choice(reportReasons)),
  note: optionalText(500),
  stars: optionalText(1),
})
export type ConversationInput = v.InferOutput<typeof conversationForm>

export const conversationField = namesOf(conversationForm)
