import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'
import { settings } from '#platform'
import { showMoney } from '#pricing'

interface PayoutMail {
  what: 'failed' | 'returned'
  number: string
  amount: number
  bankEnd: string
}

/** To the seller: a payout did not arrive, and its amount is in the balance again. */
export const payoutMail = mailTemplate<PayoutMail>('payout', {
  content: ({ what, number, amount, bankEnd }, { market, origin }) => {
    const t = wordsFor(market)
    const values = { number, amount: showMoney(market, amount).formatted, end: bankEnd }
    const subject = t(`payout.mail.${what}.subject`, values)
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t(`payout.mail.${what}.text`, values) },
        { kind: 'text', text: t('payout.mail.next') },
        { kind: 'button', label: t('payout.mail.button'), url: origin + publicUrl('officePayouts', {}) },
        { kind: 'quiet', lines: [t('mail.regards'), settings().operator.name] },
      ],
    }
  },
  example: () => ({ what: 'returned', number: '30001', amount: 124_050, bankEnd: '4321' }),
})

interface AccountMail {
  end: string
  changedBy: string
  usableFrom: Date
}

/** To the seller: the account for payouts was changed, by whom, and when it is first used. */
export const accountMail = mailTemplate<AccountMail>('payout-account', {
  content: ({ end, changedBy, usableFrom }, { market, origin }) => {
    const t = wordsFor(market)
    const subject = t('payout.mail.account.subject')
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t('payout.mail.account.text', { end, name: changedBy, date: usableFrom }) },
        { kind: 'text', text: t('payout.mail.account.not-you', { email: settings().operator.email }) },
        { kind: 'button', label: t('payout.mail.button'), url: origin + publicUrl('officePayouts', {}) },
        { kind: 'quiet', lines: [t('mail.regards'), settings().operator.name] },
      ],
    }
  },
  example: () => ({ end: '4321', changedBy: 'Sam Poe', usableFrom: new Date('2026-11-26T09:30:00Z') }),
})

/** Previewed at /dev/mails. */
export const mails = [payoutMail, accountMail]
