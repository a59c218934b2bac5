import * as v from 'valibot'

export const messageKinds = ['question', 'order', 'report', 'accessibility', 'website', 'withdrawal'] as const
export type MessageKind = (typeof messageKinds)[number]

/** Maximum number of files per message. */
export const maxAttachments = 3

/** The reason a field is invalid: keys of its messages. */
export type MessageFault = 'missing' | 'too-long' | 'signs' | 'email-format'

const line = (longest: number) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.normalize('NFC').replace(/\s+/g, ' ').trim()),
    v.maxLength(longest, 'too-long'),
    // Control and bidirectional characters and angle brackets have no place in a mail header.
    v.regex(/^[^\p{Cc}\p{Cf}<>]*$/u, 'signs'),
  )
/** Text repeated in a mail to an unconfirmed address must not contain links. */
const withoutLinks = <Schema extends v.GenericSchema<string, string>>(schema: Schema) =>
  v.pipe(
    schema,
    v.check((text) => !/:\/\/|www[.。．｡]|[\p{L}\p{N}][.。．｡]\p{L}{2,}\//iu.test(text), 'signs'),
  )
const needed = <Schema extends v.GenericSchema<string, string>>(schema: Schema) => v.pipe(schema, v.minLength(1, 'missing'))
const words = v.pipe(
  v.string(),
  v.transform((text) => text.normalize('NFC').replace(/\r\n?/g, '\n').trim()),
  v.maxLength(3_000, 'too-long'),
  // Control characters except line break and tab, and lone surrogates.
  v.check((text) => !/[^\P{Cc}\n\t]|\p{Cs}/u.test(text), 'signs'),
)

const person = {
  name: withoutLinks(needed(line(120))),
  email: v.pipe(
    needed(line(254)),
    v.transform((email) => email.toLowerCase()),
    v.email('email-format'),
  ),
  website: v.optional(v.nullable(v.string())),
}
const orderId = withoutLinks(line(60))

/** The form of each kind: a declaration names the order, any other message has a text. */
export const messageInput = v.variant('kind', [
  v.object({ kind: v.literal('withdrawal'), ...person, orderId: needed(orderId), text: v.optional(v.nullable(words)) }),
  v.object({
    kind: v.picklist(messageKinds.filter((kind) => kind !== 'withdrawal')),
    ...person,
    orderId: v.optional(v.nullable(orderId)),
    text: needed(words),
    attachments: v.optional(v.nullable(v.pipe(v.array(v.string()), v.maxLength(maxAttachments, 'too-long')))),
  }),
])
export type MessageInput = v.InferOutput<typeof messageInput>

/** The first problem of each field. */
export function faultsOf(issues: readonly v.BaseIssue<unknown>[]): Map<string, MessageFault> {
  const faults = new Map<string, MessageFault>()
  for (const issue of issues) {
    const field = v.getDotPath(issue) ?? 'text'
    const known = (['missing', 'too-long', 'signs', 'email-format'] as const).find((fault) => fault === issue.message)
    // A field missing from the request counts as empty.
    if (!faults.has(field)) faults.set(field, known ?? 'missing')
  }
  return faults
}
