/** Mails: owed once, rendered from the order as sold, sent by the worker. */
export { mailKinds, renderMail, type Mail, type MailKind } from './render-mail.ts'
export { mailSettings, smtpTransport, useMailSettings, type MailSettings } from './settings.ts'
