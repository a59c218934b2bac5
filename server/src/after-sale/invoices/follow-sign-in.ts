import type { FollowSignIn } from '#auth'
import { handOverInvoices } from './store.ts'

/** The invoices of a guest's orders follow the orders to the account that has proved the e-mail address. */
export const invoicesFollowSignIn: FollowSignIn = ({ db }, { from, into, email }) => handOverInvoices(db, from, into, email)
