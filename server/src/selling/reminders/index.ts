/** Reminders of baskets left behind, with consent, once each. */
export { readGuestRemindersOf, removeGuestRemindersOf } from './guest-reminder.ts'
export { removeRemindersOf } from './store.ts'
