import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'
import type { CancellationReason } from './cancellation.ts'

interface Items {
  items: readonly { title: string; quantity: number }[]
}

interface RequestMail extends Items {
  sellerName: string
  sellerOrderId: string
  reason: CancellationReason
}

/** To the seller: a buyer asks to cancel what was accepted. */
export const cancellationRequestMail = mailTemplate<RequestMail>('cancellation-request', {
  content: ({ sellerName, sellerOrderId, reason, items }, { market }) => {
    const t = wordsFor(market)
    const subject = t('cancellation.mail.request.subject', { id: sellerOrderId })
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t('mail.hello', { name: sellerName }) },
        { kind: 'text', text: t('cancellation.mail.request.text', { id: sellerOrderId }) },
        { kind: 'quiet', lines: items.map(({ title, quantity }) => t('refund.mail.line', { count: quantity, title })) },
        { kind: 'text', text: t(`cancellation.reason.${reason}`) },
        { kind: 'text', text: t('mail.regards') },
      ],
    }
  },
  example: () => ({ sellerName: 'Oakline Tools', sellerOrderId: 'EXAMPLE-1234-1', reason: 'ordered-twice', items: exampleItems }),
})

interface DecisionMail extends Items {
  decision: 'granted' | 'refused' | 'overtaken'
  firstName: string
  sellerName: string
  customerOrderId: string
  sellerOrderId: string
  token: string
}

/** To the buyer: what the seller has decided, or that the goods were faster. */
export const cancellationDecisionMail = mailTemplate<DecisionMail>('cancellation-decision', {
  content: ({ decision, firstName, sellerName, customerOrderId, sellerOrderId, token, items }, { market, origin }) => {
    const t = wordsFor(market)
    const subject = t(`cancellation.mail.${decision}.subject`, { id: customerOrderId })
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t('mail.hello', { name: firstName }) },
        { kind: 'text', text: t(`cancellation.mail.${decision}.text`, { seller: sellerName }) },
        { kind: 'quiet', lines: items.map(({ title, quantity }) => t('refund.mail.line', { count: quantity, title })) },
        {
          kind: 'button',
          label: t('mail.open'),
          url: origin + publicUrl('orderDetails', { customerOrderId, sellerOrderId }, { access: token }),
        },
        { kind: 'text', text: t('mail.regards') },
      ],
    }
  },
  example: () => ({
    decision: 'granted',
    firstName: 'Ada',
    sellerName: 'Oakline Tools',
    customerOrderId: 'EXAMPLE-1234',
    sellerOrderId: 'EXAMPLE-1234-1',
    token: 'example',
    items: exampleItems,
  }),
})

const exampleItems = [{ title: 'Cordless drill 18 V', quantity: 1 }]
