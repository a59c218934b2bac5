/** Reminders of baskets left behind, with consent, once each. */
export { removeRemindersOf } from './store.ts'
