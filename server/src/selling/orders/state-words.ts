import { markets, type Language, type Market } from '@purlin/contract/markets.ts'
import type { CustomerOrderState, SellerOrderState } from './order-states.ts'

type Words = Record<Language, string>

const words: Record<CustomerOrderState | SellerOrderState, Words> = {
  draft: {
    en: 'Not ordered yet',
    fr: 'Pas encore commandée',
    de: 'Noch nicht bestellt',
    es: 'Aún sin confirmar',
    it: 'Non ancora ordinato',
  },
  'awaiting-payment': {
    en: 'Awaiting payment',
    fr: 'En attente de paiement',
    de: 'Wartet auf Zahlung',
    es: 'Pendiente de pago',
    it: 'In attesa di pagamento',
  },
  authorised: {
    en: 'Payment being confirmed',
    fr: 'Paiement en cours de confirmation',
    de: 'Zahlung wird bestätigt',
    es: 'Confirmando el pago',
    it: 'Pagamento in conferma',
  },
  paid: { en: 'Paid', fr: 'Payée', de: 'Bezahlt', es: 'Pagado', it: 'Pagato' },
  'part-shipped': {
    en: 'Partly on its way',
    fr: 'Expédiée en partie',
    de: 'Teilweise versendet',
    es: 'Enviado en parte',
    it: 'Spedito in parte',
  },
  shipped: { en: 'On its way', fr: 'Expédiée', de: 'Versendet', es: 'Enviado', it: 'Spedito' },
  delivered: { en: 'Delivered', fr: 'Livrée', de: 'Geliefert', es: 'Entregado', it: 'Consegnato' },
  closed: { en: 'Completed', fr: 'Terminée', de: 'Abgeschlossen', es: 'Finalizado', it: 'Concluso' },
  cancelled: { en: 'Cancelled', fr: 'Annulée', de: 'Storniert', es: 'Cancelado', it: 'Annullato' },
  'part-refunded': {
    en: 'Partly refunded',
    fr: 'Remboursée en partie',
    de: 'Teilweise erstattet',
    es: 'Reembolsado en parte',
    it: 'Rimborsato in parte',
  },
  refunded: { en: 'Refunded', fr: 'Remboursée', de: 'Erstattet', es: 'Reembolsado', it: 'Rimborsato' },
  pending: {
    en: 'Awaiting the seller',
    fr: 'En attente du vendeur',
    de: 'Wartet auf den Händler',
    es: 'Pendiente del vendedor',
    it: 'In attesa del venditore',
  },
  accepted: {
    en: 'Accepted by the seller',
    fr: 'Acceptée par le vendeur',
    de: 'Vom Händler angenommen',
    es: 'Aceptado por el vendedor',
    it: 'Accettato dal venditore',
  },
  refused: {
    en: 'Declined by the seller',
    fr: 'Refusée par le vendeur',
    de: 'Vom Händler abgelehnt',
    es: 'Rechazado por el vendedor',
    it: 'Rifiutato dal venditore',
  },
  preparing: { en: 'Being prepared', fr: 'En préparation', de: 'In Vorbereitung', es: 'En preparación', it: 'In preparazione' },
  'incident-open': {
    en: 'Being looked into',
    fr: 'Réclamation en cours',
    de: 'Reklamation läuft',
    es: 'Incidencia abierta',
    it: 'Reclamo in corso',
  },
}

/** How an order stands, in the market's language. */
export function stateLabel(market: Market, state: CustomerOrderState | SellerOrderState): string {
  return words[state][markets[market].language]
}
