import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'
import { showMonth } from '#pricing'
import type { DebitReason } from './debit.ts'
import type { StatementDocument } from './statement.ts'

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
  /** The direct debit that the mail announces. */
  debit: StatementDocument['debit'] | null
}

const statementPath = (id: string): string => publicUrl('invoiceStatement', { id })

export const statementMail = mailTemplate<StatementNews>('credit-statement', {
  content: ({ id, isOpen, debit, ...facts }, { market, origin }) => {
    const t = wordsFor(market)
    const month = showMonth(market, facts.month)
    const words = { ...facts, month, ...debitWords(debit ?? null) }
    const subject = t('statement.mail.subject', { month, number: facts.number })
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t(debit ? 'statement.mail.debit' : isOpen ? 'statement.mail.text' : 'statement.mail.settled', words) },
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
    debit: null,
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

const debitWords = (debit: StatementDocument['debit'] | null) => ({
  collect: debit?.collectOn ?? '',
  end: debit?.ibanEnd ?? '',
  reference: debit?.reference ?? '',
  creditor: debit?.creditorId ?? '',
})

interface MandateNews {
  event: 'active' | 'rejected' | 'revoked'
  reference: string
  creditor: string
  creditorId: string
  holder: string
  /** The last digits of the account. */
  end: string
  days: number
}

/** The copy of a mandate that its debtor receives, or the news that it has ended. */
export const mandateMail = mailTemplate<MandateNews>('credit-mandate', {
  content: ({ event, ...facts }, { market, origin }) => {
    const t = wordsFor(market)
    const subject = t(`mandate.mail.${event}.subject`, { reference: facts.reference })
    const quiet = event === 'active' ? [t('mandate.text', facts), t('mandate.rights')] : []
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t(`mandate.mail.${event}.text`, facts) },
        { kind: 'button', label: t('mandate.mail.button'), url: origin + publicUrl('directDebit', {}) },
        ...(quiet.length > 0 ? [{ kind: 'quiet' as const, lines: quiet }] : []),
      ],
    }
  },
  example: () => ({
    event: 'active',
    reference: 'PURLIN-M10001',
    creditor: 'Purlin Credit Provider',
    creditorId: 'DE98ZZZ09999999999',
    holder: 'Beam & Daughters Ltd',
    end: '3000',
    days: 14,
  }),
})

interface DebitNews {
  id: string
  number: string
  reason: DebitReason
  amount: string
  /** The day until which a transfer is asked for. */
  due: string
}

/** A statement that was to be collected and was not, or was taken back. */
export const debitMail = mailTemplate<DebitNews>('credit-debit-failed', {
  content: ({ id, ...facts }, { market, origin }) => {
    const t = wordsFor(market)
    const subject = t('mandate.mail.failed.subject', { number: facts.number })
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t('mandate.reason', facts) },
        { kind: 'text', text: t('mandate.mail.failed.text', facts) },
        { kind: 'button', label: t('statement.mail.button'), url: origin + statementPath(id) },
      ],
    }
  },
  example: () => ({ id: '0', number: 'C-2026-10-10001', reason: 'funds', amount: '£812.40', due: '2026-12-10' }),
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
export const mails = [reminderMail, statementMail, statementReminderMail, mandateMail, debitMail, financingMail, financingNoticeMail]
