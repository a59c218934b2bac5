/** Auth: signing in with an identity provider, and the session as browsers see it. */
export { signOutEverywhere } from './end-session.ts'
export { mayGoOn } from './overdue-session.ts'
export { readAccountsAtProvider } from './read-account-at-provider.ts'
export { removeIdentities } from './remove-identity.ts'
export {
  connectAddress,
  connectBrowsers,
  connectSignIn,
  followAddressLater,
  type FollowAddress,
  type FollowSignIn,
  type SignIn,
} from './ports.ts'
