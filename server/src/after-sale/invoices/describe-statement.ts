import { wordsFor } from '@purlin/words/catalogues.ts'
import { dateFormat } from '@purlin/words/date-format.ts'
import { openAmount, type IssuedStatement } from '#credit'
import { showMoney, showMonth } from '#pricing'
import { countryName } from '#sellers'
import { markets } from '@purlin/contract/markets.ts'
import type { Cell, Sheet } from './draw-sheet.ts'
import type { Invoice } from './store.ts'
import { showDay } from './invoice-text.ts'
import { platformParty } from './parties.ts'

export const statementColumns: readonly Cell[] = [
  { x: 50, width: 195, align: 'left' },
  { x: 250, width: 75, align: 'left' },
  { x: 330, width: 75, align: 'left' },
  { x: 405, width: 65, align: 'right' },
  { x: 475, width: 70, align: 'right' },
]

/** The account as banks of the country write it: a British one by sort code and number. */
export function accountLines(iban: string, bic: string): { iban: string; bic: string; sortCode: string | null; account: string | null } {
  const british = /^GB\d{2}[A-Z]{4}(\d{2})(\d{2})(\d{2})(\d{8})$/.exec(iban)
  const [, first, second, third, account = null] = british ?? []
  return { iban: iban.replace(/(.{4})(?=.)/g, '$1 '), bic, sortCode: british ? `${first}-${second}-${third}` : null, account }
}

/** Facts about an invoice that its claim does not state: the seller, and the company's purchase-order number. */
export function invoiceNote(
  { document: { seller, orderId, reference } }: Pick<Invoice, 'document'>,
  words: (number: string) => string,
): string {
  return [seller.name, orderId, reference?.purchaseOrder ? words(reference.purchaseOrder) : null].filter(Boolean).join(' · ')
}

/** Everything a statement says, in the language of its market, as of the day it was issued. */
export function describeStatement(statement: IssuedStatement, invoices: ReadonlyMap<string, Invoice>): Sheet {
  const { market, number, month, issuedOn, dueOn, document } = statement
  const { company, payee, lines, debit } = document
  const t = wordsFor(market)
  const money = (amount: number): string => showMoney(market, amount).formatted
  const sum = (of: (line: (typeof lines)[number]) => number): number => lines.reduce((all, line) => all + of(line), 0)
  const operator = platformParty(market)
  const { iban, bic, sortCode, account } = accountLines(payee.iban, payee.bic)
  const country = countryName(markets[market].locale, company.country)
  return {
    number,
    title: t('statement.title'),
    seller: operator.name,
    onBehalf: '',
    parties: [
      {
        title: t('statement.to'),
        lines: [company.name, country, ...(company.vatNumber ? [t('invoice.pdf.vat-number', { number: company.vatNumber })] : [])],
      },
      debit
        ? {
            title: t('mandate.title'),
            lines: [
              t('mandate.debit.on', { day: debit.collectOn }),
              t('mandate.account-end', { end: debit.ibanEnd }),
              t('mandate.reference', { reference: debit.reference }),
              t('mandate.creditor-id', { identifier: debit.creditorId }),
            ],
          }
        : {
            title: t('statement.payee'),
            lines: [
              payee.holder,
              ...(sortCode && account ? [t('statement.sort-code', { code: sortCode }), t('statement.account', { number: account })] : []),
              t('statement.iban', { iban }),
              t('statement.bic', { bic }),
              t('statement.remittance', { text: payee.remittance }),
            ],
          },
    ],
    facts: [
      [t('invoice.pdf.number'), number],
      [t('statement.month'), showMonth(market, month)],
      [t('invoice.pdf.issued'), showDay(market, issuedOn)],
      [t('statement.due'), showDay(market, dueOn)],
    ],
    table: {
      head: (['invoice', 'date', 'due', 'amount', 'open'] as const).map((column) => t(`statement.column.${column}`)),
      rows: lines.map((line) => {
        const invoice = invoices.get(line.id)
        return {
          cells: [
            line.number,
            ...[line.issuedOn, line.dueOn].map((day) => shortDay(market, day)),
            money(line.amount),
            money(openAmount(line)),
          ],
          note: invoice ? invoiceNote(invoice, (order) => t('statement.purchase-order', { number: order })) : line.customerOrderId,
        }
      }),
    },
    totals: [
      [t('statement.sum'), money(sum(({ amount }) => amount)), false],
      ...(sum(({ credited }) => credited) > 0 ? [[t('statement.credited'), money(-sum(({ credited }) => credited)), false] as const] : []),
      ...(sum(({ repaid }) => repaid) > 0 ? [[t('statement.repaid'), money(-sum(({ repaid }) => repaid)), false] as const] : []),
      [t('statement.open'), money(sum(openAmount)), true],
    ],
    notes: [t('statement.no-invoice')],
    footer: [operator.legalName, operator.vatNumber, operator.email].filter(Boolean).join(' · '),
    pageOf: (page, pages) => t('invoice.pdf.page', { page: String(page), pages: String(pages) }),
  }
}

function shortDay(market: IssuedStatement['market'], day: string): string {
  const format = dateFormat(markets[market].locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}
