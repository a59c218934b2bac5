/** Mails: a template, a recipient, a payload and a key; rendered at once, sent by a job. */
export { escapeHtml } from './escape-html.ts'
export { sendMail, type MailOrder } from './send-mail.ts'
export { mailSettings, smtpTransport, useMailSettings, type MailSettings } from './settings.ts'
export { type MailBlock, type MailContent, type MailItem, type MailSite, type RenderedMail } from './mail.ts'
export { mailTemplate, type MailTemplate } from './template.ts'
export { withoutLinks } from './without-links.ts'
export { forgetMails, forgetMailsAbout, forgetMailsTo } from './store.ts'
