/** Tax: how invoices name customers and companies; VAT numbers, checked with the registers, with proof. */
export { readAnswers, readRecord as readTaxRecord, removeTaxInformationOf } from './store.ts'
export { takeInCompany } from './take-in-company.ts'
export { useVatServices } from './settings.ts'
