/**
 * Fulfilment: what happens to a seller order after payment. Sellers accept, decline, ship and cancel; carriers report; deadlines
 * are watched. The states themselves are derived from the moves in #orders.
 */
export { carrierOfShop } from './carrier-of-shop.ts'
export type { CarrierNews, Consignment, Place } from './carrier.ts'
export { connectAutomaticSellers } from './automatic-sellers.ts'
export { keepPastParcel, type PastParcel } from './past-parcel.ts'
export { promiseOf } from './find-sale.ts'
export { forgetAtCarrier, forgetParcels, keptSince } from './forget-parcels.ts'
export { acceptSale, cancelSale, refuseSale, sellerReasons, sendAgain, type Handled, type Handling } from './handle-sale.ts'
export { incidentEnd, incidentsByReason, incidentsOf, isBackWithSeller, type Incident, type IncidentPieces } from './incidents.ts'
export { parcelEventKinds, wasAtDoor, type ParcelEvent } from './parcel.ts'
export { weightOfPieces } from './parcel-weight.ts'
export { recordNews } from './record-news.ts'
export { reportParcel } from './report-parcel.ts'
export { toSaleResult } from './sale-result.ts'
export { shipLines } from './ship-lines.ts'
export { listSalesDue, showSale } from './show-sale.ts'
export { readParcels, readParcelsAbout, type Parcel } from './store.ts'
export { tellBuyer } from './tell.ts'
export { stateOfParcel, type ParcelState } from './parcel.ts'
