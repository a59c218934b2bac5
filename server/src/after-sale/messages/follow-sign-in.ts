import type { FollowSignIn } from '#auth'
import { handOverConversations } from './store.ts'

/** Conversations follow their orders: those placed with the proven e-mail address become the account's. */
export const messagesFollowSignIn: FollowSignIn = ({ db }, { from, into, email }) => handOverConversations(db, from, into, email)
