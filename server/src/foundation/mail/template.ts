import { renderLayout } from './layout.ts'
import type { MailContent, MailSite, RenderedMail } from './mail.ts'

export interface MailTemplate<Payload> {
  /** "order-confirmation": the module's noun and the event; never renamed. */
  name: string
  render(payload: Payload, site: MailSite): RenderedMail
  /** With example data, for /dev/mails. */
  preview(site: MailSite): RenderedMail
}

export interface TemplateParts<Payload> {
  content: (payload: Payload, site: MailSite) => MailContent
  example: (site: MailSite) => Payload
}

/** `mailTemplate<GiftPayload>('gift-note', { content, example })`; listed in the `mails` of a module's mails.ts. */
export function mailTemplate<Payload>(name: string, { content, example }: TemplateParts<Payload>): MailTemplate<Payload> {
  const render = (payload: Payload, site: MailSite) => renderLayout(content(payload, site), site)
  return { name, render, preview: (site) => render(example(site), site) }
}
