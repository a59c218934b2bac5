/** Tax: how invoices name customers and companies; VAT numbers, checked with the registers, with proof. */
export {
  readAnswers,
  readCustomersWithVatNumber,
  readRecord as readTaxRecord,
  removeTaxInformationOf,
  removeTaxInformationOfCompany,
} from './store.ts'
export { giveTaxDetails, moveTaxDetails } from './give-tax-details.ts'
export { operatorCountry } from './operator-country.ts'
export { connectVat, type VatNews } from './ports.ts'
export { serviceTreatment, type ServiceCustomer, type ServiceTreatment } from './service-treatment.ts'
export { namesAgree } from './company-names.ts'
export { checkTaxDetails, companyTaxOwner, customerTaxOwner, type TaxDetails, type TaxFault, type TaxRecord } from './tax-record.ts'
export { takeInClaim, takeInCompany } from './take-in-company.ts'
export { useVatServices } from './settings.ts'
export { isInUnion, memberStateOf, wellFormedVatNumber } from './vat-number.ts'
export { isVatNumberTaken, lockVatNumber } from './whose-number.ts'
