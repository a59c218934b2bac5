/** The mailbox of an e-mail address, to count mails by: name+anything@… arrives at name@…; Gmail ignores dots as well, and has two domains. */
export function mailboxOf(email: string): string {
  const mailbox = email
    .trim()
    .toLowerCase()
    .replace(/^([^+@]+)\+[^@]*@/, '$1@')
  const gmail = /^([^@]+)@g(?:oogle)?mail\.com$/.exec(mailbox)?.[1]
  return gmail === undefined ? mailbox : `${gmail.replaceAll('.', '')}@gmail.com`
}
