import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'
import { showMonth } from '#pricing'

interface Reminder {
  /** First, second or last. */
  step: number
  number: string
  order: string
  due: string
  amount: string
}

export const reminderMail = mailTemplate<Reminder>('credit-reminder', {
  content: ({ step, number, order, due, amount }, { market, origin }) => {
    const t = wordsFor(market)
    const facts = { number, order, due, amount }
    const kind = step === 1 ? 'first' : step === 2 ? 'second' : 'last'
    return {
      subject: t(`credit.mail.${kind}.subject`, { number }),
      preview: t(`credit.mail.${kind}.subject`, { number }),
      blocks: [
        { kind: 'text', text: t(`credit.mail.${kind}.text`, facts) },
        { kind: 'button', label: t('credit.mail.button'), url: `${origin}/my-invoices/${order}` },
        { kind: 'quiet', lines: [t('credit.mail.paid')] },
      ],
    }
  },
  example: () => ({ step: 1, number: 'S1-F-2026-000012', order: 'M10001', due: '2026-11-20', amount: '£120.00' }),
})

interface StatementNews {
  id: string
  number: string
  /** "2026-10" */
  month: string
  invoices: number
  amount: string
  due: string
  isOpen: boolean
}

const statementPath = (id: string): string => publicUrl('invoiceStatement', { id })

export const statementMail = mailTemplate<StatementNews>('credit-statement', {
  content: ({ id, isOpen, ...facts }, { market, origin }) => {
    const t = wordsFor(market)
    const month = showMonth(market, facts.month)
    const subject = t('statement.mail.subject', { month, number: facts.number })
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t(isOpen ? 'statement.mail.text' : 'statement.mail.settled', { ...facts, month }) },
        { kind: 'button', label: t('statement.mail.button'), url: origin + statementPath(id) },
        { kind: 'quiet', lines: [t('statement.no-invoice')] },
      ],
    }
  },
  example: () => ({
    id: '0',
    number: 'C-2026-10-10001',
    month: '2026-10',
    invoices: 7,
    amount: '£812.40',
    due: '2026-11-30',
    isOpen: true,
  }),
})

interface StatementReminder {
  step: number
  id: string
  number: string
  due: string
  amount: string
}

export const statementReminderMail = mailTemplate<StatementReminder>('credit-statement-reminder', {
  content: ({ step, id, number, due, amount }, { market, origin }) => {
    const t = wordsFor(market)
    const kind = step === 1 ? 'first' : step === 2 ? 'second' : 'last'
    const subject = t(`statement.mail.${kind}.subject`, { number })
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t(`statement.mail.${kind}.text`, { number, due, amount }) },
        { kind: 'button', label: t('statement.mail.button'), url: origin + statementPath(id) },
        { kind: 'quiet', lines: [t('credit.mail.paid')] },
      ],
    }
  },
  example: () => ({ step: 1, id: '0', number: 'C-2026-10-10001', due: '2026-11-30', amount: '£812.40' }),
})

/** The confirmation of a request for financing, and the request itself for the operator. */
export const financingMail = mailTemplate<{ number: string; company: string; amount: string; months: number }>('financing-request', {
  content: (request, { market, origin }) => {
    const t = wordsFor(market)
    return {
      subject: t('financing.mail.subject', { number: request.number }),
      preview: t('financing.mail.subject', { number: request.number }),
      blocks: [
        { kind: 'text', text: t('financing.mail.text', request) },
        { kind: 'button', label: t('financing.mail.button'), url: `${origin}/financing` },
      ],
    }
  },
  example: () => ({ number: '90001', company: 'Beam & Daughters Ltd', amount: '£12,000.00', months: 24 }),
})

interface Notice {
  number: string
  company: string
  amount: string
  months: number
  purpose: string
  email: string
  phone: string
}

export const financingNoticeMail = mailTemplate<Notice>('financing-notice', {
  content: ({ number, company, amount, months, purpose, email, phone }, { market }) => {
    const t = wordsFor(market)
    return {
      subject: t('financing.notice.subject', { number, company }),
      preview: t('financing.notice.subject', { number, company }),
      blocks: [
        { kind: 'text', text: t('financing.notice.text', { company, amount, months, email, phone }) },
        { kind: 'text', text: purpose },
      ],
    }
  },
  example: () => ({
    number: '90001',
    company: 'Beam & Daughters Ltd',
    amount: '£12,000.00',
    months: 24,
    purpose: 'Two heat pumps for a school',
    email: 'ada@example.com',
    phone: '+44 20 7946 0000',
  }),
})

/** Shown at /dev/mails. */
export const mails = [reminderMail, statementMail, statementReminderMail, financingMail, financingNoticeMail]
