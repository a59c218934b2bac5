/** Profiles: customers' own details and their consent to offers. */
export { readConsentHistory, readProfile, removeProfileOf, setFiscalNumber } from './store.ts'
export { claimNotice, endSmsOffers, offerChannels, offersUnsubscribeUrl, unsubscribeToken, type OfferChannels } from './offers.ts'
export { forgetNotices } from './offers-store.ts'
export { connectSms } from './ports.ts'
export { phoneCodeToSend } from './confirm-phone.ts'
export { forgetPhoneCodes, readPhoneCode } from './phone-code-store.ts'
