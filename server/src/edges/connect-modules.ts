import { connectAddress, connectBrowsers, connectSignIn } from '#auth'
import { announcedCoupons, cartFollowsSignIn, connectAudiences, connectPurchases, connectWaitlist, readCodesForSome } from '#cart'
import { followPayment, waitForStock } from '#checkout'
import { connectFreeDelivery } from '#conditions'
import { experimentCookies } from '#experiments'
import { connectCoupons } from '#flags'
import { invoicesFollowSignIn } from '#invoices'
import { hasBought, ordersFollowSignIn, ownsPaidOrder } from '#orders'
import { vatDecidesConversion } from '#companies'
import { messagesFollowSignIn } from '#messages'
import { connectPaymentProcess } from '#payments'
import { connectCodesForSome } from '#pricing'
import { connectSms } from '#profile'
import { belongsTo } from '#segments'
import { hasSmsProvider } from '#sms'
import { freeDelivery } from '#subscriptions'
import { connectVat } from '#tax'
import { connectBuyers } from '#uploads'
import { wishlistsFollowSignIn } from '#wishlists'
import { followAddress } from './follow-address.ts'

/** Connects the ports of modules to the later modules that implement them. Called by every process that loads all modules: gateway and worker. */
export function connectModules(): void {
  connectSms(hasSmsProvider)
  connectVat(vatDecidesConversion)
  connectPaymentProcess(followPayment)
  connectWaitlist(waitForStock)
  connectCodesForSome(readCodesForSome)
  connectCoupons((db, codes) => announcedCoupons(db, codes))
  connectFreeDelivery(freeDelivery)
  connectPurchases((scope) => hasBought(scope))
  connectBuyers(ownsPaidOrder)
  connectAudiences(belongsTo)
  connectBrowsers((db, { site, headers }, customerId) => experimentCookies(db, site, { headers }, customerId))
  connectAddress(followAddress)
  connectSignIn(cartFollowsSignIn, ordersFollowSignIn, messagesFollowSignIn, invoicesFollowSignIn, wishlistsFollowSignIn)
}
