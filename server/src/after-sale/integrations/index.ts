/** Integrations: the programs of sellers. Keys, the REST API with its OpenAPI document, and webhooks. */
export { apiKeyDoor, type ApiKeyDoor, type ApiKeyHolder } from './api-keys.ts'
export { keyDoor, type KeyDoor, type KeyHolder } from './admit-key.ts'
export { isShapedAs } from './seller-key.ts'
export type { KeyScope } from './key-scopes.ts'
export { sendProblem } from './problem.ts'
