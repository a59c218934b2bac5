/** Text messages to customers who have agreed to them, outside quiet hours. */
export { hasSmsProvider } from './provider-of-shop.ts'
export { isReachedBySms, sendSms } from './send-sms.ts'
export { whenAwake } from './quiet-hours.ts'
export { removeSmsOf } from './forget-sms.ts'
export { readSmsOf } from './store.ts'
