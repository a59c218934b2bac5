import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'

interface OrderLink {
  orderId: string
  sellerOrderId: string
  name: string
  token: string
}

/** The link to an order and nothing about it: whoever reads the mailbox learns no more than the number they typed. */
export const orderLinkMail = mailTemplate<OrderLink>('order-link', {
  content: ({ orderId, sellerOrderId, name, token }, { market, origin }) => {
    const t = wordsFor(market)
    const url = origin + publicUrl('orderDetails', { customerOrderId: orderId, sellerOrderId }, { access: token })
    return {
      subject: t('find-order.mail.subject', { id: orderId }),
      preview: t('find-order.mail.preview'),
      blocks: [
        { kind: 'text', text: t('mail.hello', { name }) },
        { kind: 'text', text: t('find-order.mail.text', { id: orderId }) },
        { kind: 'button', label: t('mail.open'), url },
        { kind: 'text', text: t('mail.regards') },
        { kind: 'quiet', lines: [t('find-order.mail.why')] },
      ],
    }
  },
  example: () => ({ orderId: 'P2600000000000001', sellerOrderId: 'S2600000000000001', name: 'Ann', token: 'a'.repeat(43) }),
})
