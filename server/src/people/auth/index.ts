/** Auth: signing in with an identity provider, and what a browser may know of its session. */
export { mayGoOn } from './overdue-session.ts'
export { connectSignIn, type FollowSignIn, type SignIn } from './ports.ts'
