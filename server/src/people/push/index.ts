/** Push messages, by topic, to browsers that have subscribed. */
export { isReachedByPush, pushTo } from './push-to.ts'
export { readPushOf, removePushOf } from './store.ts'
