/** Pricing: the only place where tax modes are chosen and money is formatted. */
export { decimal, spreadsheetAmount, spreadsheetLine, unitDecimal } from './spreadsheet.ts'
export { formatMoney, formatReduction, showMoney } from './money-format.ts'
export { differsFromPages, priceDisplay, taxKey, type PriceDisplay, type PriceViewer } from './tax-mode.ts'
export { operatorRateBp, serviceVat, type ServiceVat } from './service-vat.ts'
export { addVat, divideHalfUp, ratesChangeToday, splitGross, vatOf, type NetAndVat, type Vat, type VatRule } from './vat.ts'
export { askedPrice, inTaxMode, percentOff, priceBlock, priceWithVat, proAdvantagePercentage } from './price-block.ts'
export { priceSteps, stepAt, withQuote, type AgreedPrice, type PriceStep, type QuotedPrice } from './price-steps.ts'
export { sumInTaxMode, taxKeyOfSum, type LineOfSum } from './sum-of-lines.ts'
export { detailPrices } from './detail-price.ts'
export { unitPrice, type UnitContent } from './unit-price.ts'
export { provenRetailPrice } from './retail-price.ts'
export { addDays, atSameTime, localDay, localTime, showMonth } from './local-time.ts'
export { countdownLabel } from './countdown.ts'
export { codesForSome, connectCodesForSome, connectCouponWorth } from './ports.ts'
export { badgesOf, badgesOnCard, couponOn, isPromoted, runningOperations, type CommercialOperation } from './badges.ts'
export { inSalesPeriod } from './sales-periods.ts'
export { conditionLabel, isSecondHand, withMarker } from './condition-marker.ts'
export {
  cheapestDelivery,
  deliveryFor,
  deliveryKindLabel,
  deliveryDays,
  deliveryPromise,
  deliverySummary,
  isParcel,
  offeredDelivery,
  workingDays,
  type DeliveryKind,
  type DeliveryOffer,
  type DeliverySummary,
  reachesHome,
} from './delivery-promise.ts'
export { isWorkingDay, workingDayAfter } from './holidays.ts'
export { rankOffers } from './buy-box.ts'
export { forgetVatRules, vatRules } from './load-vat-rules.ts'
export {
  categoryPath,
  operationsOf,
  priceProduct,
  productBadges,
  rankForSale,
  unitContent,
  type PricedOffer,
  type PricedProduct,
} from './price-offers.ts'
