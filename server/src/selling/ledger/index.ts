/** The ledger: double-entry and append-only. */
export { captureEntries, reversed, type Account, type Booking, type Entry, type SoldPart } from './booking.ts'
export {
  accountBalances,
  balanceOf,
  balanceOfBookings,
  balanceOfOrder,
  balanceOfOrderByKey,
  balancesOfOrders,
  book,
  bookLater,
  bookMany,
  unbalancedBookings,
} from './store.ts'
