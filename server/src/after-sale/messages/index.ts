/** Messages: conversations between buyer, seller and operator about seller orders. */
export { topics, workingDaysLater, type Side, type Topic } from './conversation.ts'
export { findPart, type PartAction, type SeenPart } from './find-order.ts'
export { messagesFollowSignIn } from './follow-sign-in.ts'
export { connectSellerReplies, type SellerReplies } from './ports.ts'
export { findMessage, forgetConversations, readMessagesOf } from './store.ts'
export { siteOf } from './tell-of-message.ts'
export { withoutContacts } from './without-contacts.ts'
export { appendAs, writeMessage } from './write-message.ts'
