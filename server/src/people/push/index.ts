/** Push messages, by topic, to browsers that have subscribed. */
export { isReachedByPush, pushTo } from './push-to.ts'
export { removePushOf } from './store.ts'
