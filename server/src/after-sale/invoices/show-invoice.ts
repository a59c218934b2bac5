import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { showMoney } from '#pricing'
import type { Invoice } from './store.ts'

/** An invoice for the API. */
export function showInvoice(
  { id, kind, number, document, issuedAt, net, vat, gross, ...rest }: Invoice,
  market: Market = document.market,
  address = `/api/v1/invoices/${id}`,
) {
  const money = (amount: number) => showMoney(document.market, amount)
  return {
    id,
    kind,
    kindLabel: wordsFor(market)(`invoice.kind.${kind}`),
    number,
    issuer: rest.issuer === 'platform' ? ('platform' as const) : ('seller' as const),
    issuerName: document.seller.name,
    customerOrderId: rest.customerOrderId,
    sellerOrderId: rest.sellerOrderId,
    issuedAt,
    net: money(net),
    vat: money(vat),
    gross: money(gross),
    pdfUrl: `${address}/pdf`,
    xmlUrl: `${address}/ubl`,
    isArchived: rest.files.pdf !== undefined,
  }
}
