import { markets, type Language, type Market } from '@purlin/contract/markets.ts'

const labels: Record<Language, string> = {
  en: 'Buy now',
  fr: 'Commander avec obligation de paiement',
  de: 'Zahlungspflichtig bestellen',
  es: 'Pedido con obligación de pago',
  it: 'Ordine con obbligo di pagare',
}

/** The words the law wants on the button that costs money (2011/83/EU art. 8.2), by market. */
export function payLabel(market: Market): string {
  return labels[markets[market].language]
}
