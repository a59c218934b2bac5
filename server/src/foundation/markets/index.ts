/** Markets: what the host decides. */
export { siteOf, type Site } from './site.ts'
