/** Contact: messages to the operator and withdrawals, stored and acknowledged. */
export { messageKinds, type MessageKind } from './message.ts'
export { sendMessage } from './send-message.ts'
export { forgetMessagesFrom, readMessagesFrom } from './store.ts'
