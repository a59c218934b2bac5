/** Messages: conversations between buyer, seller and operator about seller orders. */
export { topics, workingDaysLater, type Side, type Topic } from './conversation.ts'
export { findPart, type SeenPart } from './find-order.ts'
export { messagesFollowSignIn } from './follow-sign-in.ts'
export { connectSellerReplies, type SellerReplies } from './ports.ts'
export { maskContacts } from './mask-contacts.ts'
export { forgetConversations, readMessagesOf } from './store.ts'
export { siteOf, conversationLink } from './tell-of-message.ts'
export { appendAs, writeMessage } from './write-message.ts'
