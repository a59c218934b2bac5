import { connectSignIn } from '#auth'
import { cartFollowsSignIn } from '#cart'
import { followPayment } from '#checkout'
import { ordersFollowSignIn } from '#orders'
import { connectPaymentProcess } from '#payments'
import { wishlistsFollowSignIn } from '#wishlists'

/** Gives modules what later ones bring to their ports. Called by whatever loads all modules: gateway and worker. */
export function connectModules(): void {
  connectPaymentProcess(followPayment)
  connectSignIn(cartFollowsSignIn, ordersFollowSignIn, wishlistsFollowSignIn)
}
