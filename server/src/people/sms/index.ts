/** Text messages to customers who have agreed to them, outside quiet hours. */
export { isReachedBySms, sendSms } from './send-sms.ts'
export { whenAwake } from './quiet-hours.ts'
export { readSmsOf, removeSmsOf } from './store.ts'
