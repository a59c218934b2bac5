/** Mails about orders. */
export { mailKinds, type MailKind } from './order-mail.ts'
export { forgetLegacyMails } from './store.ts'
