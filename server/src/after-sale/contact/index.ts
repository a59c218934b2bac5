/** Contact: messages to the operator and withdrawals, stored, acknowledged and passed on. */
export { messageKinds, type MessageKind } from './message.ts'
export { sendMessage } from './send-message.ts'
export { forgetMessagesFrom, readMessagesFrom } from './store.ts'
export { findDeclared } from './passed-on-store.ts'
