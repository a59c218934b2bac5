export { followAudience as enhance } from './follow-audience.ts'
