/** Payouts: what sellers are owed becomes payable, is settled by runs, paid to their banks and stated. */
export { changeAccount } from './change-account.ts'
export { startRun } from './run-payouts.ts'
export { scheduleSale } from './schedule-sale.ts'
export { sealPayoutsAnew } from './seal-anew.ts'
